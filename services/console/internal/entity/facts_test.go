package entity

import "testing"

// TestFactsAreYesNoOrUnknown: a mask is unknown as a whole, or each of its facts is yes or no.
func TestFactsAreYesNoOrUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		form map[string][]string
		want any
	}{
		"nothing is known":            {map[string][]string{"f_state": {"unknown"}, "f_was": {"unknown"}}, nil},
		"the first fact":              {map[string][]string{"f_state": {"unknown"}, "f_was": {"unknown"}, "f": {"0", "4"}}, "17"},
		"none of them":                {map[string][]string{"f_state": {"known"}, "f_was": {"unknown"}}, "0"},
		"unknown again":               {map[string][]string{"f_state": {"unknown"}, "f_was": {"known"}, "f": {"4"}}, nil},
		"a fact without a name stays": {map[string][]string{"f_state": {"known"}, "f_was": {"known"}, "f_rest": {"1024"}, "f": {"0"}}, "1025"},
		"what is no bit":              {map[string][]string{"f_state": {"known"}, "f": {"-1", "64", "x"}, "f_rest": {"x"}}, "0"},
	} {
		if got := maskOf(test.form, "f"); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
