package overview_test

import (
	"context"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/paging"
)

var everything = paging.Page{Limit: 100}

// TestEachPrincipalSeesItsOwn: two organizations with a venue and a space each, looked at by every
// sort of principal.
func TestEachPrincipalSeesItsOwn(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	clock := authtest.NewClock()
	s := overview.New(overview.Options{DB: db, Now: clock.Now, Zone: time.UTC})
	ours, theirs := authtest.Organization(t, db, "Kulturhaus"), authtest.Organization(t, db, "Jazzclub")
	for _, org := range []string{ours, theirs} {
		venue := rulestest.NewID()
		const places = `
WITH venue AS (INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Haus'))
INSERT INTO space (uuid, venue_uuid, name) VALUES ($3, $1, 'Saal')`
		if _, err := db.Pool().Exec(t.Context(), places, venue, org, rulestest.NewID()); err != nil {
			t.Fatal(err)
		}
	}
	user := func(set permission.Set) auth.Principal {
		id := authtest.User(t, db, rulestest.NewID()+"@example.org")
		authtest.Member(t, db, ours, id, set)
		return auth.Principal{UserID: id, SessionID: "a login"}
	}
	choose := permission.ChooseAsEventOrganization | permission.AddEvent
	full := user(permission.All)
	limited := full
	limited.SessionID, limited.APIKey, limited.KeyLimit = "", rulestest.NewID(), permission.ChooseVenue
	tests := []struct {
		name                         string
		who                          auth.Principal
		cards, organizations, places int
		others                       bool // whether the other organization is shown
	}{
		{"a member with every right", full, 1, 1, 2, false},
		{"a member who may only add events", user(permission.AddEvent), 1, 0, 0, false},
		{"a member who may choose", user(choose), 1, 1, 0, false},
		{"a personal key that is limited", limited, 1, 0, 2, false},
		{"an organization's key", auth.Principal{APIKey: rulestest.NewID(), KeyOrg: ours, KeyLimit: choose}, 1, 1, 0, false},
		{"a platform administrator", auth.Principal{UserID: 1, PlatformAdmin: true, SessionID: "a login"}, 2, 2, 4, true},
		{"no principal", auth.Principal{}, 0, 0, 0, false},
	}
	for _, test := range tests {
		ctx := auth.WithPrincipal(t.Context(), test.who)
		dashboard, err := s.Dashboard(ctx, everything)
		if err != nil || len(dashboard.Organizations) != test.cards || dashboard.TotalCount != test.cards {
			t.Errorf("%s: dashboard %+v, %v", test.name, dashboard, err)
		}
		organizations, err := s.ChoosableOrganizations(ctx, everything)
		if err != nil || len(organizations.Organizations) != test.organizations || organizations.TotalCount != test.organizations {
			t.Errorf("%s: organizations %+v, %v", test.name, organizations, err)
		}
		places, err := s.ChoosablePlaces(ctx, everything)
		if err != nil || len(places.Places) != test.places || places.TotalCount != test.places {
			t.Errorf("%s: places %+v, %v", test.name, places, err)
		}
		if got := sees(ctx, t, s, theirs); got != test.others {
			t.Errorf("%s: the other organization is shown: %v", test.name, got)
		}
	}
}

// sees reports whether a principal is shown the venues and events of an organization.
func sees(ctx context.Context, t *testing.T, s *overview.Service, org string) bool {
	t.Helper()
	_, venues := s.Venues(ctx, org, "2026-11-20", everything)
	var bad fault.Violations
	_, events := s.Events(ctx, org, s.EventFilter(&bad, func(string) string { return "" }), everything)
	for _, err := range []error{venues, events} {
		if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
	}
	if (venues == nil) != (events == nil) {
		t.Fatalf("venues: %v, events: %v", venues, events)
	}
	return venues == nil
}

func TestDay(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("ahead", 5*60*60)
	now := func() time.Time { return time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC) }
	s := overview.New(overview.Options{Now: now, Zone: zone})
	for text, want := range map[string]string{"": "2026-11-21", "today": "2026-11-21", "2024-02-29": "2024-02-29"} {
		var bad fault.Violations
		if got := s.Day(&bad, text); got != want || len(bad) > 0 {
			t.Errorf("%q is %q with %v, want %q", text, got, bad, want)
		}
	}
	for _, text := range []string{"2023-02-29", "tomorrow", "1899-12-31", "3000-01-01", "2026-1-1"} {
		var bad fault.Violations
		if s.Day(&bad, text); len(bad) != 1 || bad[0].Field != "start" {
			t.Errorf("%q gives %v", text, bad)
		}
	}
}
