package feeds_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/feeds"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
)

// TestSubscribers: feeds of a real stack, as two parsers for each format read them.
func TestSubscribers(t *testing.T) {
	seed := harness.Seed(t)
	s := harness.Start(t)
	subscriber := subscriber{s, feeds.NewReader(t)}
	t.Run("an event changes", subscriber.testChanges)
	t.Run("an export is imported again", subscriber.testExport)
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(seed, 300, now)
	s.ImportCatalogue(t, catalogue)
	s.AwaitReady(t)
	queries := generate.NewQueries(seed, s.Reference(catalogue), catalogue, now)
	for read := 0; read < 100 && !t.Failed(); {
		p := queries.Next().Parameters
		for _, name := range []string{"limit", "offset", "last_event_start_at", "last_event_date_uuid", "group"} {
			delete(p, name)
		}
		if query := client.Encode(p, false); len(query) < 4000 {
			subscriber.compare(t, "?limit=200&"+query)
			read++
		}
	}
}

type subscriber struct {
	*harness.System
	reader *feeds.Reader
}

// feed returns a feed that is complete up to a position.
func (s subscriber) feed(t *testing.T, path string, position uint64) (status int, body []byte) {
	t.Helper()
	answer := s.ReadAt(t, "", path, position)
	return answer.Status, answer.Body
}

// compare reads the feeds of a query: all parsers read the same dates, and all formats that say it
// the same start and the same time of change.
func (s subscriber) compare(t *testing.T, query string) {
	t.Helper()
	starts, changes := map[string]string{}, map[string]string{}
	var first []string
	for n, format := range feeds.Formats {
		status, body := s.feed(t, "/api/events."+format+query, 0)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %.300s", query, status, body)
		}
		ids, err := feeds.IDs(format, body)
		if err != nil {
			t.Fatalf("%s: %s: %v", query, format, err)
		}
		dates, err := s.reader.Dates(format, body)
		if err != nil {
			t.Fatalf("%s: %s: %v", query, format, err)
		}
		var second []string
		for _, date := range dates {
			second = append(second, date.ID)
			agree(t, query+" "+format+" start of "+date.ID, starts, date.ID, date.Start)
			agree(t, query+" "+format+" change of "+date.ID, changes, date.ID, date.Changed)
		}
		if n == 0 {
			first = ids
		}
		if !slices.Equal(ids, first) || len(ids) != len(second) || len(second) > 0 && !slices.Equal(ids, second) {
			t.Errorf("%s: %s holds %v and %v, the first format %v", query, format, ids, second, first)
		}
	}
}

// agree notes a text, and compares it with the one noted before; "" is none.
func agree(t *testing.T, what string, noted map[string]string, id, text string) {
	t.Helper()
	if before, known := noted[id]; known && text != "" && text != before {
		t.Errorf("%s: %s and %s", what, before, text)
	}
	if text != "" {
		noted[id] = text
	}
}

// testChanges follows an event as a subscriber sees it, and compares it with the table in the
// README of the query service.
func (s subscriber) testChanges(t *testing.T) {
	e := s.SignUp(t, "feeds@example.org")
	org := e.Write(t, http.MethodPut, "/organization", `{"name": "Verein"}`)["uuid"]
	venue := e.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Halle", "city": "Kiel"}`, org))["uuid"]
	created := e.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(
		`{"org_uuid": %q, "venue_uuid": %q, "title": "Lesung", "dates": [{"start_date": %q, "start_time": "20:00"}]}`, org, venue, harness.Day(9)))
	event := fmt.Sprint("/event/", created["uuid"])
	date := fmt.Sprint(event, "/date/", created["dates"].([]any)[0].(map[string]any)["uuid"])
	before := map[string]feeds.Date{}
	var rows []string
	for _, step := range []struct{ name, method, path, body string }{
		{"released", http.MethodPut, event + "/release-status", `{"release_status": "released"}`},
		{"renamed", http.MethodPut, event + "/header", `{"title": "Abend"}`},
		{"moved", http.MethodPut, date, `{"start_time": "21:00"}`},
		{"its venue renamed", http.MethodPut, fmt.Sprint("/venue/", venue), `{"name": "Saal"}`},
		{"cancelled", http.MethodPut, event + "/release-status", `{"release_status": "cancelled"}`},
		{"restored", http.MethodPut, event + "/release-status", `{"release_status": "released"}`},
		{"deleted", http.MethodDelete, event, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword)},
	} {
		time.Sleep(time.Second) // feeds show whole seconds, by the clock of the database
		_, position := e.Change(t, step.method, step.path, step.body)
		row := []string{step.name}
		for _, format := range feeds.Formats {
			row = append(row, s.seen(t, format, fmt.Sprint(org), position, before))
		}
		rows = append(rows, "| "+strings.Join(row, " | ")+" |")
	}
	readme, err := os.ReadFile("../../../services/query/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := strings.Join(rows, "\n"); !strings.Contains(string(readme), table) {
		t.Errorf("the README has another table than\n%s", table)
	}
}

// seen describes what is new in the feed of an organization, of one date at most.
func (s subscriber) seen(t *testing.T, format, org string, position uint64, before map[string]feeds.Date) string {
	t.Helper()
	status, body := s.feed(t, "/api/events."+format+"?lang=en&org_uuids="+url.QueryEscape(org), position)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %.300s", format, status, body)
	}
	dates, err := s.reader.Dates(format, body)
	ids, idsErr := feeds.IDs(format, body)
	if err != nil || idsErr != nil || len(dates) > 1 || len(ids) != len(dates) {
		t.Fatalf("%s: %v and %v, %v, %v", format, dates, ids, err, idsErr)
	}
	if len(dates) == 0 {
		return "gone"
	}
	date, last := dates[0], before[format]
	before[format] = date
	if last.ID == "" {
		return "new"
	}
	var news []string
	if date.ID != last.ID {
		news = append(news, "another id")
	}
	for _, field := range []struct{ name, from, to string }{
		{"name", last.Name, date.Name}, {"status", last.Status, date.Status}, {"start", last.Start + last.Local, date.Start + date.Local},
		{"place", last.Place, date.Place}, {"change", last.Changed, date.Changed},
	} {
		if field.from != field.to {
			news = append(news, field.name)
		}
	}
	if len(news) == 0 {
		return "–"
	}
	return strings.Join(news, ", ")
}
