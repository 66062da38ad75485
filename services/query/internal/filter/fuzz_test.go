package filter

import (
	"regexp"
	"strings"
	"testing"

	"litfass/services/query/internal/params"
)

// condition is the only form that a part of a filter may have: a known word, an operator, and
// literals of digits, or of key characters between quotation marks.
var condition = regexp.MustCompile(`^[a-z_]+ (EXISTS|NOT EXISTS|` +
	`(=|<|<=|>|>=) ` + literals + `|[0-9]+ TO [0-9]+|` +
	`STARTS WITH ` + key + `|CONTAINS ` + key + `|` +
	`(NOT )?IN \[` + literals + `(,` + literals + `)+\])`)

const (
	key      = `"[a-zA-Z0-9_^$#\x{E000}-\x{E00F}\x{20000}-\x{10FFFF}-]*"`
	literals = `([0-9]+(\.[0-9]+)?|` + key + `)`
)

// FuzzCompile: for any request the filter consists of conditions, joined by words and balanced
// brackets.
func FuzzCompile(f *testing.F) {
	for _, test := range goldens {
		if len(test.in) < 300 {
			f.Add(test.in)
		}
	}
	for _, text := range []string{`" OR uuid EXISTS`, `\" OR uuid EXISTS`, `*' OR 1=1*`, "] OR title_key EXISTS", "\U000F0022", "x\u2028", "^$#"} {
		f.Add("title=" + text + "&tags=" + text + "&city=*" + text + "*")
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := params.Events.FromURL(raw, today)
		if err != nil {
			return
		}
		filter, found := Compile(Dates(q, Places{}))
		if !found {
			t.Fatalf("nothing can be found by %q", raw)
		}
		if rest := consume(filter); rest != "" {
			t.Errorf("filter %q of %q is no filter from %q on", filter, raw, rest)
		}
		if again, _ := Compile(Dates(q, Places{})); again != filter {
			t.Errorf("compiled again: %q, before: %q", again, filter)
		}
	})
}

// consume parses a filter and returns the rest that it could not parse.
func consume(filter string) (rest string) {
	depth := 0
	for filter != "" {
		for strings.HasPrefix(filter, "(") {
			filter, depth = filter[1:], depth+1
		}
		match := condition.FindString(filter)
		if match == "" {
			return filter
		}
		filter = filter[len(match):]
		for strings.HasPrefix(filter, ")") && depth > 0 {
			filter, depth = filter[1:], depth-1
		}
		if filter == "" {
			break
		}
		next, joined := strings.CutPrefix(filter, " AND ")
		if !joined {
			next, joined = strings.CutPrefix(filter, " OR ")
		}
		if !joined {
			return filter
		}
		filter = next
	}
	return strings.Repeat(")", depth)
}
