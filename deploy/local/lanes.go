package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// longTests returns the patterns of the tests that only the long lane runs, in the form of go
// test's -skip. The list is deploy/e2e/long.txt.
func longTests(root string) (string, error) {
	content, err := os.ReadFile(filepath.Join(root, "deploy", "e2e", "long.txt"))
	if err != nil {
		return "", err
	}
	var patterns []string
	for line := range strings.Lines(string(content)) {
		name, why, _ := strings.Cut(strings.TrimSpace(line), "  ")
		switch {
		case name == "" || strings.HasPrefix(name, "#"):
		case strings.TrimSpace(why) == "":
			return "", fmt.Errorf("deploy/e2e/long.txt: no reason for %s", name)
		default:
			patterns = append(patterns, "^"+strings.ReplaceAll(name, "/", "$/^")+"$")
		}
	}
	return strings.Join(patterns, "|"), nil
}
