package check

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// lists reports whether the JSON of a schema is an array, or an object with one: of its own, or in
// its data.
func (d openAPI) lists(node any) bool {
	if d.isArray(node) {
		return true
	}
	for name, property := range d.properties(node) {
		if d.isArray(property) {
			return true
		}
		if name == "data" && slices.ContainsFunc(slices.Collect(maps.Values(d.properties(property))), d.isArray) {
			return true
		}
	}
	return false
}

func (d openAPI) isArray(node any) bool { return d.resolved(node)["type"] == "array" }

// operations returns the names of all operations, and of those whose answer to a GET has a list.
func (d openAPI) operations() (all, listing []string) {
	for path := range d.at("paths") {
		for method := range d.at("paths", path) {
			operation := d.resolved(d.at("paths", path)[method])
			name, is := operation["operationId"].(string)
			if !is {
				continue
			}
			all = append(all, name)
			responses, _ := operation["responses"].(schema)
			content, _ := d.resolved(responses["200"])["content"].(schema)
			body, _ := content["application/json"].(schema)
			if method == "get" && d.lists(body["schema"]) {
				listing = append(listing, name)
			}
		}
	}
	return all, listing
}

// TestAnswersHaveBounds: the document of bounds has a row for each operation that answers with a
// list, and names no operation that there is not.
func TestAnswersHaveBounds(t *testing.T) {
	content, err := os.ReadFile("../docs/bounds.md")
	if err != nil {
		t.Fatal(err)
	}
	described, quoted := map[string][]string{}, regexp.MustCompile("`([A-Za-z]+)`")
	for line := range strings.Lines(string(content)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !slices.Contains([]string{"admin", "query"}, strings.TrimSpace(cells[1])) {
			continue
		}
		service := strings.TrimSpace(cells[1])
		for _, name := range quoted.FindAllStringSubmatch(cells[2], -1) {
			described[service] = append(described[service], name[1])
		}
		for _, cell := range cells[3:6] {
			if strings.TrimSpace(cell) == "" {
				t.Errorf("a row is not filled: %s", line)
			}
		}
	}
	for _, service := range []string{"query", "admin"} {
		text, err := os.ReadFile("../../services/" + service + "/internal/api/openapi/openapi.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var d openAPI
		if err := yaml.Unmarshal(text, &d.top); err != nil {
			t.Fatal(err)
		}
		all, listing := d.operations()
		if len(listing) < 40 {
			t.Fatalf("%s has only %d operations that answer with a list", service, len(listing))
		}
		for _, name := range listing {
			if !slices.Contains(described[service], name) {
				t.Errorf("no row has the operation %s of %s", name, service)
			}
		}
		seen := map[string]bool{}
		for _, name := range described[service] {
			if !slices.Contains(all, name) || seen[name] {
				t.Errorf("the operation %s of %s is not there, or twice", name, service)
			}
			seen[name] = true
		}
	}
}
