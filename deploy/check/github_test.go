package check

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// readYAML decodes a file of .github.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile("../../.github/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// pinned matches an action at a commit, with its full version as a comment.
var pinned = regexp.MustCompile(`uses: [a-z-]+/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+\n`)

// workflow is a workflow of one job.
type workflow struct {
	Jobs map[string]struct {
		Strategy struct{ Matrix struct{ Part []string } }
		Steps    []struct{ Uses, Run string }
	}
}

// TestWorkflowsRunTheLanes: the workflows run .ci/run, and each part of the long lane, with pinned
// actions.
func TestWorkflowsRunTheLanes(t *testing.T) {
	for name, last := range map[string]string{"ci.yml": ".ci/run", "nightly.yml": "make ${{ matrix.part }}"} {
		var w workflow
		readYAML(t, "workflows/"+name, &w)
		if steps := w.Jobs["run"].Steps; steps[len(steps)-1].Run != last {
			t.Errorf("%s ends with %q", name, steps[len(steps)-1].Run)
		}
		content, err := os.ReadFile("../../.github/workflows/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if used := strings.Count(string(content), "uses:"); used == 0 || len(pinned.FindAll(content, -1)) != used {
			t.Errorf("%s: of %d actions, %d are pinned", name, used, len(pinned.FindAll(content, -1)))
		}
	}
	var nightly workflow
	readYAML(t, "workflows/nightly.yml", &nightly)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(makefile), "\ntest-long: ")
	_, after, _ := strings.Cut(recipe, "--keep-going ")
	parts, _, _ := strings.Cut(after, "\n")
	if got := nightly.Jobs["run"].Strategy.Matrix.Part; !slices.Equal(got, strings.Fields(parts)) {
		t.Errorf("nightly.yml runs %q of %q", got, parts)
	}
}

// TestDependabotKnowsEveryPin compares the folders of dependabot.yml with the modules and lock
// files of the tree.
func TestDependabotKnowsEveryPin(t *testing.T) {
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	readYAML(t, "dependabot.yml", &config)
	got := map[string][]string{}
	for _, update := range config.Updates {
		folders := update.Directories
		if update.Directory != "" {
			folders = append(folders, update.Directory)
		}
		got[update.Ecosystem] = append(got[update.Ecosystem], folders...)
	}
	for ecosystem, file := range map[string]string{"gomod": "go.mod", "npm": "package-lock.json"} {
		var want []string
		for _, path := range tree(t) {
			if filepath.Base(path) == file {
				want = append(want, "/"+filepath.ToSlash(filepath.Dir(path)))
			}
		}
		slices.Sort(want)
		if slices.Sort(got[ecosystem]); !slices.Equal(got[ecosystem], want) {
			t.Errorf("dependabot updates %s in %q, want %q", ecosystem, got[ecosystem], want)
		}
	}
}

// tree returns the path of every file of the source tree, relative to its top, in lexical order.
func tree(t *testing.T) []string {
	t.Helper()
	top := filepath.Join("..", "..")
	var files []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".local" || name == ".git" || name == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(top, path)
		files = append(files, relative)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

var (
	recipePath = regexp.MustCompile("`((?:services|pkg|deploy|migrations|README\\.md)[^`*<> ]*)`")
	recipeTest = regexp.MustCompile("`(Test[A-Za-z]+)`")
	testFunc   = regexp.MustCompile(`(?m)^func (Test[A-Za-z]+)\(`)
)

// TestRecipes: the files and tests that CONTRIBUTING.md names exist.
func TestRecipes(t *testing.T) {
	content, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	paths, names := recipePath.FindAllSubmatch(content, -1), recipeTest.FindAllSubmatch(content, -1)
	if len(paths) < 20 || len(names) < 20 {
		t.Fatalf("found %d paths and %d tests: are the patterns right?", len(paths), len(names))
	}
	for _, match := range paths {
		if _, err := os.Stat("../../" + string(match[1])); err != nil {
			t.Errorf("there is no %s", match[1])
		}
	}
	known := map[string]bool{}
	for _, path := range tree(t) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range testFunc.FindAllSubmatch(source, -1) {
			known[string(match[1])] = true
		}
	}
	for _, match := range names {
		if !known[string(match[1])] {
			t.Errorf("there is no %s", match[1])
		}
	}
}
