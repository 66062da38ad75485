package search

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/params"
)

// What an answer depends on takes memory, too: the venues of a circle, or words with the forms in
// which they may be found.
func TestSizeCountsWhatAnAnswerDependsOn(t *testing.T) {
	venues := make([]string, 2000)
	for i := range venues {
		venues[i] = fmt.Sprintf("01930000-0000-7000-8000-%012d", i)
	}
	words := strings.Repeat("konzertabend ", 10)
	for what, question := range map[string]func() *listing{
		"venues": func() *listing {
			expr := filter.Simplify(filter.Dates(params.Query{}, filter.Places{Limited: true, Venues: venues}))
			compiled, _ := filter.Compile(expr)
			return &listing{found: page{expr: expr, filter: compiled}.found()}
		},
		"words": func() *listing { return &listing{found: page{words: words}.found()} },
	} {
		const answers = 200
		kept := make([]*listing, answers)
		before := heap()
		counted := 0
		for i := range kept {
			kept[i] = question()
			counted += kept[i].Size()
		}
		held := heap() - before
		runtime.KeepAlive(kept)
		if counted < held*8/10 || counted > 2*held {
			t.Errorf("%s: %d bytes are counted of %d", what, counted/answers, held/answers)
		}
	}
}

// heap returns how many bytes are in use.
func heap() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
