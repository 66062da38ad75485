package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLongTests: the patterns name whole tests and whole cases, and each line has a reason.
func TestLongTests(t *testing.T) {
	for content, want := range map[string]string{
		"": "",
		"# remark\n\nTestA  slow\nTestB/c_d  slow\n": "^TestA$|^TestB$/^c_d$",
	} {
		if got, err := longTests(treeWith(t, content)); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", content, got, err, want)
		}
	}
	if _, err := longTests(treeWith(t, "TestA\n")); err == nil {
		t.Error("a test without a reason is left out")
	}
}

func treeWith(t *testing.T, list string) (root string) {
	t.Helper()
	root = t.TempDir()
	folder := filepath.Join(root, "deploy", "e2e")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "long.txt"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestLongTestsExist: a test or a case that was renamed would come back to the merge lane unseen,
// and a reason would name a test that keeps nothing.
func TestLongTestsExist(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "..", "deploy", "e2e", "long.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^#.*`).ReplaceAllString(string(content), "")
	functions := grep(t, "^func Test[A-Za-z0-9_]+", "*_test.go")
	for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(list, -1) {
		if !functions["func "+name] {
			t.Errorf("there is no %s", name)
		}
	}
	texts := grep(t, `"[^"]+"`, "deploy/e2e/*_test.go")
	for _, line := range regexp.MustCompile(`(?m)^Test\S+`).FindAllString(list, -1) {
		for _, name := range strings.Split(line, "/")[1:] {
			if !texts[`"`+strings.ReplaceAll(name, "_", " ")+`"`] {
				t.Errorf("no test calls a case %s (%s)", name, line)
			}
		}
	}
}

// grep returns what matches a pattern in the files of the tree.
func grep(t *testing.T, pattern, files string) map[string]bool {
	t.Helper()
	found, err := exec.CommandContext(t.Context(), "git", "-C", filepath.Join("..", ".."), "grep", "-hoE", pattern, "--", files).Output()
	if err != nil {
		t.Fatal(err)
	}
	matches := map[string]bool{}
	for match := range strings.Lines(string(found)) {
		matches[strings.TrimSpace(match)] = true
	}
	return matches
}
