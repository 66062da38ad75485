package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/local/stack"
)

var asked = regexp.MustCompile(`Getenv\("(TEST_[A-Z_]+)"\)`)

// TestEveryVariableOfTestsIsSet: make test sets every variable that a test anywhere in the tree
// reads.
func TestEveryVariableOfTestsIsSet(t *testing.T) {
	var set []string
	for _, variable := range testEnvironment(&stack.Stack{}, "", false, false) {
		name, _, _ := strings.Cut(variable, "=")
		set = append(set, name)
	}
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".local" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		content, err := os.ReadFile(path)
		for _, match := range asked.FindAllSubmatch(content, -1) {
			found++
			if !slices.Contains(set, string(match[1])) {
				t.Errorf("%s asks for %s, which make test does not set", path, match[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no test asks for anything: is the pattern right?")
	}
}

// TestInterruptedTestsFail: a run that was stopped early is not taken for one that has passed.
func TestInterruptedTestsFail(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := testCommand{}.Run(ctx, &environment{root: t.TempDir(), data: t.TempDir()})
	var code exitError
	if !errors.As(err, &code) || code == 0 {
		t.Errorf("got %v", err)
	}
}

// TestRaceFlags: the race detector stays on, and each package of Litfass that it leaves out is
// named explicitly, not by a pattern.
func TestRaceFlags(t *testing.T) {
	got := goFlags([]string{"-race", "-p", "3", "./pkg/..."})
	if got[0] != "-race" || !slices.Equal(got[len(got)-3:], []string{"-p", "3", "./pkg/..."}) {
		t.Errorf("got %q", got)
	}
	for _, flag := range got[1 : len(got)-3] {
		pattern, isOff := strings.CutSuffix(strings.TrimPrefix(flag, "-gcflags="), "=-race=false")
		if !isOff || pattern == "all" || strings.HasPrefix(pattern, "litfass/") && strings.HasSuffix(pattern, "...") {
			t.Errorf("%q leaves out too much", flag)
		}
	}
	if plain := goFlags([]string{"./pkg/..."}); len(plain) != 1 {
		t.Errorf("without the detector: %q", plain)
	}
}

// TestRuns: the arguments of each run end at a --.
func TestRuns(t *testing.T) {
	for line, want := range map[string][][]string{
		"./...":                  {{"./..."}},
		"-- -v ./a":              {{"-v", "./a"}},
		"-- -v ./a -- -race ./b": {{"-v", "./a"}, {"-race", "./b"}},
	} {
		if got := runs(strings.Fields(line)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestEveryPackageIsTested: make test runs the tests of each package once.
func TestEveryPackageIsTested(t *testing.T) {
	root := filepath.Join("..", "..")
	dry := exec.CommandContext(t.Context(), "make", "--silent", "--dry-run", "test")
	dry.Dir, dry.Env = root, append(os.Environ(), "MAKEFLAGS=")
	output, err := dry.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(output), "/local test -- ")
	var folders []string
	for _, word := range strings.Fields(command) {
		if folder, isPattern := strings.CutSuffix(word, "/..."); isPattern {
			folders = append(folders, strings.TrimPrefix(folder, "./"))
		}
	}
	files, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "*_test.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range strings.Fields(string(files)) {
		times := 0
		for _, folder := range folders {
			if strings.HasPrefix(file, folder+"/") {
				times++
			}
		}
		if times != 1 {
			t.Errorf("make test runs %s %d times", file, times)
		}
	}
}
