package editing

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"litfass/pkg/fault"
	"litfass/pkg/value"
	"litfass/services/admin/internal/catalog"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/store"
)

func TestEveryFieldSurvivesStorage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org, venue, space, event, region := fullOrganization(s), fullVenue(s), fullSpace(s), fullEvent(s), fullRegion()
	for _, entity := range []catalog.Entity{org, venue, space, event, region} {
		mustBeFull(t, string(entity.Kind()), reflect.ValueOf(entity).Elem())
	}
	s.mustSave(org, venue, space, event, region)
	same(t, load(s, store.Organizations, org.UUID).Entity, org)
	same(t, load(s, store.Venues, venue.UUID).Entity, venue)
	same(t, load(s, store.Spaces, space.UUID).Entity, space)
	same(t, load(s, store.Events, event.UUID).Entity, event)
	same(t, load(s, store.Regions, region.Key()).Entity, region)
}

func TestAbsentFieldsSurviveStorage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	draft := &catalog.Event{UUID: newID(), OrgUUID: s.org.UUID}
	s.mustSave(draft)
	same(t, s.storedEvent(draft.UUID).Entity, draft)
	same(t, load(s, store.Venues, s.other.UUID).Entity, s.other)
}

func TestAwkwardTextsSurviveStorage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, text := range []string{
		`'; DROP TABLE event; --`, `"quotes" \ back\\slash \u0000 $1 %s`, `{"json": [null]}`, "{a,b}", "null", "*", "🎷👩‍👩‍👧", "Straße À la carte",
		strings.Repeat("🎷", 2_000), "e\u0301", "\u200bzero width", "\ufeffmark", "<script>&amp;", "\u2028line",
	} {
		event := s.event()
		event.Title, event.Description = text, value.Text(text)
		event.Tags = []string{firstRunes(text, 100)}
		s.mustSave(event)
		same(t, s.storedEvent(event.UUID).Entity, event)
	}
}

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
	batch := []catalog.Entity{fullOrganization(s), fullVenue(s), fullSpace(s), fullEvent(s), fullRegion(), s.event()}
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

func TestChangingPartsOfAnEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := fullEvent(s)
	event.Dates = append(event.Dates,
		catalog.Date{UUID: newID(), StartDate: "2026-12-24", StartTime: "15:00"},
		catalog.Date{UUID: newID(), StartDate: "2026-12-24", StartTime: "15:00"},
	)
	s.mustSave(event)
	steps := []struct {
		name   string
		change func(e *catalog.Event)
	}{
		{"remove a date", func(e *catalog.Event) { e.Dates = e.Dates[1:] }},
		{"add a date before its twin", func(e *catalog.Event) {
			e.Dates = append(e.Dates, catalog.Date{UUID: "01900000-0000-7000-8000-000000000001", StartDate: "2026-12-24", StartTime: "15:00"})
		}},
		{"swap the moments of two dates", func(e *catalog.Event) {
			a, b := &e.Dates[1], &e.Dates[2]
			a.StartDate, b.StartDate = b.StartDate, a.StartDate
			a.StartTime, b.StartTime = b.StartTime, a.StartTime
		}},
		{"change one date", func(e *catalog.Event) { e.Dates[0].ReleaseStatus = catalog.StatusCancelled }},
		{"reorder types", func(e *catalog.Event) { e.EventTypes[0], e.EventTypes[1] = e.EventTypes[1], e.EventTypes[0] }},
		{"remove the links", func(e *catalog.Event) { e.EventLinks = nil }},
		{"swap the places of two images", func(e *catalog.Event) {
			e.Images[0].Identifier, e.Images[1].Identifier = e.Images[1].Identifier, e.Images[0].Identifier
		}},
		{"only a tag", func(e *catalog.Event) { e.Tags = []string{"neu"} }},
		{"clear everything", func(e *catalog.Event) { *e = catalog.Event{UUID: e.UUID, OrgUUID: e.OrgUUID} }},
	}
	for i, step := range steps {
		step.change(event)
		result := s.saveOne(event)
		if result.Err != nil || result.Outcome != Changed || result.Version != int64(i+2) {
			t.Fatalf("%s: %+v", step.name, result)
		}
		same(t, s.storedEvent(event.UUID).Entity, event)
	}
}

func TestBadItemsDoNotSpoilGoodOnes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	taken := s.event()
	s.mustSave(taken)
	nameless := &catalog.Venue{UUID: newID(), OrgUUID: s.org.UUID}
	inNameless, unknown, elsewhere, thief, good := s.event(), s.event(), s.event(), s.event(), s.event()
	inNameless.Dates[0].VenueUUID = value.Text(nameless.UUID)
	unknown.OrgUUID, unknown.VenueUUID = newID(), value.Text(newID())
	elsewhere.Dates = append(elsewhere.Dates, catalog.Date{UUID: newID(), StartDate: "2020-01-01", AllDay: true})
	elsewhere.Dates[1].VenueUUID, elsewhere.Dates[1].SpaceUUID = value.Text(s.other.UUID), value.Text(s.space.UUID)
	thief.Dates = append(thief.Dates, catalog.Date{UUID: taken.Dates[0].UUID, StartDate: "2020-01-01", AllDay: true})

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
	for _, refused := range []*catalog.Event{inNameless, unknown, elsewhere, thief} {
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
	org := &catalog.Organization{UUID: newID(), Name: "Neu"}
	held := &catalog.Organization{UUID: newID(), Name: "Tochter", HoldingOrgUUID: value.Text(org.UUID)}
	venue := &catalog.Venue{UUID: newID(), OrgUUID: held.UUID, Name: "Neu"}
	space := &catalog.Space{UUID: newID(), VenueUUID: venue.UUID, Name: "Neu"}
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
	top := &catalog.Organization{UUID: newID(), Name: "Oben"}
	middle := &catalog.Organization{UUID: newID(), Name: "Mitte", HoldingOrgUUID: value.Text(top.UUID)}
	bottom := &catalog.Organization{UUID: newID(), Name: "Unten", HoldingOrgUUID: value.Text(middle.UUID)}
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
	db, err := postgres.Open(t.Context(), "postgres://nobody@127.0.0.1:1/nothing?connect_timeout=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, err = NewOperator(db).Save(t.Context(), []catalog.Entity{fullRegion()})
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

// mustBeFull checks that a test entity really uses every field, so that a new one cannot be forgotten in the SQL.
func mustBeFull(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[catalog.Event]().PkgPath() {
		return
	}
	for i := range v.NumField() {
		field, name := v.Field(i), path+"."+v.Type().Field(i).Name
		if field.IsZero() && name != "event.dates.AllDay" {
			t.Errorf("%s is not used", name)
		}
		if field.Kind() == reflect.Slice && field.Len() > 0 {
			mustBeFull(t, path+"."+strings.ToLower(v.Type().Field(i).Name), field.Index(0))
		}
	}
}

func firstRunes(text string, count int) string {
	runes := []rune(text)
	return string(runes[:min(count, len(runes))])
}

const everyBit = value.Mask(math.MaxUint64)
