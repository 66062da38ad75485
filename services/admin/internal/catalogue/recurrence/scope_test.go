package recurrence

import (
	"strings"
	"testing"
)

// The dates of two rules and one of none, in no order; b2 was moved to another day, which Original
// does not show.
var scopeDates = []Date{
	{"a3", "a", "2026-11-17T20:00"},
	{"b1", "b", "2026-11-03"},
	{"a1", "a", "2026-11-03T20:00"},
	{"single", "", ""},
	{"a2", "a", "2026-11-10T20:00"},
	{"other", "", ""},
	{"a2-late", "a", "2026-11-10T22:30"},
	{"b2", "b", "2026-11-10"},
}

func TestAffected(t *testing.T) {
	tests := []struct {
		chosen string
		scope  Scope
		want   string
	}{
		{"a2", This, "a2"},
		{"a2", Following, "a3 a2 a2-late"},
		{"a2-late", Following, "a3 a2-late"},
		{"a3", Following, "a3"},
		{"a1", Following, "a3 a1 a2 a2-late"},
		{"a2", All, "a3 a1 a2 a2-late"},
		{"b2", Following, "b2"},
		{"b2", All, "b1 b2"},
		{"single", This, "single"},
		{"single", All, "single"},
		{"single", Following, "single"},
	}
	for _, test := range tests {
		var got []string
		for _, date := range Affected(scopeDates, dateOf(t, test.chosen), test.scope) {
			got = append(got, date.UUID)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %s: got %v, want %s", test.scope, test.chosen, got, test.want)
		}
	}
}

func TestReadScope(t *testing.T) {
	tests := []struct {
		text, chosen string
		want         Scope
		refused      bool
	}{
		{"", "a1", This, false},
		{"", "single", This, false},
		{"this", "single", This, false},
		{"following", "a1", Following, false},
		{"all", "a1", All, false},
		{"following", "single", "", true},
		{"all", "single", "", true},
		{"ALL", "a1", "", true},
		{"none", "a1", "", true},
	}
	for _, test := range tests {
		got, err := ReadScope(test.text, dateOf(t, test.chosen))
		if test.refused {
			checkFields(t, err, "scope")
		} else if err != nil || got != test.want {
			t.Errorf("%q of %s: %q, %v; want %q", test.text, test.chosen, got, err, test.want)
		}
	}
}

func dateOf(t *testing.T, uuid string) Date {
	t.Helper()
	for _, date := range scopeDates {
		if date.UUID == uuid {
			return date
		}
	}
	t.Fatalf("no date %s", uuid)
	return Date{}
}
