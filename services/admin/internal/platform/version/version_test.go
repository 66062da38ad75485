package version

import (
	"testing"

	"litfass/pkg/chassis/fault"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		header string
		want   bool
	}{
		{"", true},
		{"  ", true},
		{"*", true},
		{`"3"`, true},
		{`W/"3"`, true},
		{`"2", "3"`, true},
		{`"2"`, false},
		{"3", false},
		{`"03"`, false},
		{`"2","4"`, false},
	}
	for _, test := range tests {
		err := Parse(test.header).Check("member", 3)
		if (err == nil) != test.want || err != nil && !fault.Is(err, fault.Stale) {
			t.Errorf("If-Match %s: %v", test.header, err)
		}
	}
}
