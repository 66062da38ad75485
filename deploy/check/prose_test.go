package check

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestComment is the length of a comment line in characters.
const longestComment = 100

// vague are words that technical English replaces by the thing they stand for.
var vague = regexp.MustCompile(`(?i)\b(nobody|somebody|whoever|whatever|tells|told)\b`)

// dialect are further words that no document needs.
var dialect = regexp.MustCompile(`(?i)\b(anew|beside|by itself|by themselves|nothing but|those of which|` +
	`says (how|what|why|which|whether))\b`)

// allowed are the words that a file may contain, because they are data or names.
var allowed = map[string][]string{
	"deploy/docs/configuration.md":                   {"nobody"},   // the system user
	"deploy/local/engine/account.go":                 {"nobody"},   // the system user
	"services/admin/internal/app/demo/items_town.go": {"whatever"}, // the text of an event
	"deploy/check/prose_test.go":                     {"nobody", "somebody", "whoever", "whatever", "tells", "told"},
}

// goTokens calls fn with every comment and string literal of a Go file.
func goTokens(t *testing.T, path string, fn func(position token.Position, kind token.Token, text string)) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file := files.AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	for {
		at, kind, text := s.Scan()
		if kind == token.EOF {
			return
		}
		if kind == token.COMMENT || kind == token.STRING {
			fn(files.Position(at), kind, text)
		}
	}
}

// TestCommentLinesAreShort: a line with nothing but a comment has at most 100 characters.
func TestCommentLinesAreShort(t *testing.T) {
	for _, path := range tree(t) {
		if filepath.Ext(path) != ".go" {
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", "..", path))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		goTokens(t, path, func(at token.Position, kind token.Token, text string) {
			line := lines[at.Line-1]
			alone := kind == token.COMMENT && strings.HasPrefix(strings.TrimSpace(line), "//")
			if alone && !strings.HasPrefix(text, "//go:") && utf8.RuneCountInString(line) > longestComment {
				t.Errorf("%s:%d: a comment line of %d characters", path, at.Line, utf8.RuneCountInString(line))
			}
		})
	}
}

// TestProseIsPlain: comments, strings and documents avoid vague words.
func TestProseIsPlain(t *testing.T) {
	for _, path := range tree(t) {
		switch filepath.Ext(path) {
		case ".go":
			goTokens(t, path, func(at token.Position, _ token.Token, text string) { checkProse(t, path, at.Line, text) })
		case ".md", ".sql", ".yaml", ".yml":
			content, err := os.ReadFile(filepath.Join("..", "..", path))
			if err != nil {
				t.Fatal(err)
			}
			checkProse(t, path, 1, string(content))
			if filepath.Ext(path) == ".md" {
				for _, found := range dialect.FindAllString(string(content), -1) {
					t.Errorf("%s: %q", path, found)
				}
			}
		}
	}
}

// checkProse reports the vague words of a text that begins at a line of a file.
func checkProse(t *testing.T, path string, line int, text string) {
	t.Helper()
	for _, found := range vague.FindAllStringIndex(text, -1) {
		word := strings.ToLower(text[found[0]:found[1]])
		if !slices.Contains(allowed[filepath.ToSlash(path)], word) {
			t.Errorf("%s:%d: %q", path, line+strings.Count(text[:found[0]], "\n"), word)
		}
	}
}
