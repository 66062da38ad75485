package editing

import (
	"errors"
	"testing"

	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/store"
)

func TestWalkGivesReferencesFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	// The holding organization has the greatest uuid, so that an order by uuid alone would be wrong.
	holder := &catalog.Organization{UUID: "ffffffff-ffff-7fff-bfff-ffffffffffff", Name: "Holding"}
	s.org.HoldingOrgUUID = value.Text(holder.UUID)
	saved := []catalog.Entity{fullRegion(), holder, s.org, fullVenue(s), fullSpace(s), fullEvent(s), s.event()}
	s.mustSave(saved...)

	want := map[string]catalog.Entity{s.venue.UUID: s.venue, s.other.UUID: s.other, s.space.UUID: s.space}
	for _, entity := range saved {
		want[entity.Key()] = entity
	}
	seen := map[string]bool{}
	err := store.Walk(t.Context(), s.db, func(entity catalog.Entity) error {
		same(t, entity, want[entity.Key()])
		for _, r := range catalog.References(entity) {
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
	err := store.Walk(t.Context(), s.db, func(catalog.Entity) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%d calls: %v", calls, err)
	}
}
