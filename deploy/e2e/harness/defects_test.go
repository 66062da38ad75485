package harness

import "testing"

func TestDefectsAreSeen(t *testing.T) {
	for log, want := range map[string]bool{
		"level=INFO msg=listening\n==================\nWARNING: DATA RACE\nWrite at 0x1": true,
		"level=INFO msg=listening\npanic: assignment to entry in nil map\n":              true,
		"fatal error: concurrent map writes\n":                                           true,
		"level=WARN msg=\"panic: recovered\"\nPANIC:  could not write\n":                 false,
	} {
		if defect.MatchString(log) != want {
			t.Errorf("%q: found %t", log, !want)
		}
	}
}
