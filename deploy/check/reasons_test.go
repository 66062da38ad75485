package check

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault/reason"
)

var (
	ownImport  = regexp.MustCompile(`(?m)^(?:import)?\s*"litfass/([^"]+)"$`)
	reasonUsed = regexp.MustCompile(`\breason\.([A-Z]\w+)`)
	reasonRow  = regexp.MustCompile(`(?m)^\t([A-Z]\w+)\s+= \w+(?:\[.*?\])?\("(\w+)",`)
)

// reasonCodes returns the codes by their names in Go.
func reasonCodes(t *testing.T) map[string]string {
	t.Helper()
	codes := map[string]string{}
	for _, match := range reasonRow.FindAllStringSubmatch(readText(t, "../../pkg/chassis/fault/reason/codes.go"), -1) {
		codes[match[1]] = match[2]
	}
	return codes
}

func readText(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// codesOf returns the codes in the source of a service and of the packages that it imports.
func codesOf(t *testing.T, service string) map[string]bool {
	t.Helper()
	var queue []string
	err := filepath.WalkDir("../../services/"+service, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() != "testdata" {
			queue = append(queue, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names, used, seen := reasonCodes(t), map[string]bool{}, map[string]bool{}
	for len(queue) > 0 {
		folder := queue[0]
		if queue = queue[1:]; seen[folder] || strings.HasSuffix(folder, "/pkg/chassis/fault/reason") {
			continue
		}
		seen[folder] = true
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source := readText(t, file)
			for _, match := range ownImport.FindAllStringSubmatch(source, -1) {
				queue = append(queue, "../../"+match[1])
			}
			for _, match := range reasonUsed.FindAllStringSubmatch(source, -1) {
				if code := names[match[1]]; code != "" {
					used[code] = true
				}
			}
		}
	}
	return used
}

// tableLine returns the row of a code in the table of an OpenAPI document.
func tableLine(d reason.Definition) string {
	params := make([]string, len(d.Params))
	for i, param := range d.Params {
		params[i] = fmt.Sprintf("`%s` %s", param.Name, param.Type)
	}
	return fmt.Sprintf("| `%s` | %s | %s |", d.Code, strings.Join(params, ", "), d.Sentence)
}

var tableRow = regexp.MustCompile("(?m)^\\| `[a-z0-9_]+` \\| .* \\|$")

// TestReasonsAreDescribed: the OpenAPI document of a service lists the codes of the reasons that it
// can send, with their parameters and sentences.
func TestReasonsAreDescribed(t *testing.T) {
	unused := map[string]bool{}
	for _, d := range reason.All() {
		unused[d.Code] = true
	}
	for _, service := range []string{"admin", "query"} {
		described := tableRow.FindAllString(describe(t, service).Components.Schemas.Violation.Description, -1)
		used := codesOf(t, service)
		var want []string
		for _, d := range reason.All() {
			if used[d.Code] {
				delete(unused, d.Code)
				want = append(want, tableLine(d))
			}
		}
		for _, line := range want {
			if !slices.Contains(described, line) {
				t.Errorf("%s does not describe %s", service, line)
			}
		}
		for _, line := range described {
			if !slices.Contains(want, line) {
				t.Errorf("%s describes %s, which it does not send", service, line)
			}
		}
		if !t.Failed() && !slices.Equal(described, want) {
			t.Errorf("the codes of %s are not in their order", service)
		}
	}
	for _, own := range []string{"site", "console"} {
		for code := range codesOf(t, own) {
			delete(unused, code)
		}
	}
	for code := range unused {
		t.Errorf("nothing gives the reason %s", code)
	}
}
