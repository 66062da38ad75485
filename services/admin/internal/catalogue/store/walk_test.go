package store_test

import (
	"errors"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/catalogue/store"
)

func TestWalkGivesReferencesFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	// The holding organization has the greatest uuid, so that an order only by uuid would be wrong.
	holder := &rules.Organization{UUID: "ffffffff-ffff-7fff-bfff-ffffffffffff", Name: "Holding"}
	s.org.HoldingOrgUUID = value.Text(holder.UUID)
	region, venue, space := rulestest.Region(), rulestest.Venue(s.org.UUID), rulestest.Space(s.venue.UUID)
	event := rulestest.Event(s.org.UUID, s.venue.UUID, s.space.UUID)
	writeAndRead(s, store.Regions, region)
	writeAndRead(s, store.Organizations, holder)
	writeAndRead(s, store.Organizations, s.org)
	writeAndRead(s, store.Venues, venue)
	writeAndRead(s, store.Spaces, space)
	label := rulestest.Label()
	writeAndRead(s, store.Labels, label)
	event.Labels = []string{label.Key()}
	series := rulestest.Series(s.org.UUID)
	writeAndRead(s, store.AllSeries, series)
	event.Series = []rules.EventSeries{{SeriesUUID: series.UUID, State: adminapi.SeriesAccepted}}
	contributor := rulestest.Contributor(s.org.UUID)
	writeAndRead(s, store.Contributors, contributor)
	event.Contributors = []rules.EventContributor{{UUID: contributor.UUID, Role: "soloist"}}
	writeAndRead(s, store.Events, event)
	portal := rulestest.Portal(s.org.UUID)
	writeAndRead(s, store.Portals, portal)
	list := rulestest.List(s.org.UUID)
	writeAndRead(s, store.Lists, list)

	want := map[string]rules.Entity{}
	for _, entity := range []rules.Entity{region, holder, s.org, s.venue, venue, s.space, space, label, series, contributor, event, portal, list} {
		want[entity.Key()] = entity
	}
	seen := map[string]bool{}
	err := store.Walk(t.Context(), s.db, func(entity rules.Entity) error {
		same(t, entity, want[entity.Key()])
		for _, r := range rules.References(entity) {
			if !seen[r.Key] {
				t.Errorf("%s comes before the %s that it refers to", entity.Kind(), r.Kind)
			}
		}
		seen[entity.Key()] = true
		return nil
	})
	if err != nil || len(seen) != len(want) {
		t.Errorf("saw %d of %d entities: %v", len(seen), len(want), err)
	}
}

func TestWalkEndsWithTheFirstError(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	stop := errors.New("stop")
	calls := 0
	err := store.Walk(t.Context(), s.db, func(rules.Entity) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%d calls: %v", calls, err)
	}
}
