package text

import (
	"testing"

	"litfass/pkg/ui/text/texttest"
)

func TestLanguagesSayTheSame(t *testing.T) { texttest.SameInAllLanguages(t, files) }

func TestEveryMessageThatIsUsedIsThere(t *testing.T) { texttest.UsedAreThere(t, files, "..") }
