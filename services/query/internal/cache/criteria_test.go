package cache

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"litfass/pkg/contracts/applied"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// TestSizeCountsWhatAnAnswerDependsOn: the venues of a circle, or the forms of words, take memory,
// too.
func TestSizeCountsWhatAnAnswerDependsOn(t *testing.T) {
	venues := make([]string, 2000)
	for i := range venues {
		venues[i] = fmt.Sprintf("01930000-0000-7000-8000-%012d", i)
	}
	words := strings.Repeat("konzertabend ", 10)
	for what, question := range map[string]func() *Page{
		"venues": func() *Page {
			expr := filter.Simplify(filter.Dates(params.Query{}, filter.Places{Limited: true, Venues: venues}))
			compiled, _ := filter.Compile(expr)
			return &Page{Criteria: NewCriteria(expr, compiled, "")}
		},
		"words": func() *Page { return &Page{Criteria: NewCriteria(nil, "", words)} },
	} {
		const answers = 200
		cached := make([]*Page, answers)
		before := heap()
		counted := 0
		for i := range cached {
			cached[i] = question()
			counted += cached[i].Size()
		}
		held := heap() - before
		runtime.KeepAlive(cached)
		if counted < held*8/10 || counted > 2*held {
			t.Errorf("%s: %d bytes are counted of %d", what, counted/answers, held/answers)
		}
	}
}

// heap returns the bytes in use.
func heap() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// TestWordsAreCertainlyFoundAsTheyAre: only a document that has each word itself is certainly
// found.
func TestWordsAreCertainlyFoundAsTheyAre(t *testing.T) {
	t.Parallel()
	document := decoder{}.document(applied.Attributes{
		"title_words": []byte(`"café konzertsaal"`), "text_words": []byte(`"jazz abend"`), "tag_words": []byte(`"bøker"`), "venue_uuid": []byte(`"kiel"`),
	})
	every := filter.Simplify(filter.Dates(params.Query{}, filter.Places{}))
	for search, want := range map[string][2]bool{
		"":                       {true, true},
		"jazz":                   {true, true},
		"cafe":                   {true, true},
		"café jazz":              {true, true},
		"saal":                   {true, false}, // a part of a word
		"jatzz":                  {true, false},
		"abent":                  {true, false}, // a typo
		"jazz saal":              {true, false},
		"jazzabend":              {true, false}, // two words
		"bker":                   {true, false}, // not the word of the document
		"bøker":                  {true, false}, // compared in ways that are not reproduced
		"kiel":                   {true, false}, // bøker may be any word
		strings.Repeat("a", 200): {true, false},
	} {
		c := NewCriteria(every, "", search)
		if got := [2]bool{c.mayFind(document), c.finds(document)}; got != want {
			t.Errorf("%q: %v, want %v", search, got, want)
		}
	}
	change := func(before, after string) *Change {
		return &NewBatch(applied.Batch{Dates: []applied.Date{{
			Before: applied.Attributes{"title_words": []byte(before)}, After: applied.Attributes{"title_words": []byte(after)},
		}}}, "", "").changes[0]
	}
	jazz := NewCriteria(every, "", "jazz")
	for want, c := range map[bool]*Change{true: change(`"jazz"`, `"ein jazz"`), false: change(`"jazz"`, `"jazzabend"`)} {
		if jazz.keepsFinding(c) != want || jazz.mayCount(c) == want || jazz.keepsRelevance(c) {
			t.Errorf("%+v: keeps finding is not %v", c, want)
		}
	}
}

// TestRelevanceOutlastsOtherWords: a date keeps its rank if the texts that changed have none of the
// words that are searched, nor a part of one whose other part the date has.
func TestRelevanceOutlastsOtherWords(t *testing.T) {
	t.Parallel()
	every := filter.Simplify(filter.Dates(params.Query{}, filter.Places{}))
	for _, test := range []struct {
		search, before, after string
		keeps                 bool
	}{
		{"jazz", "ein abend", "zwei tage", true},
		{"jazz", "ein abend", "ein jazz", false},
		{"jazz", "ein jazz", "ein abend", false},
		{"jazz", "jazz am abend", "am abend jazz", false}, // at another place
		{"jazz", "ein abend", "jazzabend", false},
		{"konzert", "ein abend", "konzrt", false}, // with a typo
		{"haus abend", "musik", "hausabend", false},
		{"hausmusik", "ein abend", "ein haus", false}, // the title has the other part
		{"hausmusik", "ein abend", "ein hut", true},
		{"hausabend", "ein abend", "ein tag", true}, // nothing has the other part
		{"jazz", "ein abend", "bøker", false},       // compared in ways that are not reproduced
	} {
		at := func(text string) applied.Attributes {
			return applied.Attributes{"title_words": []byte(`"musik"`), "text_words": []byte(`"` + text + `"`), "tag_words": []byte(`"jazz"`)}
		}
		c := NewBatch(applied.Batch{Dates: []applied.Date{{Before: at(test.before), After: at(test.after)}}}, "", "").changes[0]
		if keeps := NewCriteria(every, "", test.search).keepsRelevance(&c); keeps != test.keeps {
			t.Errorf("%q from %q to %q: keeps its rank is %v", test.search, test.before, test.after, keeps)
		}
	}
}
