package mail_test

import (
	"strings"
	"testing"

	"litfass/services/admin/internal/platform/mail"
)

func TestNormalizeAddress(t *testing.T) {
	t.Parallel()
	for address, normal := range map[string]string{
		"a.b+c_d@sub.example.org": "a.b+c_d@sub.example.org",
		"anna@MÜLLER.example":     "anna@xn--mller-kva.example",
		"o'neil@example.org":      "o'neil@example.org",
		"anna@localhost":          "anna@localhost",
		"anna@4711.example":       "anna@4711.example",
		"anna@ｅｘａｍｐｌｅ.org":        "anna@example.org",        // of full width
		"anna@exam\u00ADple.org":  "anna@example.org",        // an invisible hyphen
		"anna@ex\u0430mple.org":   "anna@xn--exmple-4nf.org", // a Cyrillic letter names another domain
	} {
		if got, ok := mail.NormalizeAddress(address); !ok || got != normal {
			t.Errorf("%s: %s, %t", address, got, ok)
		}
	}
	for _, address := range []string{
		"\u212Aarl@example.org", "\u0430nna@example.org", "anna\u0130@example.org", "anna\u200b@example.org", "anna@example.org.",
		"anna@example..org", "anna@[192.0.2.1]", "anna@@example.org", "anna.@example.org", "anna@192.0.2.1", "anna@example.123",
		strings.Repeat("a", 65) + "@example.org", "anna@" + strings.Repeat("e", 64) + ".org",
	} {
		if got, ok := mail.NormalizeAddress(address); ok {
			t.Errorf("%q was taken for %q", address, got)
		}
	}
}
