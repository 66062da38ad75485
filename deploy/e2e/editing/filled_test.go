package editing

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// filled is a catalog file in which every field of every kind but regions is set somewhere: an
// event whose first date has a place of its own, while its second takes the event's.
const filled = "testdata/filled.jsonl"

// sparse are the same entities with hardly a field set, so that filling them changes every column.
const sparse = "testdata/sparse.jsonl"

// TestEveryFieldReachesTheAnswers follows every field of the catalog file through the database, the
// stream and the index to the public answers. The list of fields is that of the export, so a new
// field fails until it is filled and named in shownAs; and a value in an answer fails until it is
// claimed.
func TestEveryFieldReachesTheAnswers(t *testing.T) {
	s := harness.Start(t)
	s.MustRun(t, stack.Admin, "import", sparse)
	s.MustRun(t, stack.Admin, "import", filled)
	s.AwaitReady(t)
	given, err := os.ReadFile(filled)
	if err != nil {
		t.Fatal(err)
	}
	stored := leaves("", byKind(t, s.Export(t)))
	for path, value := range leaves("", byKind(t, given)) {
		if !reference.SameValue(stored[path], value) {
			t.Errorf("%s is exported as %v, imported as %v", path, stored[path], value)
		}
	}
	checkFilled(t, stored)

	answers := filledAnswers(s, t)
	claimed := map[string]bool{}
	for path, value := range stored {
		for _, target := range targetsOf(t, path) {
			claimed[target] = true
			if value != nil && !reference.SameValue(answers[target], value) {
				t.Errorf("%s is %v, but %s shows %v", path, value, target, answers[target])
			}
		}
	}
	for target, want := range derivedValues(s) {
		claimed[target] = true
		if got := fmt.Sprint(answers[target]); got != want {
			t.Errorf("%s shows %v, want %s", target, got, want)
		}
	}
	for target, value := range answers {
		if !claimed[target] {
			t.Errorf("%s shows %v, which no field of the catalog file is said to be shown as", target, value)
		}
	}
}

// checkFilled checks that every field is set somewhere, and that no object holds a value twice: a
// mapping that takes one field for another would go unseen.
func checkFilled(t *testing.T, stored map[string]any) {
	t.Helper()
	set, holder := map[string]bool{}, map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(stored)) {
		value, field := stored[path], numbers.ReplaceAllString(path, ".N")
		set[field] = set[field] || value != nil && value != "" && value != 0.0 && value != false
		object := path[:strings.LastIndexByte(path, '.')]
		key := fmt.Sprint(object, " ", value)
		if value == nil || value == true || value == false {
			continue
		}
		if other := holder[key]; other != "" {
			t.Errorf("%s and %s hold the same value %v", other, path, value)
		}
		holder[key] = path
	}
	for field, somewhere := range set {
		isObject := func(other string) bool { return strings.HasPrefix(other, field+".") }
		if !somewhere && !slices.ContainsFunc(slices.Collect(maps.Keys(set)), isObject) {
			t.Errorf("%s is not set anywhere in %s", field, filled)
		}
	}
}

// numbers are the places in lists, as they stand in paths.
var numbers = regexp.MustCompile(`\.\d+`)

// targetsOf returns where the answers show the field at a path; none when it is not shown.
func targetsOf(t *testing.T, path string) []string {
	t.Helper()
	var targets []string
	known := false
	for line := range strings.Lines(shownAs) {
		field, shown, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		n, matches := matchField(field, path)
		if !matches {
			continue
		}
		known = true
		if shown = strings.TrimSpace(shown); strings.HasPrefix(shown, "- ") {
			continue
		}
		targets = append(targets, strings.Fields(strings.ReplaceAll(shown, ".N.", "."+n+"."))...)
	}
	if !known {
		t.Errorf("shownAs does not say where %s is shown", path)
	}
	return targets
}

// matchField compares a path with a field of shownAs and returns what N stands for.
func matchField(field, path string) (n string, matches bool) {
	pattern := "^" + strings.Replace(regexp.QuoteMeta(field), `\.N\.`, `\.(\d+)\.`, 1) + "$"
	found := regexp.MustCompile(pattern).FindStringSubmatch(path)
	if len(found) > 1 {
		n = found[1]
	}
	return n, found != nil
}

func derivedValues(s *harness.System) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(derived) {
		if target, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			values[target] = strings.Replace(strings.TrimSpace(value), "BASE", s.URL(), 1)
		}
	}
	return values
}

// filledAnswers returns the leaves of all answers about the filled catalogue.
func filledAnswers(s *harness.System, t *testing.T) map[string]any {
	t.Helper()
	const id = "0192f0a0-0000-7000-8000-0000000000"
	list := func(path, kind string, ends ...string) []any {
		var all []any
		for _, end := range ends {
			all = append(all, data(s, t, path+id+end, kind))
		}
		return all
	}
	found := data(s, t, "/api/events?event_uuids="+id+"40", "get-events")
	return leaves("", map[string]any{
		"entries":       found["events"],
		"event":         data(s, t, "/api/event/"+id+"40?lang=en", "get-event"),
		"venues":        list("/api/venue/", "get-venue", "20", "21"),
		"series":        list("/api/series/", "get-series", "90"),
		"organizations": list("/api/organization/", "get-organization", "10", "11"),
		"contributors":  list("/api/contributor/", "get-contributor", "70", "73"), // merged into another one
	})
}

func data(s *harness.System, t *testing.T, path, kind string) map[string]any {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := client.Data[map[string]any](answer, kind)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// byKind returns the lines of a catalog file by kind, in the order of their uuids.
func byKind(t *testing.T, file []byte) map[string]any {
	t.Helper()
	lines := harness.Entities(t, file)
	kinds := map[string]any{}
	for _, id := range slices.Sorted(maps.Keys(lines)) {
		kind := fmt.Sprint(lines[id]["kind"])
		delete(lines[id], "kind")
		list, _ := kinds[kind].([]any)
		kinds[kind] = append(list, lines[id])
	}
	return kinds
}

// leaves returns the values of nested objects and lists of objects by path, such as "venue.0.name".
// A list of plain values is one value, as its JSON.
func leaves(prefix string, value any) map[string]any {
	found := map[string]any{}
	add := func(name string, value any) {
		maps.Copy(found, leaves(strings.TrimPrefix(prefix+"."+name, "."), value))
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			add(name, inner)
		}
	case []any:
		if len(value) == 0 || !isObject(value[0]) {
			text, _ := json.Marshal(value)
			found[prefix] = string(text)
			break
		}
		for i, inner := range value {
			add(fmt.Sprint(i), inner)
		}
	default:
		found[prefix] = value
	}
	return found
}

func isObject(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}
