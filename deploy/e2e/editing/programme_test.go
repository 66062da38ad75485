package editing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/pkg/media/imaging/imagingtest"
)

// programme is an event that an organizer plans, with the organization and the places that it
// needs.
type programme struct {
	*editing
	harness.Editor
	org, hall, room, barn   string                        // the event begins in the room of the hall and moves to the barn
	event, link, rule, main string                        // uuids of the event and its parts
	dates                   []string                      // uuids, in the order of their starts
	title, venue            string                        // as last written
	there                   func() []reference.Parameters // queries that find the event by its place
}

// The words that occur in no other event.
const (
	firstTitle, secondTitle = "Zwirbelkranz", "Pfefferquadrille"
	subtitle, summary       = "Nebelhornabend", "Kupferdrossel"
	description, tag        = "Wachtelglas", "Murmelsang"
	linkLabel, altText      = "Distelpforte", "Silberfenster"
)

var weeks = []string{
	"2036-01-03", "2036-01-10", "2036-01-24", "2036-01-31", "2036-02-07", "2036-02-14", "2036-02-28", "2036-03-06", "2036-03-13", "2036-03-20",
}

// plan makes an organization, a hall with a room, a barn, and a complete draft of an event on
// twelve Thursdays less two.
func (s *editing) plan(t *testing.T, e harness.Editor) *programme {
	t.Helper()
	p := &programme{editing: s, Editor: e, title: firstTitle, venue: "Speicher Ost"}
	p.there = p.inHall
	p.org = p.made(t, "/organization", `{"name": "Quarkhaus Zeisig", "city": "Kiel", "country": "DEU"}`)
	p.hall = p.made(t, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Speicher Ost", "street": "Kaistraße", "house_number": "7",
		"postal_code": "24103", "city": "Kiel", "country": "DEU", "lat": 54.3233, "lon": 10.1394, "timezone": "Europe/Berlin",
		"accessibility_flags": "19"}`, p.org)) // bits 0, 1 and 4
	p.room = p.made(t, "/space", fmt.Sprintf(`{"venue_uuid": %q, "name": "Kesselraum", "space_type": "hall"}`, p.hall))
	p.barn = p.made(t, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Lindenscheune", "postal_code": "24837", "city": "Schleswig",
		"country": "DEU", "lat": 54.5153, "lon": 9.5698}`, p.org))
	created := p.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "title": %q}`, p.org, p.title))
	p.event = fmt.Sprint(created["uuid"])
	for part, body := range map[string]string{
		"header":      fmt.Sprintf(`{"subtitle": %q}`, subtitle),
		"place":       fmt.Sprintf(`{"venue_uuid": %q, "space_uuid": %q}`, p.hall, p.room),
		"summary":     fmt.Sprintf(`{"summary": "Mit *%s*"}`, summary),
		"description": fmt.Sprintf(`{"description": "Ein Abend mit %s."}`, description),
		"types":       `{"categories": [4], "event_types": [{"type_id": 1, "genre_id": 1003}]}`,
		"tags":        fmt.Sprintf(`{"tags": [%q, "Konzert"]}`, tag),
		"languages":   `{"languages": ["de", "da"]}`,
		"participation-infos": `{"min_age": 12, "max_age": 99, "price_type": "regular_price", "min_price": 12.5, "currency": "EUR",
			"visitor_info_flags": "4097"}`, // bits 0 and 12
	} {
		p.Write(t, http.MethodPut, p.path(part), body)
	}
	p.link = fmt.Sprint(p.Write(t, http.MethodPut, p.path("link"), fmt.Sprintf(`{"type": "website", "label": %q, "url": "https://example.org/%s"}`,
		linkLabel, strings.ToLower(linkLabel)))["uuid"])
	p.planDates(t)
	p.planImage(t)
	return p
}

// made creates an entity and returns its uuid.
func (p *programme) made(t *testing.T, path, body string) string {
	t.Helper()
	return fmt.Sprint(p.Write(t, http.MethodPut, path, body)["uuid"])
}

// path is that of an operation on a part of the event.
func (p *programme) path(part string) string { return "/event/" + p.event + "/" + part }

func (p *programme) planDates(t *testing.T) {
	t.Helper()
	added := p.Write(t, http.MethodPost, p.path("date"), `{"start_date": "2036-01-03", "start_time": "20:00", "end_time": "22:30",
		"rrule": "FREQ=WEEKLY;COUNT=12", "exdate": ["2036-01-17", "2036-02-21"]}`)
	for _, d := range added["dates"].([]any) {
		date := d.(map[string]any)
		p.dates, p.rule = append(p.dates, fmt.Sprint(date["uuid"])), fmt.Sprint(date["rule_uuid"])
	}
	if len(p.dates) != len(weeks) {
		t.Fatalf("the rule means %d dates, want %d: %v", len(p.dates), len(weeks), added["dates"])
	}
}

// planImage uploads an image whose focus point is at its right edge.
func (p *programme) planImage(t *testing.T) {
	t.Helper()
	file := imagingtest.JPEG(t, imagingtest.Corners(1200, 900), 0)
	body, contentType := harness.ImageForm(t, file, map[string]string{"alt_text": altText, "focus_x": "1", "focus_y": "0.5"})
	var stored struct {
		ImageUUID string `json:"image_uuid"`
	}
	answer := p.Admin(t, p.Token, http.MethodPost, p.path("image/1"), contentType, bytes.NewReader(body))
	if err := json.Unmarshal([]byte(answer), &stored); err != nil || stored.ImageUUID == "" {
		t.Fatalf("%s, %v", answer, err)
	}
	p.main = stored.ImageUUID
}

// secrets are what must not be seen while the event is hidden.
func (p *programme) secrets() secrets {
	return secrets{
		words: []string{firstTitle, secondTitle, subtitle, summary, description, tag, linkLabel, altText},
		ids:   []string{p.event, p.dates[0], p.dates[len(p.dates)-1], p.link, p.rule, p.main},
		known: []string{p.org, p.hall, p.room, p.barn, weeks[0] + "-2000"},
		ways:  p.ways(),
	}
}

// ways are queries that find the event as it is planned now.
func (p *programme) ways() []reference.Parameters { return append(p.anywhere(), p.there()...) }

func (p *programme) inHall() []reference.Parameters {
	return []reference.Parameters{
		{"search": "speicher"}, {"search": p.title + " " + p.venue}, {"venue": p.venue}, {"venue": "*icher*"}, {"venue_uuids": p.hall},
		{"space_types": "hall"}, {"city": "kiel"}, {"postal_code": "241*"}, {"countries": "DEU"},
		{"accessibility": "0,4"}, // the venue's: the room has none of its own
		{"lat": "54.32", "lon": "10.14", "radius": "1000"},
	}
}

func (p *programme) inBarn() []reference.Parameters {
	return []reference.Parameters{
		{"search": p.title + " " + p.venue}, {"venue": strings.ToUpper(p.venue)}, {"venue_uuids": p.barn},
		{"city": "Schles*"}, {"postal_code": "24837"}, {"countries": "DEU"}, {"lat": "54.5", "lon": "9.57", "radius": "3000"},
	}
}

// anywhere are queries that find the event wherever it takes place.
func (p *programme) anywhere() []reference.Parameters {
	return []reference.Parameters{
		{"search": p.title}, {"search": subtitle}, {"search": summary}, {"search": description}, {"search": tag},
		{"search": p.title + " " + tag}, {"search": strings.ToLower(p.title[:len(p.title)-3])}, // the beginning of a word
		{"title": p.title}, {"title": "*" + p.title[4:]}, {"tags": strings.ToUpper(tag)}, {"languages": "da"},
		{"categories": "4"}, {"event_types": "1"}, {"genres": "1003"}, {"visitor_infos": "0,12"}, {"age": "14,20"}, {"price": "12.5,EUR"},
		{"org_uuids": p.org}, {"event_uuids": p.event}, {"release_statuses": "released,cancelled"},
		{"start": weeks[0], "end": "2036-12-31"}, {"on": weeks[0] + ",2036-12-31"}, {"starts_before": weeks[9]}, {"time": "19,21"},
	}
}

// foundBy checks that a query finds exactly the dates of the event, by GET, by POST and in the type
// summary.
func (p *programme) foundBy(t *testing.T, stage string, way reference.Parameters, starts []string) {
	t.Helper()
	for _, post := range []bool{false, true} {
		q := generate.Query{Parameters: with(way, "limit", "200"), Post: post}
		page, err := p.System.Client.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %s: %v", stage, harness.Address(q), err)
		}
		var found []string
		for _, entry := range page.Events {
			if entry.Text("uuid") == p.event {
				found = append(found, entry.Text("start_date"))
			}
		}
		slices.Sort(found) // with a search the order is that of relevance
		if !slices.Equal(found, starts) {
			t.Errorf("%s: %s finds the dates %v, want %v", stage, harness.Address(q), found, starts)
		}
	}
	summary, err := p.System.Client.Summary(t.Context(), with(way, "event_uuids", p.event))
	if err != nil {
		t.Fatal(err)
	}
	var types, genres []reference.Count
	if len(starts) > 0 {
		types, genres = []reference.Count{{ID: 1, Count: len(starts)}}, []reference.Count{{ID: 1003, Count: len(starts)}}
	}
	if *summary.Total != len(starts) || !slices.Equal(summary.Types, types) || !slices.Equal(summary.Genres, genres) {
		t.Errorf("%s: the summary of %v is %d, %v, %v", stage, way, *summary.Total, summary.Types, summary.Genres)
	}
}

// with returns the parameters and one more.
func with(p reference.Parameters, name, value string) reference.Parameters {
	more := reference.Parameters{name: value}
	for name, value := range p {
		more[name] = value
	}
	return more
}

// detail returns the public answer about the event, or nil when it has none.
func (p *programme) detail(t *testing.T, path string) client.Entry {
	t.Helper()
	answer, err := p.System.Client.Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status == http.StatusNotFound {
		return nil
	}
	responseType := "get-event"
	if strings.Contains(path, "/date/") {
		responseType = "get-event-date"
	}
	found, err := client.Data[client.Entry](answer, responseType)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}
