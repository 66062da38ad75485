package text_test

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"litfass/pkg/ui/text"
	"litfass/pkg/ui/text/texttest"
)

// words are the texts of a service without messages of its own.
var words = text.Load(fstest.MapFS{})

func TestLanguagesSayTheSame(t *testing.T) { texttest.SameInAllLanguages(t, text.Formats()) }

func TestFormats(t *testing.T) {
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	for code, want := range map[string][]string{
		"en": {"Thursday, 5 March 2026", "Thu 5 Mar", "March 2026", "19:30", "€12.50", "DKK\u00a01,200", "-1,234,567"},
		"de": {"Donnerstag, 5. März 2026", "Do, 5. März", "März 2026", "19:30 Uhr", "12,50\u00a0€", "1.200\u00a0DKK", "-1.234.567"},
		"da": {"torsdag den 5. marts 2026", "tors. 5. mar.", "marts 2026", "kl. 19.30", "12,50\u00a0€", "1.200\u00a0kr.", "-1.234.567"},
	} {
		s := words.Of(code)
		got := []string{
			s.Day(day), s.ShortDay(day), s.Month(day), s.Clock("19:30"), s.Money(12.5, "EUR"), s.Money(1200, "DKK"), s.Integer(-1234567),
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}
