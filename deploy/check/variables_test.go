package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var serviceNames = []string{"admin", "projector", "query"}

var tag = regexp.MustCompile("`env:\"([A-Z][A-Z0-9_]*)")

// knownVariables returns the environment variables that a service reads: those
// of its own configuration and of the packages it shares.
func knownVariables(t *testing.T, service string) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, root := range []string{filepath.Join("..", "..", "services", service), filepath.Join("..", "..", "pkg")} {
		err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			for _, match := range tag.FindAllSubmatch(content, -1) {
				known[string(match[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return known
}

// checkVariables refuses a variable that the service would never read: most
// likely its name is mistyped.
func checkVariables(t *testing.T, service string, variables []string) {
	t.Helper()
	known := knownVariables(t, service)
	for _, variable := range variables {
		if !known[variable] {
			t.Errorf("%s does not read the variable %s", service, variable)
		}
	}
}
