package text

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	codes "litfass/pkg/language"
)

// messages returns the messages of a language as they are written, by id.
func messages(t *testing.T, code string) map[string]any {
	t.Helper()
	found := map[string]any{}
	names, err := fs.Glob(files, "messages/*."+code+".json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no messages in %s: %v", code, err)
	}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var part map[string]any
		if err := json.Unmarshal(content, &part); err != nil {
			t.Fatal(err)
		}
		maps.Copy(found, part)
	}
	return found
}

var parameter = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

// parametersOf returns the parameters of a message in alphabetical order.
func parametersOf(message any) (names []string) {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	for _, match := range parameter.FindAllSubmatch(text, -1) {
		names = append(names, string(match[1]))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestLanguagesSayTheSame: each message is there in each language, with the same parameters.
func TestLanguagesSayTheSame(t *testing.T) {
	base := messages(t, codes.Default)
	for _, code := range codes.Codes {
		other := messages(t, code)
		for id, message := range base {
			translated, found := other[id]
			if !found {
				t.Errorf("%s has no message %q", code, id)
				continue
			}
			if got, want := parametersOf(translated), parametersOf(message); !slices.Equal(got, want) {
				t.Errorf("%s: %q has the parameters %v, want %v", code, id, got, want)
			}
			if strings.TrimSpace(strings.ReplaceAll(toText(translated), `""`, "")) == "" {
				t.Errorf("%s: %q is empty", code, id)
			}
		}
		for id := range other {
			if _, found := base[id]; !found {
				t.Errorf("%s has the message %q, which %s does not", code, id, codes.Default)
			}
		}
	}
}

func toText(message any) string {
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return string(text)
}

var used = regexp.MustCompile(`\.(?:T|With|Count)\("([a-z][\w.]*)"[,)]`)

// TestEveryMessageThatIsUsedIsThere: the messages that the code names exist.
func TestEveryMessageThatIsUsedIsThere(t *testing.T) {
	known, found := messages(t, codes.Default), 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".templ" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := os.ReadFile(path)
		for _, match := range used.FindAllSubmatch(content, -1) {
			found++
			if _, there := known[string(match[1])]; !there {
				t.Errorf("%s uses the message %q", path, match[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d messages are used: %v", found, err)
	}
}

func TestFormats(t *testing.T) {
	day := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	for code, want := range map[string][]string{
		"en": {"Thursday, 5 March 2026", "Thu 5 Mar", "March 2026", "19:30", "€\u00a012.50", "€\u00a01,200", "-1,234,567"},
		"de": {"Donnerstag, 5. März 2026", "Do, 5. März", "März 2026", "19:30 Uhr", "12,50\u00a0€", "1.200\u00a0€", "-1.234.567"},
		"da": {"torsdag den 5. marts 2026", "tor 5. mar.", "marts 2026", "kl. 19.30", "12,50\u00a0€", "1.200\u00a0€", "-1.234.567"},
	} {
		s := Of(code)
		got := []string{
			s.Day(day), s.ShortDay(day), s.Month(day), s.Clock("19:30"), s.Money(12.5, "EUR"), s.Money(1200, "EUR"), s.Integer(-1234567),
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
	if got := Of("xx").Count("further_dates", 1); got != "and 1 more date" {
		t.Errorf("an unknown language: %q", got)
	}
	if got := Of("de").Count("further_dates", 3); got != "und 3 weitere Termine" {
		t.Errorf("many: %q", got)
	}
}
