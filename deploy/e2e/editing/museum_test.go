package editing

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
)

// museum is a museum with a permanent exhibition and a temporary one, both in the far future.
type museum struct {
	*editing
	harness.Editor
	public                           *client.Client
	org, venue, permanent, temporary string // uuids
}

const museumHours = `{"weekly": [{"day": "tue", "from": "10:00", "to": "18:00"}, {"day": "thu", "from": "10:00", "to": "20:00"},
	{"day": "sat", "from": "11:00", "to": "17:00"}, {"day": "sun", "from": "11:00", "to": "17:00"}],
	"closed": [{"from": "2036-12-24", "to": "2036-12-25", "note": "Weihnachten"}],
	"special": [{"date": "2036-12-22", "from": "18:00", "to": "01:00", "note": "Lange Nacht"}]}`

// testMuseum: a museum opens, closes for a holiday, opens for a night, changes its hours, and ends
// an exhibition; the search has each where it is open.
func (s *editing) testMuseum(t *testing.T) {
	m := &museum{editing: s, Editor: s.SignUp(t, "museum@example.org"), public: s.Client}
	made := func(path, body string) string {
		return fmt.Sprint(m.Write(t, http.MethodPut, path, body)["uuid"])
	}
	m.org = made("/organization", `{"name": "Museum Zaunkönig", "city": "Kiel", "country": "DEU"}`)
	m.venue = made("/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Haus Zaunkönig", "city": "Kiel", "country": "DEU", "opening_hours": "Montags zu",
		"timezone": "Europe/Berlin", "hours": %s}`, m.org, museumHours))
	m.permanent = m.exhibition(t, "Vögel der Förde", `"start_date": "2036-01-01"`)
	m.temporary = m.exhibition(t, "Federn", `"start_date": "2036-12-20", "end_date": "2037-01-31"`)
	m.opens(t)
	m.looks(t)
	m.changes(t)
}

// exhibition releases an event with one date that has the hours of the museum.
func (m *museum) exhibition(t *testing.T, title, period string) string {
	t.Helper()
	created, position := m.Change(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": %q, "release_status": "released",
		"dates": [{%s, "all_day": true, "hours": %s}]}`, m.org, m.venue, title, period, museumHours))
	settle(m.System, t, title, position)
	return fmt.Sprint(created["uuid"])
}

// opens: days of the week, a holiday, a night, ranges, and times.
func (m *museum) opens(t *testing.T) {
	t.Helper()
	both, one, none := []string{m.permanent, m.temporary}, []string{m.permanent}, []string{}
	for query, want := range map[string][]string{
		"on=2036-12-16":                       one,  // a Tuesday before the temporary one
		"on=2036-12-20":                       both, // its first day
		"on=2036-12-15":                       none, // a Monday
		"on=2036-12-22":                       both, // a Monday with a night
		"on=2036-12-24,2036-12-26":            none, // Wednesday and holidays
		"on=2036-12-24,2036-12-27":            both,
		"on=2036-12-20&time=16,17":            both,
		"on=2036-12-20&time=17,19":            none, // ends are exclusive
		"on=2036-12-22&time=23,1":             both, // past midnight, of the same day
		"on=2036-12-23&time=0,1":              none,
		"on=2036-12-22,2036-12-24&time=10,11": both,
		"time=3,4":                            none,
		"on=2090-06-01,2090-06-03":            one, // a Thursday
		"start=2036-12-31&ongoing=true":       both,
		"end=2037-12-31":                      {m.temporary},
	} {
		if got := m.found(t, query); !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", query, got, want)
		}
	}
}

// found returns the events of the museum that a search finds, in the order of their starts.
func (m *museum) found(t *testing.T, query string) []string {
	t.Helper()
	var answer struct {
		Data struct {
			Events []struct{ UUID string }
		}
	}
	m.read(t, "/api/events?org_uuids="+m.org+"&"+query, &answer)
	found := []string{}
	for _, event := range answer.Data.Events {
		found = append(found, event.UUID)
	}
	return found
}

// read decodes a public answer into a value, or, of a *string, takes it as it is.
func (m *museum) read(t *testing.T, path string, into any) {
	t.Helper()
	answer, err := m.public.Get(t.Context(), path)
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%s: %d %.300s: %v", path, answer.Status, answer.Body, err)
	}
	if text, is := into.(*string); is {
		*text = string(answer.Body)
	} else if err := json.Unmarshal(answer.Body, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// looks: the calendar, the structured data, the pages and the counts of days.
func (m *museum) looks(t *testing.T) {
	t.Helper()
	for path, wanted := range map[string][]string{
		"/api/event/" + m.temporary + ".ics": {
			"RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20370131", "RRULE:FREQ=WEEKLY;BYDAY=SA,SU;", "DTSTART;TZID=Europe/Berlin:20361222T180000",
		},
		"/api/event/" + m.permanent + ".ics":                 {"RRULE:FREQ=WEEKLY;BYDAY=TH\r\n", "EXDATE;TZID=Europe/Berlin:20361225T100000"},
		"/api/event/" + m.permanent + ".jsonld":              {`"eventSchedule"`, `"https://schema.org/Tuesday"`, `"exceptDate":["2036-12-25"]`},
		"/api/venue/" + m.venue:                              {`"opening_hours":"Montags zu"`, `"note":"Weihnachten"`},
		"/event/" + m.permanent + "?lang=de":                 {"Di 10–18 Uhr", "Weihnachten", "Lange Nacht"},
		"/venue/" + m.venue + "?lang=da":                     {"kl. 10–18", "Montags zu", "openingHoursSpecification"},
		"/?lang=en&org_uuids=" + m.org + "&start=2036-12-01": {"Sat/Sun 11–17"},
	} {
		var text string
		m.read(t, path, &text)
		unfolded := strings.ReplaceAll(text, "\r\n ", "")
		for _, part := range wanted {
			if !strings.Contains(unfolded, part) {
				t.Errorf("%s: %q is missing in %.3000s", path, part, unfolded)
			}
		}
	}
	var counted struct {
		Data struct {
			Facets map[string][]struct {
				Value string
				Count int
			}
		}
	}
	m.read(t, "/api/events/facets?by=day&on=2036-12-19,2036-12-25&org_uuids="+m.org, &counted)
	var counts []int
	for _, day := range counted.Data.Facets["day"] {
		counts = append(counts, day.Count)
	}
	if want := []int{0, 2, 2, 2, 2, 0, 0}; !slices.Equal(counts, want) {
		t.Errorf("counts of days: %v, want %v", counts, want)
	}
}

// changes: a cached answer follows an edit of the hours, and an exhibition that ends.
func (m *museum) changes(t *testing.T) {
	t.Helper()
	date := func(event string) string {
		dates, _ := m.Show(t, "/event/"+event)["dates"].([]any)
		one, _ := dates[0].(map[string]any)
		return "/event/" + event + "/date/" + fmt.Sprint(one["uuid"])
	}
	if got := m.found(t, "on=2036-12-19"); len(got) != 0 { // a Friday, which is cached
		t.Fatalf("on a closed day: %v", got)
	}
	_, position := m.Change(t, http.MethodPut, date(m.permanent), `{"hours": {"weekly": [{"day": "fri", "from": "10:00", "to": "18:00"}]}}`)
	settle(m.System, t, "other hours", position)
	if got := m.found(t, "on=2036-12-19"); !slices.Equal(got, []string{m.permanent}) {
		t.Errorf("with other hours: %v", got)
	}
	_, position = m.Change(t, http.MethodPut, date(m.permanent), `{"end_date": "2036-12-18"}`)
	settle(m.System, t, "the end", position)
	if got := m.found(t, "on=2036-12-19"); len(got) != 0 {
		t.Errorf("after its end: %v", got)
	}
	_, position = m.Change(t, http.MethodPut, date(m.permanent), `{"hours": null}`)
	settle(m.System, t, "without hours", position)
	if got := m.found(t, "on=2036-12-15"); !slices.Equal(got, []string{m.permanent}) {
		t.Errorf("without hours: %v", got)
	}
}
