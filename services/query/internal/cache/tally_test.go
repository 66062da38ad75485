package cache

import (
	"encoding/json"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestTheFirstDateIsCounted: the engine omits attributes that no date has.
func TestTheFirstDateIsCounted(t *testing.T) {
	t.Parallel()
	every := NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", "")
	empty := &Tally{Criteria: every, Version: knownVersion("1"), Facets: []Facet{
		{Criteria: every, Attributes: []string{"genre_ids"}, Counts: make([]map[string]int, 1)},
		{Criteria: every, Attributes: []string{"type_ids"}, Counts: make([]map[string]int, 1)},
	}}
	batch := NewBatch(applied.Batch{Dates: []applied.Date{{ID: "d", After: applied.Attributes{
		"genre_ids": json.RawMessage(`[7]`), "type_ids": json.RawMessage(`[1,2]`),
	}}}}, "1", "2")
	next, _ := empty.Apply(batch)
	patched, ok := next.(*Tally)
	if !ok || patched.Total != 1 || empty.Total != 0 {
		t.Fatalf("%+v", patched)
	}
	genres, types := patched.Facets[0].Counts[0], patched.Facets[1].Counts[0]
	if genres["7"] != 1 || types["1"] != 1 || types["2"] != 1 {
		t.Errorf("%+v", patched)
	}
}

// TestNamesAreExchanged: a tally that shows the name of a record follows it, and only that.
func TestNamesAreExchanged(t *testing.T) {
	t.Parallel()
	every := NewCriteria(filter.Simplify(filter.Dates(params.Query{}, filter.Places{})), "", "")
	tally := &Tally{Criteria: every, Total: 1, Facets: []Facet{{
		Criteria: every, Attributes: []string{"venue_uuid"}, Counts: []map[string]int{{"v": 1}},
		Records: "venues", Labels: map[string]string{"v": "Halle"},
	}}}
	named := func(id, name string) applied.Batch {
		return applied.Batch{Records: map[string][]string{"venues": {id}}, Names: map[string]map[string]string{"venues": {id: name}}}
	}
	unnamed := named("v", "")
	unnamed.Names = nil
	for _, test := range []struct {
		what   string
		batch  applied.Batch
		name   string
		reason Reason
	}{
		{"a new name", named("v", "Saal"), "Saal", Patched},
		{"the same name", named("v", "Halle"), "Halle", ""},
		{"another venue", named("w", "Saal"), "Halle", ""},
		{"a name that is not sent", unnamed, "", Written},
		{"an organization", applied.Batch{Records: map[string][]string{"organizations": {"v"}}}, "Halle", ""},
		{"a translated name", named("v", "Saal"), "", Written},
	} {
		tally.Facets[0].Translated = test.what == "a translated name"
		for _, version := range []string{"", "1", "2"} {
			tally.Version = knownVersion(version)
			next, reason := tally.Apply(NewBatch(test.batch, "1", "2"))
			if reason != test.reason || (next == nil) != (test.reason == Written) {
				t.Errorf("%s: %v, %q; want %q", test.what, next, reason, test.reason)
			}
			if counted, ok := next.(*Tally); ok && counted.Facets[0].Labels["v"] != test.name {
				t.Errorf("%s: %+v; want %s", test.what, counted.Facets[0].Labels, test.name)
			}
		}
	}
	if name := tally.Facets[0].Labels["v"]; name != "Halle" {
		t.Errorf("the tally itself is changed to %s", name)
	}
}

// TestEventsAreCountedByAllTheirDates: an event counts as long as one of its dates is found.
func TestEventsAreCountedByAllTheirDates(t *testing.T) {
	t.Parallel()
	free := NewCriteria(filter.Simplify(filter.Dates(params.Query{PriceTypes: []string{"free"}}, filter.Places{})), "", "")
	at := func(price, city string, more ...string) applied.Attributes {
		attributes := applied.Attributes{
			"uuid": json.RawMessage(`"e"`), "price_type": json.RawMessage(`"` + price + `"`), "city_spelling": json.RawMessage(`"` + city + `"`),
		}
		for _, name := range more {
			attributes[name] = json.RawMessage(`["city_spelling"]`)
		}
		return attributes
	}
	stays := applied.Date{ID: "stays", Before: at("free", "Kiel"), After: at("free", "Kiel")}
	goes := applied.Date{ID: "goes", Before: at("free", "Kiel")}
	dear := applied.Date{ID: "dear", Before: at("free", "Kiel"), After: at("regular_price", "Kiel")}
	for _, test := range []struct {
		what   string
		facet  Facet
		dates  []applied.Date
		parts  bool // the signal does not have all dates of the event
		total  int
		kiel   int
		reason Reason
	}{
		{what: "another date stays", dates: []applied.Date{goes, stays}, total: 5, kiel: 3},
		{what: "the last date goes", dates: []applied.Date{goes, dear}, total: 4, kiel: 2, reason: Patched},
		{what: "a date moves to another city", dates: []applied.Date{stays, {ID: "moves", Before: at("free", "Kiel"), After: at("free", "Husum")}}, total: 5, kiel: 3, reason: Patched},
		{what: "dates that are not known", dates: []applied.Date{goes}, parts: true, reason: Counted},
		{
			what: "a new spelling among varying ones", facet: Facet{Merges: true}, reason: Counted,
			dates: []applied.Date{stays, {ID: "moves", Before: at("free", "Kiel"), After: at("free", "KIEL", "varies_in")}},
		},
		{
			what: "a spelling of dates that do not vary", facet: Facet{Merges: true}, total: 5, kiel: 2, reason: Patched,
			dates: []applied.Date{{ID: "moves", Before: at("free", "Kiel"), After: at("free", "KIEL")}},
		},
		{
			what: "a value without a name", facet: Facet{Records: "venues", Labels: map[string]string{"Kiel": "Kiel"}}, reason: Counted,
			dates: []applied.Date{{ID: "moves", Before: at("free", "Kiel"), After: at("free", "Husum")}},
		},
		{
			what: "values with names", facet: Facet{Records: "venues", Labels: map[string]string{"Kiel": "Kiel"}}, total: 4, kiel: 2, reason: Patched,
			dates: []applied.Date{goes},
		},
	} {
		f := test.facet
		f.Criteria, f.Attributes, f.Counts = free, []string{"city_spelling"}, []map[string]int{{"Kiel": 3}}
		tally := &Tally{Criteria: free, Total: 5, Grouped: true, Version: knownVersion("1"), Facets: []Facet{f}}
		next, reason := tally.Apply(NewBatch(applied.Batch{Dates: test.dates, Whole: !test.parts}, "1", "2"))
		if reason != test.reason || (next == nil) != (reason == Counted) {
			t.Errorf("%s: %v, %q; want %q", test.what, next, reason, test.reason)
		}
		if counted, ok := next.(*Tally); ok {
			if kiel := counted.Facets[0].Counts[0]["Kiel"]; counted.Total != test.total || kiel != test.kiel || counted.Version.known(counted.passed) != "2" {
				t.Errorf("%s: %d, %d in Kiel, version %s; want %d, %d", test.what, counted.Total, kiel, counted.Version.known(counted.passed), test.total, test.kiel)
			}
		}
		if tally.Total != 5 || tally.Facets[0].Counts[0]["Kiel"] != 3 {
			t.Errorf("%s: the tally itself is changed: %+v", test.what, tally)
		}
	}
}

// TestACountBetweenBatchesBecomesKnown: a count of one of several versions is right for all of them
// if no batch between them changes it, and follows the batches after them.
func TestACountBetweenBatchesBecomesKnown(t *testing.T) {
	t.Parallel()
	free := NewCriteria(filter.Simplify(filter.Dates(params.Query{PriceTypes: []string{"free"}}, filter.Places{})), "", "")
	price := func(price string) applied.Attributes {
		return applied.Attributes{"uuid": json.RawMessage(`"e"`), "price_type": json.RawMessage(`"` + price + `"`)}
	}
	other := func(before, after string) *Batch {
		return NewBatch(applied.Batch{Dates: []applied.Date{{ID: "other", Before: price("pass"), After: price("regular_price")}}}, before, after)
	}
	found := func(before, after string) *Batch {
		return NewBatch(applied.Batch{Dates: []applied.Date{{ID: "found", After: price("free")}}}, before, after)
	}
	for _, test := range []struct {
		what    string
		after   string // the version that the index had after the count; "" when it was not read
		batches []*Batch
		total   int // 0: invalidated
	}{
		{"no batch meanwhile", "1", []*Batch{found("1", "2")}, 6},
		{"another version after it", "2", []*Batch{found("1", "2")}, 0},
		{"a batch of other dates meanwhile", "2", []*Batch{other("1", "2"), found("2", "3")}, 6},
		{"two batches of other dates meanwhile", "3", []*Batch{other("1", "2"), other("2", "3"), found("3", "4")}, 6},
		{"a batch of other dates after it", "1", []*Batch{other("1", "2"), found("2", "3")}, 6},
		{"a version that no batch has", "x", []*Batch{other("1", "2"), found("2", "3")}, 0},
		{"no version after it", "", []*Batch{other("1", "2"), found("2", "3")}, 0},
		{"a batch without a version", "2", []*Batch{other("1", "2"), other("2", ""), found("", "4")}, 0},
		{"an older batch", "1", []*Batch{other("x", "y"), found("1", "2")}, 6},
		{"older batches that it has", "3", []*Batch{other("y", "1"), other("1", "2"), found("2", "3")}, 0},
		{"a batch that it has", "2", []*Batch{other("1", "2"), other("2", "3")}, 5},
	} {
		for _, late := range []bool{false, true} {
			version := NewIndexVersion("1")
			confirm := func() {
				if test.after != "" {
					version.Confirm(test.after)
				}
			}
			if !late {
				confirm()
			}
			answer := Answer(&Tally{Criteria: free, Total: 5, Version: version})
			for i, batch := range test.batches {
				if late && i == len(test.batches)-1 {
					confirm()
				}
				if answer, _ = answer.Apply(batch); answer == nil {
					break
				}
			}
			total := 0
			if counted, ok := answer.(*Tally); ok {
				total = counted.Total
			}
			if total != test.total {
				t.Errorf("%s, late %t: %d, want %d", test.what, late, total, test.total)
			}
		}
	}
}
