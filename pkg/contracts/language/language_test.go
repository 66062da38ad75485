package language

import "testing"

func TestNearest(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "de", "DA": "da", "de-DE": "de", "de-Latn-AT-1996": "de", "EN-gb": "en",
		"": "en", "fr": "en", "deu": "en", "-de": "en", "de_DE": "en", "d": "en",
	} {
		if got := Nearest(tag); got != want {
			t.Errorf("%q: got %s, want %s", tag, got, want)
		}
	}
	for _, code := range Codes {
		if Nearest(code) != code {
			t.Errorf("%s is not its own nearest", code)
		}
	}
}
