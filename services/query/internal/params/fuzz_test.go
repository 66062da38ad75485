package params

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/value"
)

// FuzzFromURL: for any query string the answer is a Query within its bounds or a fault that names
// fields.
func FuzzFromURL(f *testing.F) {
	for _, test := range good {
		f.Add(test.url)
	}
	for _, test := range bad {
		if len(test.url) < 500 {
			f.Add(test.url)
		}
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := Events.FromURL(raw, today)
		checkRead(t, q, err, maxURLItems)
		again, againErr := Events.FromURL(raw, today)
		if (err == nil) != (againErr == nil) || !sameQuery(q, again) {
			t.Error("a second reading says something else")
		}
	})
}

// FuzzFromJSON is FuzzFromURL for bodies.
func FuzzFromJSON(f *testing.F) {
	for _, test := range good {
		f.Add([]byte(test.json))
	}
	for _, body := range []string{`{"a":[[[]]]}`, `{"title":{}}`, `[`, `{"categories":[1,"2",null]}`, `{"title":"\ud800"}`, "{\"tags\":\"\xff\"}"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		q, err := Events.FromJSON(body, today)
		checkRead(t, q, err, maxBodyItems)
	})
}

func sameQuery(a, b Query) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func checkRead(t *testing.T, q Query, err error, maxItems int) {
	t.Helper()
	if err != nil {
		checkFault(t, err)
		return
	}
	checkNumbers(t, q)
	for name, items := range map[string]int{
		"categories": len(q.Categories), "event_types": len(q.EventTypes), "genres": len(q.Genres), "tags": len(q.Tags),
		"space_types": len(q.SpaceTypes), "countries": len(q.Countries), "org_uuids": len(q.OrgUUIDs), "event_uuids": len(q.EventUUIDs),
	} {
		if items > maxItems {
			t.Errorf("%d items of %s", items, name)
		}
	}
	for _, id := range slices.Concat(q.OrgUUIDs, q.VenueUUIDs, q.EventUUIDs, q.SpaceUUIDs) {
		if again, ok := value.UUIDv7(id); !ok || again != id {
			t.Errorf("%q is no UUIDv7 in lower case", id)
		}
	}
	for _, p := range []*Pattern{q.Title, q.Venue, q.City} {
		checkPattern(t, p)
	}
	for _, p := range q.PostalCodes {
		checkPattern(t, &p)
	}
	for _, word := range strings.Fields(q.Search) {
		if strings.ContainsAny(word, `"-`) || !utf8.ValidString(word) {
			t.Errorf("word %q", word)
		}
	}
	if len(strings.Fields(q.Search)) > maxWords {
		t.Errorf("words %q", q.Search)
	}
}

func checkFault(t *testing.T, err error) {
	t.Helper()
	f := fault.Of(err)
	if f.Kind != fault.Invalid || len(f.Violations) == 0 {
		t.Errorf("not a fault of the request: %v", err)
	}
	for _, v := range f.Violations {
		if v.Reason == "" || !utf8.ValidString(v.Field+v.Reason) || len(v.Field) > 300 || len(v.Reason) > 600 {
			t.Errorf("violation %q", v)
		}
	}
}

func checkNumbers(t *testing.T, q Query) {
	t.Helper()
	ranges := []struct{ n, low, high int }{
		{q.Limit, 1, maxLimit}, {q.Offset, 0, MaxOffset}, {int(q.Start), 0, 99991231}, {int(q.End), 0, 99991231},
	}
	if q.Time != nil {
		ranges = append(ranges, struct{ n, low, high int }{q.Time.From, 0, 1439}, struct{ n, low, high int }{q.Time.To, 0, 1439})
	}
	if q.Age != nil {
		ranges = append(ranges, struct{ n, low, high int }{q.Age.From, 0, q.Age.To}, struct{ n, low, high int }{q.Age.To, 0, maxAge})
	}
	for _, r := range ranges {
		if r.n < r.low || r.n > r.high {
			t.Errorf("%d is not from %d to %d", r.n, r.low, r.high)
		}
	}
	if c := q.Circle; c != nil && !(c.Radius >= 0 && c.Lat >= -90 && c.Lat <= 90 && c.Lon >= -180 && c.Lon <= 180) {
		t.Errorf("circle %+v", c)
	}
	if p := q.Price; p != nil && p.Type == "" && !(p.Amount >= 0 && len(p.Currency) == 3) {
		t.Errorf("price %+v", p)
	}
}

func checkPattern(t *testing.T, p *Pattern) {
	t.Helper()
	if p == nil {
		return
	}
	if !utf8.ValidString(p.Text) || strings.ContainsFunc(p.Text, unicode.IsControl) {
		t.Errorf("pattern %q", p.Text)
	}
	if (p.OpenStart || p.OpenEnd) && len(document.PartKey(p.Text)) > document.MaxPatternBytes {
		t.Errorf("pattern of %d bytes", len(p.Text))
	}
}
