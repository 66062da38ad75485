package cache

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

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
