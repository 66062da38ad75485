package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/catalogue/store"
)

func TestEveryFieldSurvivesStorage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	org, venue, space, event, region := rulestest.Organization(s.org.UUID), rulestest.Venue(s.org.UUID), rulestest.Space(s.venue.UUID), rulestest.Event(s.org.UUID, s.venue.UUID, s.space.UUID), rulestest.Region()
	portal, typed := rulestest.Portal(s.org.UUID), rulestest.Portal(s.org.UUID)
	portal.Filter.EventTypes = []int{1}
	label := rulestest.Label()
	event.Labels = []string{label.Key()}
	series := rulestest.Series(s.org.UUID)
	event.Series = []rules.EventSeries{{SeriesUUID: series.UUID, State: adminapi.SeriesRefused}, {SeriesUUID: series.UUID, State: adminapi.SeriesRefused}}
	event.Dates[0].SeriesPartUUID = value.Text(series.Parts[1].UUID)
	list, contributor := rulestest.List(s.org.UUID), rulestest.Contributor(s.org.UUID)
	event.Contributors = []rules.EventContributor{{UUID: contributor.UUID, Role: "soloist"}, {UUID: contributor.UUID, Role: "author"}}
	for _, entity := range []rules.Entity{org, venue, space, event, region, portal, label, list, series, contributor} {
		mustBeFull(t, string(entity.Kind()), reflect.ValueOf(entity).Elem())
	}
	writeAndRead(s, store.Organizations, org)
	writeAndRead(s, store.Venues, venue)
	writeAndRead(s, store.Spaces, space)
	event.Series = event.Series[:1]
	writeAndRead(s, store.AllSeries, series)
	writeAndRead(s, store.Contributors, contributor)
	writeAndRead(s, store.Events, event)
	writeAndRead(s, store.Regions, region)
	writeAndRead(s, store.Labels, label)
	typed.Filter.EventTypes, typed.Filter.Genres = portal.Filter.EventTypes, nil // one of the two is valid
	portal.Filter.EventTypes = nil
	writeAndRead(s, store.Portals, portal)
	writeAndRead(s, store.Portals, typed)
	writeAndRead(s, store.Lists, list)
}

func TestAbsentFieldsSurviveStorage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	draft := &rules.Event{UUID: rulestest.NewID(), OrgUUID: s.org.UUID}
	writeAndRead(s, store.Events, draft)
	writeAndRead(s, store.Venues, &rules.Venue{UUID: rulestest.NewID(), OrgUUID: s.org.UUID, Name: "Hafenspitze", Use: adminapi.VenueOpen})
	writeAndRead(s, store.Portals, &rules.Portal{UUID: rulestest.NewID(), Slug: "alles", Name: "Alles"})
	writeAndRead(s, store.Lists, &rules.List{UUID: rulestest.NewID(), Slug: "leer", Name: "Leer"})
	writeAndRead(s, store.AllSeries, &rules.Series{UUID: rulestest.NewID(), OrgUUID: s.org.UUID, Slug: "leer", Title: "Leer"})
	writeAndRead(s, store.Contributors, &rules.Contributor{UUID: rulestest.NewID(), Name: "Anna", Type: adminapi.ContributorPerson})
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
		writeAndRead(s, store.Events, event)
	}
}

func TestChangingPartsOfAnEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := rulestest.Event(s.org.UUID, s.venue.UUID, s.space.UUID)
	event.Dates = append(event.Dates,
		rules.Date{UUID: rulestest.NewID(), StartDate: "2026-12-24", StartTime: "15:00"},
		rules.Date{UUID: rulestest.NewID(), StartDate: "2026-12-24", StartTime: "15:00"},
	)
	contributor := rulestest.Contributor(s.org.UUID)
	writeAndRead(s, store.Contributors, contributor)
	writeAndRead(s, store.Events, event)
	steps := []struct {
		name   string
		change func(e *rules.Event)
	}{
		{"remove a date", func(e *rules.Event) { e.Dates = slices.Delete(e.Dates, 1, 2) }},
		{"add a date before its twin", func(e *rules.Event) {
			e.Dates = append(e.Dates, rules.Date{UUID: "01900000-0000-7000-8000-000000000001", StartDate: "2026-12-24", StartTime: "15:00"})
		}},
		{"swap the moments of two dates", func(e *rules.Event) {
			a, b := &e.Dates[1], &e.Dates[2]
			a.StartDate, b.StartDate = b.StartDate, a.StartDate
			a.StartTime, b.StartTime = b.StartTime, a.StartTime
		}},
		{"change one date", func(e *rules.Event) { e.Dates[0].ReleaseStatus = rules.StatusCancelled }},
		{"add a date of the rule", func(e *rules.Event) {
			e.Dates = append(e.Dates, rules.Date{
				UUID: rulestest.NewID(), StartDate: "2028-03-01", AllDay: true, RuleUUID: value.Text(e.DateRules[0].UUID), RecurrenceID: "2028-03-01T20:00",
			})
		}},
		{"change the rule", func(e *rules.Event) { e.DateRules[0].ExDate = nil }},
		{"give a date to another rule", func(e *rules.Event) {
			rule := e.DateRules[0]
			rule.UUID = rulestest.NewID()
			e.DateRules = append(e.DateRules, rule)
			last := slices.IndexFunc(e.Dates, func(d rules.Date) bool { return d.RecurrenceID == "2028-03-01T20:00" })
			e.Dates[last].RuleUUID = value.Text(rule.UUID)
		}},
		{"remove the rules", func(e *rules.Event) {
			for i := range e.Dates {
				e.Dates[i].RuleUUID, e.Dates[i].RecurrenceID = "", ""
			}
		}},
		{"reorder types", func(e *rules.Event) { e.EventTypes[0], e.EventTypes[1] = e.EventTypes[1], e.EventTypes[0] }},
		{"name a contributor", func(e *rules.Event) {
			e.Contributors = []rules.EventContributor{{UUID: contributor.UUID, Role: "soloist"}, {UUID: contributor.UUID, Role: "author"}}
		}},
		{"reorder contributors", func(e *rules.Event) { slices.Reverse(e.Contributors) }},
		{"remove the links", func(e *rules.Event) { e.EventLinks = nil }},
		{"swap the places of two images", func(e *rules.Event) {
			e.Images[0].Identifier, e.Images[1].Identifier = e.Images[1].Identifier, e.Images[0].Identifier
		}},
		{"only a tag", func(e *rules.Event) { e.Tags = []string{"neu"} }},
		{"clear everything", func(e *rules.Event) { *e = rules.Event{UUID: e.UUID, OrgUUID: e.OrgUUID} }},
	}
	for i, step := range steps {
		step.change(event)
		t.Log(step.name)
		if version := writeAndRead(s, store.Events, event); version != int64(i+2) {
			t.Fatalf("version is %d", version)
		}
	}
}

// TestPartsOfASeriesTakeEveryField: two parts swap every field but the uuid.
func TestPartsOfASeriesTakeEveryField(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	series := rulestest.Series(s.org.UUID)
	writeAndRead(s, store.AllSeries, series)
	a, b := &series.Parts[0], &series.Parts[1]
	for i, first := range reflect.ValueOf(*a).Fields() {
		if first.Equal(reflect.ValueOf(*b).FieldByIndex(i.Index)) {
			t.Errorf("both parts have the same %s", i.Name)
		}
	}
	*a, *b = *b, *a
	a.UUID, b.UUID = b.UUID, a.UUID
	writeAndRead(s, store.AllSeries, series)
}

// mustBeFull checks that a test entity really uses every field, so that a new one cannot be
// forgotten in the SQL.
func mustBeFull(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[rules.Event]().PkgPath() {
		return
	}
	for i := range v.NumField() {
		field, name := v.Field(i), path+"."+v.Type().Field(i).Name
		if field.IsZero() && !strings.HasSuffix(name, ".AllDay") && name != "event.dates.Hours" { // of the second date
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

// TestTakenBackIsRefusedWithoutAFailure: PostgreSQL logs the row of a statement that fails.
func TestTakenBackIsRefusedWithoutAFailure(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	event := s.event()
	event.ReleaseStatus = rules.StatusDraft
	writeAndRead(s, store.Events, event)
	err := s.db.InTx(t.Context(), func(tx pgx.Tx) error {
		if _, err := store.WriteTakedown(t.Context(), tx, event.UUID, &rules.Takedown{Reason: "spam", At: time.Now()}); err != nil {
			return err
		}
		stored, err := store.Events.Read(t.Context(), tx, []string{event.UUID})
		if err != nil {
			return err
		}
		event.ReleaseStatus = rules.StatusReleased
		if _, err := store.Events.Write(t.Context(), tx, []*rules.Event{event}, stored); !fault.Is(err, fault.Conflict) {
			t.Errorf("the release: %v", err)
		}
		_, err = tx.Exec(t.Context(), "SELECT") // fails after a failure
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
