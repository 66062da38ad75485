package project

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
)

var update = flag.Bool("update", false, "write what the projection gives into testdata")

// golden is one file of testdata: a change and the documents that it gives.
type golden struct {
	Change   json.RawMessage `json:"change"`
	Index    string          `json:"index"`
	Document json.RawMessage `json:"document"`
	Dates    json.RawMessage `json:"dates,omitempty"`
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want golden
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got := encode(t, projected(t, want.Change))
			if *update {
				got.Change = want.Change
				write(t, file, got)
				return
			}
			equal(t, "index", []byte(got.Index), []byte(want.Index))
			equal(t, "document", indent(t, got.Document), indent(t, want.Document))
			equal(t, "dates", indent(t, got.Dates), indent(t, want.Dates))
		})
	}
}

func projected(t *testing.T, data []byte) Documents {
	t.Helper()
	c, err := change.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("https://litfass.example/", "Europe/Berlin").Project(c)
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

func encode(t *testing.T, d Documents) golden {
	t.Helper()
	got := golden{Index: d.Index, Document: legible(t, d.Record)}
	if d.Dates != nil {
		dates := []json.RawMessage{}
		for _, date := range d.Dates {
			dates = append(dates, legible(t, date))
		}
		var err error
		if got.Dates, err = json.Marshal(dates); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

// encodedAttributes are the attributes that contain JSON text.
var encodedAttributes = []string{"entry", "view", "geometry"}

// legible returns a document with values in place of their JSON text.
func legible(t *testing.T, document any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var attributes map[string]json.RawMessage
	if err := json.Unmarshal(data, &attributes); err != nil {
		t.Fatal(err)
	}
	for _, name := range encodedAttributes {
		var text string
		if held := attributes[name]; held != nil && json.Unmarshal(held, &text) == nil && text != "" {
			data = bytes.Replace(data, held, []byte(text), 1)
		}
	}
	return data
}

func write(t *testing.T, file string, g golden) {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(g); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// indent brings both sides to one spelling.
func indent(t *testing.T, data []byte) []byte {
	t.Helper()
	if data == nil {
		return nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func equal(t *testing.T, what string, got, want []byte) {
	t.Helper()
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := line(gotLines, i), line(wantLines, i)
		if g != w {
			t.Errorf("%s, line %d: got %s, want %s", what, i+1, g, w)
			return
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

const id = "0192f0a0-0000-7000-8000-000000000010"

func TestChangesThatCanNeverBeShown(t *testing.T) {
	event := func(rest string) string {
		return `{"kind":"event","id":"` + id + `","revision":1,"snapshot":{"uuid":"` + id + `","title":"x",` + rest + `}}`
	}
	date := `"uuid":"a","start_date":"2026-11-20","start_time":"19:30"`
	for name, test := range map[string]struct{ change, want string }{
		"another shape":        {`{"kind":"event","id":"` + id + `","revision":1,"snapshot":{"dates":7}}`, "cannot unmarshal"},
		"another entity":       {`{"kind":"venue","id":"` + id + `","revision":1,"snapshot":{"uuid":"x","name":"y"}}`, `it speaks of "x"`},
		"another organization": {`{"kind":"organization","id":"` + id + `","revision":1,"snapshot":{}}`, `it speaks of ""`},
		"another region":       {`{"kind":"region","id":"a.b.c","revision":1,"snapshot":{"country_slug":"a","state_slug":"b","region_slug":"x"}}`, "it speaks of"},
		"another lookup":       {`{"kind":"lookup","id":"languages","revision":1,"snapshot":{"name":"x"}}`, "it speaks of"},
		"region of nothing":    {`{"kind":"region","id":"a.b.c","revision":1,"snapshot":{"country_slug":"a","state_slug":"b","region_slug":"c"}}`, "no geometry"},
		"unknown venue":        {event(`"venue_uuid":"v"`), "venue v is missing"},
		"unknown space":        {event(`"space_uuid":"s"`), "space s is missing"},
		"date elsewhere":       {event(`"dates":[{` + date + `,"venue_uuid":"v"}]`), "date a: venue v is missing"},
		"date twice":           {event(`"dates":[{` + date + `},{` + date + `}]`), "date a occurs twice"},
		"no day":               {event(`"dates":[{"uuid":"a","start_date":"2026-02-29","start_time":"19:30"}]`), "start_date"},
		"no last day":          {event(`"dates":[{` + date + `,"end_date":"tomorrow"}]`), "end_date"},
		"no time":              {event(`"dates":[{"uuid":"a","start_date":"2026-11-20","start_time":"24:00"}]`), "start_time"},
		"neither time nor day": {event(`"dates":[{"uuid":"a","start_date":"2026-11-20"}]`), "has no start_time"},
	} {
		c, err := change.Decode([]byte(test.change))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := New("", "Europe/Berlin").Project(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

func TestUnknownKind(t *testing.T) {
	if _, err := New("", "Europe/Berlin").Project(change.Change{Kind: "poster", ID: "x", Revision: 1}); err == nil {
		t.Error("no error")
	}
}

func TestDatesAreFoundByTheFlagsOfTheirSpaceElseOfTheirVenue(t *testing.T) {
	mask := func(m value.Mask) *value.Mask { return &m }
	for name, test := range map[string]struct {
		venue, space *value.Mask
		withSpace    bool
		want         []int
	}{
		"no space":                {venue: mask(0b101), want: []int{0, 2}},
		"a space without flags":   {venue: mask(0b101), withSpace: true, want: []int{0, 2}},
		"a space with flags":      {venue: mask(0b101), space: mask(0b10), withSpace: true, want: []int{1}},
		"a space with no bit set": {venue: mask(0b101), space: mask(0), withSpace: true, want: []int{}},
		"neither has flags":       {withSpace: true, want: []int{}},
	} {
		e := change.Event{
			UUID: id, Title: "x", VenueUUID: "v",
			Venues: []change.VenueOfEvent{{UUID: "v", Name: "v", AccessibilityFlags: test.venue}},
			Spaces: []change.Space{{UUID: "s", VenueUUID: "v", Name: "s", AccessibilityFlags: test.space}},
			Dates:  []change.Date{{UUID: "a", StartDate: "2026-11-20", AllDay: true}},
		}
		if test.withSpace {
			e.SpaceUUID = "s"
		}
		c, err := change.New(change.KindEvent, id, 1, e)
		if err != nil {
			t.Fatal(err)
		}
		documents, err := New("", "Europe/Berlin").Project(c)
		if err != nil {
			t.Fatal(err)
		}
		if got := documents.Dates[0].AccessibilityBits; !slices.Equal(got, test.want) {
			t.Errorf("%s: found by %v, want %v", name, got, test.want)
		}
		if got := documents.Dates[0].Entry.Value.VenueAccessibilityFlags; (got == nil) != (test.venue == nil) {
			t.Errorf("%s: shows the venue's flags %v, want %v", name, got, test.venue)
		}
	}
	e := change.Event{UUID: id, Title: "x", Dates: []change.Date{{UUID: "a", StartDate: "2026-11-20", AllDay: true}}}
	c, err := change.New(change.KindEvent, id, 1, e)
	if err != nil {
		t.Fatal(err)
	}
	documents, err := New("", "Europe/Berlin").Project(c)
	if err != nil || documents.Dates[0].AccessibilityBits == nil || len(documents.Dates[0].AccessibilityBits) > 0 {
		t.Errorf("a date nowhere is found by %v, %v", documents.Dates, err)
	}
}
