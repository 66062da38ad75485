package check_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

var addKeys = flag.Bool("add", false, "add new keys to testdata/keys.txt")

// TestNoKeyOfAnAnswerVanishes compares the keys of all answers with the recorded ones: programs of
// others read them. A new key is recorded with
//
//	go test ./deploy/check -run TestNoKeyOfAnAnswerVanishes -add
func TestNoKeyOfAnAnswerVanishes(t *testing.T) {
	t.Parallel()
	present := answerKeys(t)
	file := filepath.Join("testdata", "keys.txt")
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		recorded[strings.TrimSuffix(line, "\n")] = true
	}
	for key := range recorded {
		if !present[key] {
			t.Errorf("%s has vanished", key)
		}
	}
	if *addKeys {
		maps.Copy(recorded, present)
		lines := strings.Join(slices.Sorted(maps.Keys(recorded)), "\n") + "\n"
		if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for key := range present {
		if !recorded[key] {
			t.Errorf("%s is not recorded: run this test with -add", key)
		}
	}
}

// answerKeys returns the keys of the examples of query, which are real answers, and of the schemas
// of admin, with which its tests compare each answer.
func answerKeys(t *testing.T) map[string]bool {
	t.Helper()
	keys := map[string]bool{}
	examples, err := filepath.Glob(filepath.Join("..", "..", "services/query/internal/api/openapi/examples/*.json"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("examples: %d, %v", len(examples), err)
	}
	for _, file := range examples {
		var answer any
		read(t, file, json.Unmarshal, &answer)
		addPaths(keys, "query "+strings.TrimSuffix(path.Base(file), ".json")+" ", answer)
	}
	var description struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `yaml:"properties"`
			} `yaml:"schemas"`
		} `yaml:"components"`
	}
	read(t, filepath.Join("..", "..", "services/admin/internal/api/openapi/openapi.yaml"), yaml.Unmarshal, &description)
	for name, schema := range description.Components.Schemas {
		for key := range schema.Properties {
			keys["admin "+name+" "+key] = true
		}
	}
	return keys
}

func read(t *testing.T, file string, decode func([]byte, any) error, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = decode(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// addPaths adds the path of each key within a JSON value. Ids that are keys count as one key.
func addPaths(keys map[string]bool, at string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if strings.Trim(key, "0123456789") == "" {
				key = "0"
			}
			keys[at+key] = true
			addPaths(keys, at+key+".", inner)
		}
	case []any:
		for _, inner := range value {
			addPaths(keys, at, inner)
		}
	}
}
