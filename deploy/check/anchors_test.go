package check

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	target  = regexp.MustCompile(`\]\(([^)\s#]+)[^)]*\)`)
	link    = regexp.MustCompile(`\]\(([^)\s]*)#([^)\s]+)\)`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the anchors that GitHub generates for the headings of a document.
func anchors(t *testing.T, file string) (all []string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range heading.FindAllStringSubmatch(string(content), -1) {
		all = append(all, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-"))
	}
	return all
}

// TestLinksLeadToHeadings: a link to a part of a document names one of its headings.
func TestLinksLeadToHeadings(t *testing.T) {
	found := 0
	for _, file := range tree(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(content), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			found++
			target := file
			if match[1] != "" {
				target = path.Join(path.Dir(filepath.ToSlash(file)), match[1])
			}
			if !slices.Contains(anchors(t, filepath.Join("..", "..", target)), match[2]) {
				t.Errorf("%s: %s has no heading #%s", file, target, match[2])
			}
		}
	}
	if found == 0 {
		t.Error("no document has such a link: is the pattern right?")
	}
}

// TestLinksLeadToFiles: a link or image of a document names a file or folder of the tree.
func TestLinksLeadToFiles(t *testing.T) {
	for _, file := range tree(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range target.FindAllStringSubmatch(string(content), -1) {
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "/") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.Dir(file), match[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", file, match[1])
			}
		}
	}
}

// checkRunbook reports an alert whose link into the runbook leads nowhere.
func checkRunbook(t *testing.T, alert, url string) {
	t.Helper()
	file, anchor, _ := strings.Cut(url, "#")
	if !slices.Contains(anchors(t, filepath.Join("..", "..", file)), anchor) {
		t.Errorf("%s: %s has no heading #%s", alert, file, anchor)
	}
}
