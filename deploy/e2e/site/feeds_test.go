package site

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-ical"
	"github.com/mmcdole/gofeed"

	"litfass/deploy/e2e/feeds"
	"litfass/deploy/e2e/harness"
)

// testCalendarFile downloads the file of a date, which another parser reads.
func (s *siteTest) testCalendarFile(t *testing.T, scripts bool) {
	result := s.walk(t, "calendar", scripts, map[string]any{"event": serenade, "date": serenadeDates[0], "title": serenadeTitle})
	var file struct{ Name, Content string }
	if err := json.Unmarshal(result.Value, &file); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(file.Name, ".ics") {
		t.Errorf("the file is called %q", file.Name)
	}
	events := calendarEvents(t, []byte(file.Content))
	if len(events) != 1 {
		t.Fatalf("the file has %d events", len(events))
	}
	start, err := events[0].DateTimeStart(harness.Berlin)
	if err != nil || start.In(harness.Berlin).Format("2006-01-02 15:04") != harness.Day(5)+" 20:00" {
		t.Errorf("it begins at %s, %v", start, err)
	}
	for name, want := range map[string]string{
		ical.PropUID: serenadeDates[0], ical.PropSummary: serenadeTitle, ical.PropStatus: "CONFIRMED",
		ical.PropURL: s.URL() + "/event/" + serenade + "?date=" + serenadeDates[0],
	} {
		if got := property(events[0], name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func calendarEvents(t *testing.T, file []byte) []ical.Event {
	t.Helper()
	calendar, err := ical.NewDecoder(bytes.NewReader(file)).Decode()
	if err != nil {
		t.Fatalf("%v: %s", err, file)
	}
	return calendar.Events()
}

// property returns the text of a property; "" for none.
func property(event ical.Event, name string) string {
	if p := event.Props.Get(name); p != nil {
		return p.Value
	}
	return ""
}

// feed returns a feed of the events of a filter, with the ending of its format.
func (s *siteTest) feed(t *testing.T, path string) []byte {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), path)
	if err != nil || answer.Status != http.StatusOK {
		t.Fatalf("%s: %d %.300s, %v", path, answer.Status, answer.Body, err)
	}
	return answer.Body
}

// testHostileFeeds: each parser reads hostile texts as texts; what is HTML in a feed holds nothing
// that runs.
func (s *siteTest) testHostileFeeds(t *testing.T) {
	want := []string{siteID(1500), siteID(1501), siteID(1502)}
	if harmless(harness.Payloads) == nil {
		t.Fatal("the payloads are taken for harmless")
	}
	for _, format := range feeds.Formats {
		body := s.feed(t, "/api/events."+format+"?org_uuids="+hostileOrg)
		ids, err := feeds.IDs(format, body)
		if err != nil || !slices.Equal(slices.Sorted(slices.Values(ids)), want) {
			t.Errorf("%s holds %v, %v", format, ids, err)
		}
		if format == "jsonld" && bytes.ContainsAny(body, "<") {
			t.Errorf("the JSON-LD could end a script: %s", body)
		}
	}
	for _, format := range []string{"rss", "atom", "json"} {
		s.wantHarmless(t, format)
	}
	if title := property(calendarEvents(t, s.feed(t, "/api/event/"+hostileEvent+".ics"))[0], ical.PropSummary); !strings.Contains(title, "planted=1") {
		t.Errorf("the calendar has the title %q", title)
	}
}

// wantHarmless checks what readers show as HTML.
func (s *siteTest) wantHarmless(t *testing.T, format string) {
	t.Helper()
	feed, err := gofeed.NewParser().ParseString(string(s.feed(t, "/api/events."+format+"?org_uuids="+hostileOrg)))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range feed.Items {
		for _, markup := range []string{item.Description, item.Content} {
			if err := harmless(markup); err != nil {
				t.Errorf("%s: %v in %s", format, err, markup)
			}
		}
	}
}

// harmless returns an error if HTML holds an element or attribute that runs a script.
func harmless(markup string) error {
	decoder := xml.NewDecoder(strings.NewReader(markup))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains([]string{"script", "iframe", "svg", "img", "style", "object"}, strings.ToLower(start.Name.Local)) {
			return errors.New("an element " + start.Name.Local)
		}
		for _, attribute := range start.Attr {
			name, value := strings.ToLower(attribute.Name.Local), strings.ToLower(strings.TrimSpace(attribute.Value))
			if strings.HasPrefix(name, "on") || strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:") {
				return errors.New("an attribute " + name)
			}
		}
	}
}
