package invisible_test

import (
	"testing"

	"litfass/services/admin/internal/platform/invisible"
)

func TestInName(t *testing.T) {
	for name, hidden := range map[string]rune{
		"Kulturhaus Nord e.V.": 0, "Søren Ærø": 0, "שלום": 0, "می\u200cخواهم": 0, "👩\u200d🎨": 0, "\u0600": 0, "☕\ufe0f": 0,
		"Kultur\u200bhaus": '\u200b', "a\u202eb": '\u202e', "\u2066a\u2069": '\u2066', "\ufeffa": '\ufeff', "so\u00adft": '\u00ad',
		"a\u2060b": '\u2060', "\u3164": '\u3164', "a\U000e0041": '\U000e0041', "\u200f": '\u200f', "\u061c": '\u061c',
	} {
		if got, found := invisible.InName(name); got != hidden || found != (hidden != 0) {
			t.Errorf("%q holds %U, want %U", name, got, hidden)
		}
	}
}

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{
		" Jazz\n": "Jazz", "": "", " \u00a0\u3000\t\n": "", "\u200b": "", "\u2060\u00ad \ufeff\u3164\u2800\ufe0f": "", "\u200d": "",
		"\u200bx\u200b": "\u200bx\u200b", ".": ".", "☕\ufe0f": "☕\ufe0f", "\u0600": "\u0600",
	} {
		if got := invisible.Trim(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestRemove(t *testing.T) {
	if got := invisible.Remove("\u200bKul\u200dtur\u00adhaus\u202e ☕"); got != "Kulturhaus ☕" {
		t.Errorf("became %q", got)
	}
}
