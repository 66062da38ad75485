package text

import (
	"testing"

	"litfass/pkg/ui/text/texttest"
)

func TestLanguagesSayTheSame(t *testing.T) { texttest.SameInAllLanguages(t, files) }

func TestEveryMessageThatIsUsedIsThere(t *testing.T) { texttest.UsedAreThere(t, files, "..") }

func TestPluralForms(t *testing.T) {
	if got := Of("xx").Count("further_dates", 1); got != "and 1 more date" {
		t.Errorf("an unknown language: %q", got)
	}
	if got := Of("de").Count("further_dates", 3); got != "und 3 weitere Termine" {
		t.Errorf("many: %q", got)
	}
}
