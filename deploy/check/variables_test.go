package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var serviceNames = []string{"admin", "projector", "query", "site", "console"}

var tag = regexp.MustCompile("`env:\"([A-Z][A-Z0-9_]*)[^\"]*\"(?: envDefault:\"([^\"]*)\")?")

// variables returns the environment variables of a service's own configuration and of the shared
// packages, with their defaults.
func variables(t *testing.T, service string) map[string]string {
	t.Helper()
	known := map[string]string{}
	for _, root := range []string{filepath.Join("..", "..", "services", service), filepath.Join("..", "..", "pkg")} {
		eachSource(t, root, func(_ string, content []byte) {
			for _, match := range tag.FindAllSubmatch(content, -1) {
				known[string(match[1])] = string(match[2])
			}
		})
	}
	return known
}

// eachSource calls fn with every source file below a folder, except tests.
func eachSource(t *testing.T, root string, fn func(path string, content []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		fn(path, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkVariables fails for a variable that the service does not read, most likely a mistyped one.
func checkVariables(t *testing.T, service string, names []string) {
	t.Helper()
	known := variables(t, service)
	for _, name := range names {
		if _, reads := known[name]; !reads {
			t.Errorf("%s does not read the variable %s", service, name)
		}
	}
}
