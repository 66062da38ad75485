package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// These tests check the behaviour of the engine that the rest of Litfass relies on.

// titled returns a date with a title only.
func titled(t *testing.T, title string) document.Date {
	t.Helper()
	date := document.Date{
		TitleWords: document.Words(title), TitleKey: document.TextKeys(title), TitleEnd: document.Texts{document.TextEnd(title)},
		TypeIDs: []int{}, GenreIDs: []int{}, TagKeys: []string{}, AccessibilityBits: []int{}, VisitorBits: []int{},
	}
	date.Show(publicapi.Entry{DateUUID: newUUID(t), Title: title})
	return date
}

func titles(t *testing.T, c *index.Client, filter string) []string {
	t.Helper()
	perPage := int64(1000)
	answer := search(t, c, document.Dates, "", &meilisearch.SearchRequest{
		Filter: filter, HitsPerPage: &perPage, AttributesToRetrieve: document.EntryAttributes,
	})
	found := make([]string, len(answer.Hits))
	for i, hit := range answer.Hits {
		var date document.Date
		if err := hit.DecodeInto(&date); err != nil {
			t.Fatal(err)
		}
		found[i] = date.Entry.Value.Title
	}
	if int(answer.TotalHits) != len(found) {
		t.Errorf("%s: total %d of %d", filter, answer.TotalHits, len(found))
	}
	return sorted(found)
}

func TestTextKeysSurviveTheEngine(t *testing.T) {
	c := indextest.New(t)
	texts := []string{
		"Café", "Cafe", "CAFÉ BAR", "caf", "*stars*", `back\slash`, `"quoted" 'text'`, "🎷 Jazz", "Straße", "ﬁn",
		" leading", "x\u0000y", "E\u0301toile", "１２", "\U000F0041private", "日本語", strings.Repeat("Größe 🎷 ", 250), strings.Repeat("a ", 227),
	}
	var documents []any
	for _, text := range texts {
		documents = append(documents, titled(t, text))
	}
	add(t, c, document.Dates, documents...)
	folded := func(keep func(text string) bool) []string {
		found := []string{}
		for _, text := range texts {
			if keep(document.Fold(text)) {
				found = append(found, text)
			}
		}
		return sorted(found)
	}
	patterns := []string{"café", "CAFE", "caf", "*", "\\", `"`, "🎷", "ss", "SSE", " ", "l", "é", "e\u0301", "1", "１", "本", "größe 🎷 größe", "\U000F0041", "\u0000", "a a a"}
	for _, p := range patterns {
		fold := document.Fold(p)
		if strings.Contains(p, "\U000F0041") {
			continue // a private-use rune is kept as "unknown", which only its own text's keys hold
		}
		for filter, keep := range map[string]func(string) bool{
			fmt.Sprintf(`title_key = "%s"`, document.ExactKey(p)):           func(s string) bool { return s == fold },
			fmt.Sprintf(`title_key STARTS WITH "%s"`, document.StartKey(p)): func(s string) bool { return strings.HasPrefix(s, fold) },
			fmt.Sprintf(`title_end STARTS WITH "%s"`, document.EndKey(p)):   func(s string) bool { return strings.HasSuffix(s, fold) },
			fmt.Sprintf(`title_key CONTAINS "%s"`, document.PartKey(p)):     func(s string) bool { return strings.Contains(s, fold) },
			fmt.Sprintf(`NOT title_key CONTAINS "%s"`, document.PartKey(p)): func(s string) bool { return !strings.Contains(s, fold) },
			fmt.Sprintf(`title_key IN ["%s", "x"]`, document.ExactKey(p)):   func(s string) bool { return s == fold },
		} {
			if got, want := titles(t, c, filter), folded(keep); !slices.Equal(got, want) {
				t.Errorf("%s\n got %.60q\nwant %.60q", filter, got, want)
			}
		}
	}
	long := texts[len(texts)-2]
	if got := titles(t, c, fmt.Sprintf(`title_key = "%s"`, document.ExactKey(long))); !slices.Equal(got, []string{long}) {
		t.Errorf("a title of %d bytes is not found by itself: %.60q", len(long), got)
	}
}

func TestNumbersAndAbsence(t *testing.T) {
	c := indextest.New(t)
	price := func(p float64) *float64 { return &p }
	minute := 1170
	evening := titled(t, "evening")
	evening.StartKey, evening.StartMinute, evening.MinPrice = 202611201930, &minute, price(12.5)
	allDay := titled(t, "all day")
	allDay.StartKey, allDay.MinPrice = 202611200000, price(0)
	next := titled(t, "next")
	next.StartKey, next.AccessibilityBits = 202611201931, []int{0, 47, 63}
	add(t, c, document.Dates, evening, allDay, next)
	for filter, want := range map[string][]string{
		`start_key = 202611201930`:                           {"evening"},
		`start_key > 202611201930`:                           {"next"},
		`start_key >= 202611201930`:                          {"evening", "next"},
		`start_key 202611200000 TO 202611201930`:             {"all day", "evening"},
		`start_minute IS NULL OR start_minute NOT EXISTS`:    {"all day", "next"},
		`start_minute EXISTS`:                                {"evening"},
		`NOT start_minute >= 0`:                              {"all day", "next"},
		`min_price <= 12.5`:                                  {"all day", "evening"},
		`min_price <= 12.49`:                                 {"all day"},
		`accessibility_bits = 63 AND accessibility_bits = 0`: {"next"},
		`accessibility_bits IS EMPTY`:                        {"all day", "evening"},
		`accessibility_bits IN [47, 48]`:                     {"next"},
		`city_key NOT EXISTS`:                                {"all day", "evening", "next"},
	} {
		if got := titles(t, c, filter); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
	}
	last := max(evening.DateUUID, allDay.DateUUID, next.DateUUID)
	if got := titles(t, c, fmt.Sprintf(`date_uuid >= "%s"`, last)); len(got) != 1 {
		t.Errorf("date_uuid >= the last: %q", got)
	}
	if got := titles(t, c, fmt.Sprintf(`date_uuid > "%s"`, last)); len(got) != 0 {
		t.Errorf("date_uuid > the last: %q", got)
	}
}

// Without a sort, relevance comes first, then start and uuid; a sort comes before relevance.
func TestRelevanceThenStart(t *testing.T) {
	c := indextest.New(t)
	dates := make([]document.Date, 4)
	for i := range dates {
		dates[i] = titled(t, "Jazz")
		dates[i].StartKey = int64(202611201930 - i/2) // two pairs of equal start
	}
	dates[0].TitleWords, dates[0].TextWords = "concert", "jazz"
	add(t, c, document.Dates, dates[3], dates[0], dates[2], dates[1])
	order := func(query string, sort ...string) []string {
		return ids(t, search(t, c, document.Dates, query, &meilisearch.SearchRequest{Sort: sort}).Hits, "date_uuid")
	}
	id := func(i ...int) (ids []string) {
		for _, i := range i {
			ids = append(ids, dates[i].DateUUID)
		}
		return ids
	}
	for name, pair := range map[string][2][]string{
		"by words":          {order("jazz"), id(2, 3, 1, 0)},
		"by words and sort": {order("jazz", "start_key:asc", "date_uuid:asc"), id(2, 3, 0, 1)},
		"without words":     {order(""), id(2, 3, 0, 1)},
		"descending":        {order("", "start_key:desc", "date_uuid:desc"), id(1, 0, 3, 2)},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: got %v, want %v", name, pair[0], pair[1])
		}
	}
}

func TestTotalsAndFacetsAreNotCut(t *testing.T) {
	c := indextest.New(t)
	const n = 1500
	var documents []any
	for i := range n {
		d := titled(t, "x")
		d.GenreIDs, d.TypeIDs = []int{i, 5000}, []int{i % 2}
		documents = append(documents, d)
	}
	add(t, c, document.Dates, documents...)
	perPage := int64(7)
	answer := search(t, c, document.Dates, "", &meilisearch.SearchRequest{HitsPerPage: &perPage, Page: 200, Facets: []string{"genre_ids", "type_ids"}})
	if answer.TotalHits != n || len(answer.Hits) != 7 {
		t.Errorf("total %d, %d hits on the page", answer.TotalHits, len(answer.Hits))
	}
	facets := string(answer.FacetDistribution)
	if values := strings.Count(facets, ":"); values != n+1+2+2 || !strings.Contains(facets, `"5000":1500`) || !strings.Contains(facets, `"1":750`) {
		t.Errorf("%d values: %.200s", values, facets)
	}
}

func TestIndexesWithoutSearchableAttributesFindNothingByWords(t *testing.T) {
	c := indextest.New(t)
	add(t, c, document.Events, document.Event{Record: document.Record[publicapi.Event]{ID: "e", View: &document.Encoded[publicapi.Event]{Value: publicapi.Event{Title: "jazz"}}}})
	if hits := search(t, c, document.Events, "jazz", &meilisearch.SearchRequest{}).Hits; len(hits) != 0 {
		t.Errorf("found %d", len(hits))
	}
}
