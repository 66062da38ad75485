package paging

import (
	"testing"

	"litfass/pkg/chassis/fault"
)

func TestParse(t *testing.T) {
	tests := []struct {
		limit, offset string
		want          Page
		bad           int
	}{
		{"", "", Page{50, 0}, 0},
		{"1", "0", Page{1, 0}, 0},
		{"200", "1000000", Page{200, 1_000_000}, 0},
		{"0", "-1", Page{50, 0}, 2},
		{"201", "1000001", Page{50, 0}, 2},
		{"+5", "1.5", Page{50, 0}, 2},
		{"ten", "99999999999999999999", Page{50, 0}, 2},
	}
	for _, test := range tests {
		var violations fault.Violations
		query := map[string]string{"limit": test.limit, "offset": test.offset}
		got := Parse(&violations, func(name string) string { return query[name] })
		if got != test.want || len(violations) != test.bad {
			t.Errorf("limit=%s offset=%s: %v, %v", test.limit, test.offset, got, violations)
		}
	}
}
