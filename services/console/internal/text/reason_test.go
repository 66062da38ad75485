package text

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// literal finds the reasons in the source of the admin service: text that says what a field is.
var literal = regexp.MustCompile(`"((?:must|is|has|holds|lies|names|cannot) [^"\\]+)"`)

// verb is what a format varies.
var verb = regexp.MustCompile(`%[.\d]*[a-zU]`)

// frequent is how often the source gives a reason that has to be in the table.
const frequent = 3

// untranslated are frequent reasons that people cannot cause with a form.
var untranslated = map[string]bool{
	"must be a UUIDv7": true, "is not chosen by the client": true,
}

// given counts the reasons in the source of the admin service, with 1 for what varies.
func given(t *testing.T) map[string]int {
	t.Helper()
	count := map[string]int{}
	for _, folder := range []string{"../../../admin/internal", "../../../../pkg"} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			for _, match := range literal.FindAllSubmatch(content, -1) {
				count[verb.ReplaceAllString(string(match[1]), "1")]++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return count
}

func TestFrequentReasonsAreTranslated(t *testing.T) {
	german := Of("de")
	for found, times := range given(t) {
		if _, marked := English(Reason(german, found)); marked && times >= frequent && !untranslated[found] {
			t.Errorf("the admin service says %q in %d places, and no message says it in other languages", found, times)
		}
	}
}

// TestReasonsAreThoseOfTheService: each pattern is what the source says somewhere.
func TestReasonsAreThoseOfTheService(t *testing.T) {
	said := given(t)
	for _, known := range reasons {
		found := false
		for text := range said {
			found = found || known.whole.MatchString(text) || strings.HasSuffix(text, " ") && known.whole.MatchString(text+"1 characters")
		}
		if !found {
			t.Errorf("the admin service never says %s", known.whole)
		}
	}
}

func TestReasons(t *testing.T) {
	for _, c := range []struct{ code, given, want string }{
		{"de", "is required", "Bitte ausfüllen."},
		{"de", "has more than 200 characters", "Höchstens 200 Zeichen."},
		{"de", "has 900 characters, more than 500", "Höchstens 500 Zeichen."},
		{"da", "is not between 0 and 120", "Skal være mellem 0 og 120."},
		{"en", "must have at least 12 characters", "At least 12 characters."},
		{"en", "is quite unheard of", "is quite unheard of"},
		{"de", "is quite unheard of", marker + "is quite unheard of"},
		{"de", "<b>has more than</b>", marker + "<b>has more than</b>"},
	} {
		if got := Reason(Of(c.code), c.given); got != c.want {
			t.Errorf("%s: %q is %q, want %q", c.code, c.given, got, c.want)
		}
	}
	if got := Refusal(Of("da"), "wrong_password", "the password is wrong"); got != "Adgangskoden er forkert." {
		t.Errorf("got %q", got)
	}
}
