package text

import "testing"

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		header    string
		preferred []string
		want      string
	}{
		{"da-DK, de;q=0.8", nil, "da"},
		{"fr, de-AT;q=0.5", nil, "de"},
		{"fr", nil, "en"},
		{"", nil, "en"},
		{"da", []string{"", "de"}, "de"},
		{"da", []string{"xx", "EN"}, "da"},
		{"\xff;q=x", []string{"de-DE"}, "en"},
	} {
		if got := Match("", test.header, test.preferred...); got != test.want {
			t.Errorf("%q with %q: %s, want %s", test.header, test.preferred, got, test.want)
		}
	}
}

// TestMatchFallsBack: the fallback is for clients that name no language, or only unknown ones.
func TestMatchFallsBack(t *testing.T) {
	for header, want := range map[string]string{"": "da", "fr": "da", "\xff": "da", "*": "da", "en": "en", "fr, de;q=0.1": "de"} {
		if got := Match("da", header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}
