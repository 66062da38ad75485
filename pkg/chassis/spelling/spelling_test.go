package spelling_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"litfass/pkg/chassis/spelling"
)

func TestUnknown(t *testing.T) {
	for name, want := range map[string]string{
		"limt": "is not known; did you mean limit?", "LIMIT": "is not known; did you mean limit?",
		"ofsfet": "is not known; did you mean offset?", "ab": "is not known", "": "is not known", "starting": "is not known",
		"\xff": "is not known", strings.Repeat("limit", 20_000): "is not known",
	} {
		if got := spelling.Unknown(name, []string{"start", "offset", "limit"}); got.String() != want {
			t.Errorf("%.20q: %s, want %s", name, got, want)
		}
	}
	if got := spelling.Unknown("aa", []string{"ac", "ab"}); !strings.HasSuffix(got.String(), "mean ab?") {
		t.Errorf("of two that are equally near: %s", got)
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short", strings.Repeat("ä", 60): strings.Repeat("ä", 60),
		strings.Repeat("ä", 61): strings.Repeat("ä", 60) + "…", "a\xffb": "a" + string(utf8.RuneError) + "b",
	} {
		if got := spelling.Shorten(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}
