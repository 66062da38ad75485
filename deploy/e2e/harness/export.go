package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// CheckExport checks that an export contains the imported fields, and that importing it changes
// nothing (RULES.md, Catalogue file).
func (s *System) CheckExport(t *testing.T, c *reference.Catalogue) {
	first := s.Export(t)
	var wanted bytes.Buffer
	if err := c.Write(&wanted); err != nil {
		t.Fatal(err)
	}
	if err := SameCatalogue(Entities(t, first), Entities(t, wanted.Bytes())); err != nil {
		t.Errorf("the export differs from what was imported: %v", err)
	}

	stream := s.Catalog(t)
	before, err := stream.Stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "export.jsonl")
	if err := os.WriteFile(path, first, 0o600); err != nil {
		t.Fatal(err)
	}
	s.MustRun(t, stack.Admin, "import", path)
	s.AwaitReady(t)
	after, err := stream.Stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if before.State.LastSeq != after.State.LastSeq {
		t.Errorf("importing an export published %d changes", after.State.LastSeq-before.State.LastSeq)
	}
	if !bytes.Equal(first, s.Export(t)) {
		t.Error("importing an export changed the next export")
	}
}

// Export returns the standard output of "admin export".
func (s *System) Export(t *testing.T) []byte {
	t.Helper()
	command := s.Command(t.Context(), stack.Admin, "export")
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.Output()
	if err != nil {
		t.Fatalf("admin export: %v\n%s", err, Tail(complaints.String()))
	}
	return output
}

// Entities reads a catalog file into objects by kind and identity.
func Entities(t *testing.T, file []byte) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(file)), "\n") {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%.200s: %v", line, err)
		}
		all[fmt.Sprint(object["kind"], object["uuid"], object["region_slug"], object["key"])] = object
	}
	return all
}

// SameCatalogue compares the imported fields; an export may contain more fields, but no other
// entities.
func SameCatalogue(got, want map[string]map[string]any) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d entities, want %d", len(got), len(want))
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if err := SameFields(got[id], want[id]); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

// SameFields compares two lines of an export, with their dates in any order.
func SameFields(got, want map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if key == "dates" {
			if err := sameDates(got[key], want[key]); err != nil {
				return err
			}
		} else if !reflect.DeepEqual(reference.Sorted(got[key]), reference.Sorted(want[key])) {
			return fmt.Errorf("%s is %.300q, want %.300q", key, fmt.Sprint(got[key]), fmt.Sprint(want[key]))
		}
	}
	return nil
}

// sameDates compares the dates of an event by their uuid.
func sameDates(got, want any) error {
	byUUID := map[any]map[string]any{}
	for _, date := range got.([]any) {
		byUUID[date.(map[string]any)["uuid"]] = date.(map[string]any)
	}
	if len(byUUID) != len(want.([]any)) {
		return fmt.Errorf("%d dates, want %d", len(byUUID), len(want.([]any)))
	}
	for _, date := range want.([]any) {
		wanted := date.(map[string]any)
		if err := SameFields(byUUID[wanted["uuid"]], wanted); err != nil {
			return fmt.Errorf("date %s: %w", wanted["uuid"], err)
		}
	}
	return nil
}
