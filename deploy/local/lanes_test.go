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

// TestLongTestsExist: a test that was renamed would come back to the merge lane unseen.
func TestLongTestsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	content, err := os.ReadFile(filepath.Join(root, "deploy", "e2e", "long.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := exec.CommandContext(t.Context(), "git", "-C", root, "grep", "-hoE", "^func Test[A-Za-z0-9_]+", "--", "*_test.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`(?m)^Test\w+`).FindAllString(string(content), -1) {
		if !strings.Contains(string(files)+"\n", "func "+name+"\n") {
			t.Errorf("there is no %s", name)
		}
	}
}
