package check

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	selector   = regexp.MustCompile(`([^{};]+)\{`)
	className  = regexp.MustCompile(`\.(-?[a-zA-Z_][\w-]*)`)
)

// classes returns the class names that the style sheets below some folders select.
func classes(t *testing.T, folders ...string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, folder := range folders {
		root := filepath.Join("..", "..", filepath.FromSlash(folder))
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if err != nil || filepath.Ext(path) != ".css" {
				return err
			}
			content, err := os.ReadFile(path)
			for _, rule := range selector.FindAllStringSubmatch(cssComment.ReplaceAllString(string(content), ""), -1) {
				if strings.HasPrefix(strings.TrimSpace(rule[1]), "@") {
					continue
				}
				for _, class := range className.FindAllStringSubmatch(rule[1], -1) {
					found[class[1]] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// TestNoClassMeansTwoThings: a class that both site and console style is one of pkg/ui.
func TestNoClassMeansTwoThings(t *testing.T) {
	shared, site, console := classes(t, "pkg/ui/css"), classes(t, "services/site/assets"), classes(t, "services/console/assets")
	if len(shared) < 10 || len(site) < 50 || len(console) < 50 {
		t.Fatalf("found %d shared classes, %d of the site and %d of the console", len(shared), len(site), len(console))
	}
	var both []string
	for class := range site {
		if console[class] && !shared[class] {
			both = append(both, class)
		}
	}
	slices.Sort(both)
	if len(both) > 0 {
		t.Errorf("site and console both style %q: rename one, or move what they share to pkg/ui/css", both)
	}
}
