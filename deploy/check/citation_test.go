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

const rulesFile = "../../pkg/contracts/publicapi/RULES.md"

var (
	// document matches the name of a document, as a comment cites it.
	document = regexp.MustCompile(`[\w./-]*\b\w[\w-]*\.md\b`)
	// lineBreak matches the end of a comment line and the beginning of the next one.
	lineBreak = regexp.MustCompile(`\n\s*(//|--|#)?\s*`)
	climbing  = regexp.MustCompile(`^(\.{1,2}/)+`)
	title     = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
)

// headings returns the headings of a document.
func headings(content string) (found []string) {
	for _, match := range title.FindAllStringSubmatch(content, -1) {
		found = append(found, match[1])
	}
	return found
}

// dangling returns the citations of a text that lead nowhere: documents that are not in the tree,
// and headings that RULES.md does not have. A heading follows the name and a comma.
func dangling(text string, documents, rules []string) (citations []string) {
	text = lineBreak.ReplaceAllString(text, " ")
	for _, at := range document.FindAllStringIndex(text, -1) {
		name := climbing.ReplaceAllString(text[at[0]:at[1]], "")
		if strings.HasPrefix(name, "/") {
			continue // the address of a page
		}
		exists := slices.ContainsFunc(documents, func(d string) bool { return d == name || strings.HasSuffix(d, "/"+name) })
		if !exists {
			citations = append(citations, name)
			continue
		}
		heading, cited := strings.CutPrefix(text[at[1]:], ", ")
		if name != path.Base(rulesFile) || !cited {
			continue
		}
		leads := slices.ContainsFunc(rules, func(rule string) bool { return strings.HasPrefix(heading, rule) })
		if !leads {
			citations = append(citations, name+", "+heading[:min(len(heading), 30)])
		}
	}
	return citations
}

// TestCitationsLeadSomewhere: a comment or a document cites only documents of the tree, and only
// headings that RULES.md has.
func TestCitationsLeadSomewhere(t *testing.T) {
	content, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	rules, cited := headings(string(content)), 0
	var documents []string
	for _, file := range tree(t) {
		if filepath.Ext(file) == ".md" {
			documents = append(documents, filepath.ToSlash(file))
		}
	}
	for _, file := range tree(t) {
		if !slices.Contains([]string{".go", ".templ", ".sql", ".md", ".ts", ".css", ".mjs", ".yaml", ".yml", ".sh"}, filepath.Ext(file)) ||
			file == filepath.Join("deploy", "check", "citation_test.go") {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		cited += strings.Count(string(content), path.Base(rulesFile)+",")
		for _, citation := range dangling(string(content), documents, rules) {
			t.Errorf("%s cites %q, which does not exist", file, citation)
		}
	}
	if cited < 50 {
		t.Errorf("RULES.md is cited %d times: are the patterns right?", cited)
	}
}

func TestDangling(t *testing.T) {
	documents, rules := []string{"README.md", "a/RULES.md", "b/NOTES.md"}, []string{"Search", "Ids and names"}
	for text, want := range map[string][]string{
		"// x (RULES.md, Search).":                          nil,
		"// x (RULES.md, Ids and\n\t// names): y":           nil,
		"-- x (RULES.md,\n-- Search)":                       nil,
		"// see a/RULES.md, ../b/NOTES.md and ../README.md": nil,
		"// x (RULES.md, Dates).":                           {"RULES.md, Dates)."},
		"// x (RULES.md, Ids\n// of names)":                 {"RULES.md, Ids of names)"},
		"// x (interface.md, Limits)":                       {"interface.md"},
		"// GET /c/NOTES.md":                                nil,
		"// see c/NOTES.md":                                 {"c/NOTES.md"},
	} {
		if got := dangling(text, documents, rules); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
