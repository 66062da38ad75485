package editing

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/platform/postgres"
)

func TestUnstorableTextIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event()
	event.Title, event.Tags, event.Description = "a\x00", []string{"a\xff"}, "\x1b[31m"
	s.mustRefuse(s.saveOne(event).Err, fault.Invalid, "title", "description", "tags[0]")
}

func TestSavingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	batch := []rules.Entity{rulestest.Organization(s.org.UUID), rulestest.Venue(s.org.UUID), rulestest.Space(s.venue.UUID), rulestest.Event(s.org.UUID, s.venue.UUID, s.space.UUID), rulestest.Region(), s.event(), rulestest.Label(), rulestest.Portal(s.org.UUID), rulestest.List(s.org.UUID), rulestest.Series(s.org.UUID), rulestest.Contributor(s.org.UUID)}
	for _, outcome := range s.mustSave(batch...) {
		if outcome != Created {
			t.Errorf("outcome is %s", outcome)
		}
	}
	s.clearOutbox()
	for i, result := range s.save(batch...) {
		if result.Outcome != Unchanged || result.Version != 1 {
			t.Errorf("%s: %+v", batch[i].Kind(), result)
		}
	}
	s.wantOutbox()
}

func TestBadItemsDoNotSpoilGoodOnes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	taken := s.event()
	s.mustSave(taken)
	nameless := &rules.Venue{UUID: newID(), OrgUUID: s.org.UUID}
	inNameless, unknown, elsewhere, thief, good := s.event(), s.event(), s.event(), s.event(), s.event()
	inNameless.Dates[0].VenueUUID = value.Text(nameless.UUID)
	unknown.OrgUUID, unknown.VenueUUID = newID(), value.Text(newID())
	elsewhere.Dates = append(elsewhere.Dates, rules.Date{UUID: newID(), StartDate: "2020-01-01", AllDay: true})
	elsewhere.Dates[1].VenueUUID, elsewhere.Dates[1].SpaceUUID = value.Text(s.other.UUID), value.Text(s.space.UUID)
	thief.Dates = append(thief.Dates, rules.Date{UUID: taken.Dates[0].UUID, StartDate: "2020-01-01", AllDay: true})

	results := s.save(good, nameless, inNameless, unknown, elsewhere, thief)
	if results[0].Err != nil || results[0].Outcome != Created {
		t.Errorf("the good event: %+v", results[0])
	}
	s.mustRefuse(results[1].Err, fault.Invalid, "name")
	s.mustRefuse(results[2].Err, fault.Invalid, "dates[0].venue_uuid")
	s.mustRefuse(results[3].Err, fault.Invalid, "org_uuid", "venue_uuid")
	s.mustRefuse(results[4].Err, fault.Invalid, "dates[1].space_uuid")
	s.mustRefuse(results[5].Err, fault.Conflict, "dates[1].uuid")
	same(t, s.storedEvent(good.UUID).Entity, good)
	same(t, s.storedEvent(taken.UUID).Entity, taken)
	for _, refused := range []*rules.Event{inNameless, unknown, elsewhere, thief} {
		if s.storedEvent(refused.UUID).Entity != nil {
			t.Errorf("a refused event is stored")
		}
	}
}

func TestRefusalsHoldNoDatabaseText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first, second := s.event(), s.event()
	s.mustSave(first)
	second.Dates[0].UUID = first.Dates[0].UUID
	err := s.saveOne(second).Err
	s.mustRefuse(err, fault.Conflict, "dates[0].uuid")
	shown, err := json.Marshal([]any{fault.Of(err).Message, fault.Of(err).Violations})
	if err != nil || strings.Contains(string(shown), "pkey") || strings.Contains(string(shown), "SQLSTATE") {
		t.Errorf("shows %s: %v", shown, err)
	}
}

func TestOneBatchMayHoldWhatItRefersTo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org := &rules.Organization{UUID: newID(), Name: "Neu"}
	held := &rules.Organization{UUID: newID(), Name: "Tochter", HoldingOrgUUID: value.Text(org.UUID)}
	venue := &rules.Venue{UUID: newID(), OrgUUID: held.UUID, Name: "Neu"}
	space := &rules.Space{UUID: newID(), VenueUUID: venue.UUID, Name: "Neu"}
	event := s.event()
	event.OrgUUID, event.VenueUUID, event.SpaceUUID = held.UUID, value.Text(venue.UUID), value.Text(space.UUID)
	s.mustSave(org, held, venue, space, event)
	same(t, s.storedEvent(event.UUID).Entity, event)
}

func TestTheLastOfEqualKeysWins(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first, second := s.event(), s.event()
	second.UUID, second.Title = first.UUID, "Zweite Fassung"
	outcomes := s.mustSave(first, second)
	if outcomes[0] != Created || outcomes[1] != Changed {
		t.Errorf("outcomes are %v", outcomes)
	}
	same(t, s.storedEvent(first.UUID).Entity, second)
}

func TestHoldingOrganizationsFormNoCircle(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	top := &rules.Organization{UUID: newID(), Name: "Oben"}
	middle := &rules.Organization{UUID: newID(), Name: "Mitte", HoldingOrgUUID: value.Text(top.UUID)}
	bottom := &rules.Organization{UUID: newID(), Name: "Unten", HoldingOrgUUID: value.Text(middle.UUID)}
	s.mustSave(top, middle, bottom)
	top.HoldingOrgUUID = value.Text(bottom.UUID)
	bottom.Name = "Ganz unten"
	results := s.save(top, bottom)
	s.mustRefuse(results[0].Err, fault.Invalid, "holding_org_uuid")
	if results[1].Outcome != Changed {
		t.Errorf("the other organization: %+v", results[1])
	}
}

func TestSpaceInUseStaysInItsVenue(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event()
	event.SpaceUUID = value.Text(s.space.UUID)
	s.mustSave(event)
	s.space.VenueUUID = s.other.UUID
	s.mustRefuse(s.saveOne(s.space).Err, fault.Conflict)
	event.SpaceUUID = ""
	s.mustSave(event, s.space)
}

func TestUnreachableDatabaseIsUnavailable(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), "postgres://unknown@127.0.0.1:1/nothing?connect_timeout=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = NewOperator(db).Save(t.Context(), []rules.Entity{rulestest.Region()})
	if !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0 {
		t.Errorf("got %v", err)
	}
}

// same compares two entities by content.
func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		a, _ := json.MarshalIndent(got, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		t.Fatalf("got\n%s\nwant\n%s", a, b)
	}
}
