// Package texttest checks the messages of a service.
package texttest

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

	codes "litfass/pkg/contracts/language"
	"litfass/pkg/ui/text"
)

// messages returns the messages of a language as they are written, by id.
func messages(t *testing.T, files fs.FS, code string) map[string]any {
	t.Helper()
	found := map[string]any{}
	names, err := fs.Glob(files, "messages/*."+code+".json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no messages in %s: %v", code, err)
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
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

// SameInAllLanguages fails the test unless each message is there in each language, with the same
// parameters.
func SameInAllLanguages(t *testing.T, files fs.FS) {
	t.Helper()
	base := messages(t, files, codes.Default)
	for _, code := range codes.Codes {
		other := messages(t, files, code)
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

// UsedAreThere fails the test unless the messages that the code in a folder names exist.
func UsedAreThere(t *testing.T, files fs.FS, folder string) {
	t.Helper()
	known, found := messages(t, files, codes.Default), 0
	maps.Copy(known, shared(t))
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
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

// shared are the messages that every service has.
func shared(t *testing.T) map[string]any {
	t.Helper()
	return messages(t, text.Formats(), codes.Default)
}
