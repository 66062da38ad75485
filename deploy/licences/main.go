// Command licences lists the licences of the Go modules that packages are built from, and those of
// the npm packages of lock files, and fails for one that is not allowed:
//
//	go run ./deploy/licences PATTERN... LOCKFILE...
//
// A lock file ends in package-lock.json. The texts are recognised by Google's licenseclassifier.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// allowed are the licences, by their names in SPDX, under which a part of Litfass may be: each lets
// operators run and change Litfass without publishing what they change.
var allowed = []string{
	"0BSD", "BSD-0-Clause", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0",
	"OFL-1.1", "PostgreSQL", "Python-2.0", "Unicode-3.0", "Unicode-DFS-2016", "Unlicense", "Zlib",
}

// unrecognised are the licences of modules whose texts the classifier does not know.
var unrecognised = map[string]string{"github.com/segmentio/asm": "MIT-0"}

// part is a module or a package, with its licences as an expression of SPDX; "" if there is none.
type part struct{ name, licence string }

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	isLock := func(arg string) bool { return strings.HasSuffix(arg, "package-lock.json") }
	parts, err := modules(slices.DeleteFunc(slices.Clone(args), isLock))
	if err != nil {
		return err
	}
	for _, arg := range args {
		if !isLock(arg) {
			continue
		}
		packages, err := packagesOf(arg)
		if err != nil {
			return err
		}
		parts = append(parts, packages...)
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	var refused []error
	for _, p := range slices.Compact(parts) {
		if _, err := fmt.Fprintf(out, "%-60s %s\n", p.name, cmp.Or(p.licence, "none")); err != nil {
			return err
		}
		if !permits(p.licence) {
			refused = append(refused, fmt.Errorf("%s: the licence %q is not allowed", p.name, p.licence))
		}
	}
	return errors.Join(refused...)
}

// permits reports whether an expression of SPDX is satisfied by allowed licences.
func permits(expression string) bool {
	expression = strings.NewReplacer("(", "", ")", "").Replace(expression)
	return slices.ContainsFunc(strings.Split(expression, " OR "), func(choice string) bool {
		return !slices.ContainsFunc(strings.Split(choice, " AND "), func(name string) bool {
			return !slices.Contains(allowed, strings.TrimSpace(name))
		})
	})
}

// modules returns the modules of packages and of what they import, without those of the workspace.
func modules(patterns []string) ([]part, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	const format = `{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}`
	list := exec.Command("go", append([]string{"list", "-deps", "-f", format}, patterns...)...) //nolint:gosec // patterns of the Makefile
	list.Stderr = os.Stderr
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	known, err := assets.DefaultClassifier()
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	slices.Sort(lines)
	var parts []part
	for _, line := range slices.Compact(lines) {
		name, folder, found := strings.Cut(line, " ")
		if !found {
			continue
		}
		licence, err := licenceIn(known, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		path, _, _ := strings.Cut(name, "@")
		parts = append(parts, part{name, cmp.Or(licence, unrecognised[path])})
	}
	return parts, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying`)

// licenceIn returns the licences of the files of a folder that are named as a licence.
func licenceIn(known *classifier.Classifier, folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		for _, match := range known.Match(content).Matches {
			if match.MatchType == "License" {
				names = append(names, match.Name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " AND "), nil
}

// packagesOf returns the packages of a lock file of npm, which has their licences.
func packagesOf(path string) ([]part, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var parts []part
	for folder, found := range lock.Packages {
		if at := strings.LastIndex(folder, "node_modules/"); at >= 0 {
			parts = append(parts, part{"npm " + folder[at+len("node_modules/"):] + "@" + found.Version, found.License})
		}
	}
	return parts, nil
}
