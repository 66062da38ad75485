package auth

import (
	"strings"
	"testing"
)

func TestPasswordProblem(t *testing.T) {
	const email = "anna.petersen@example.org"
	bad := map[string]string{
		"":                               "at least",
		"short":                          "at least",
		"elf Zeichen":                    "at least",
		"\u2460\u2461\u2462":             "at least",
		"\ufdfa":                         "at least", // one character that stands for 18
		"\u00bd\u00bd\u00bd\u00bd":       "at least",
		strings.Repeat("e\u0301", 6):     "at least", // 6 letters with an accent
		strings.Repeat("\u00e4", 12):     "common",
		strings.Repeat("\U0001f525", 20): "common",
		strings.Repeat("\u200b", 12):     "common",
		strings.Repeat("x", 1025):        "more than",
		"with a\x00 zero inside":         "control",
		"with a line\nbreak inside":      "control",
		"not \xff UTF-8 at all":          "control",
		"Anna.Petersen@Example.org":      "e-mail",
		"password1234":                   "common",
		"P@ssw0rd2026!":                  "common",
		"123456789012":                   "common",
		"qwertyuiop123":                  "common",
		"qwertzuiop12":                   "common",
		"1q2w3e4r5t6z":                   "common",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaa":    "common",
		"passwortpasswort":               "common",
		"Willkommen1234":                 "common",
		"adgangskode123":                 "common",
		"anna.petersen":                  "common",
		"abcdefghijklmn":                 "common",
		"iloveyou2026":                   "common",
		"Passw0rt!2026":                  "common",
		"Dezember2026!":                  "common",
		"ichliebedich1":                  "common",
		"Kulturhaus2026":                 "common",
		"Schalke04Schalke04":             "common",
		"berlinberlin12":                 "common",
		strings.Repeat("password", 100):  "common",
	}
	for password, reason := range bad {
		if got := PasswordProblem(password, email); got == nil || !strings.Contains(got.String(), reason) {
			t.Errorf("%.40q: %q, want something with %q", password, got, reason)
		}
	}
	for _, password := range []string{
		"correct horse battery", "Deich-Möwe-Kutter", "kaj ved havnen i regn", "another good password", "tRz7!kq0Vw2x", "一二三四五六七八九十零百",
		strings.Repeat("Ein ganzer Satz ist auch gut. ", 30), "<script>alert(1)</script>",
	} {
		if got := PasswordProblem(password, email); got != nil {
			t.Errorf("%.40q: %q", password, got)
		}
	}
}
