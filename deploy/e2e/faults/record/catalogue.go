package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"

	"litfass/deploy/e2e/reference"
)

const (
	events  = 24 // of the demo catalogue that are recorded
	related = 6  // among them: those that belong to a series, if the release has series
)

var uuids = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// writeCatalogue writes a part of the release's own demo catalogue, with a list where the release
// has lists.
func (r *release) writeCatalogue(ctx context.Context, _ *service, path string) error {
	if _, err := r.run(ctx, "exec", "admin", "--", "demo", "--day="+day); err != nil {
		return err
	}
	export, err := r.run(ctx, "exec", "admin", "--", "export")
	if err != nil {
		return err
	}
	lines, chosen, err := part(export)
	if err != nil {
		return err
	}
	list, err := json.Marshal(struct {
		Kind string `json:"kind"`
		reference.List
	}{"list", reference.List{
		UUID: "0197a1b2-c3d4-7e5f-8a6b-000000000001", Slug: "auswahl", Name: "Auswahl", Public: true,
		Entries: []reference.ListEntry{{EventUUID: chosen}},
	}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, list, 0o644); err != nil {
		return err
	}
	if _, err := r.run(ctx, "exec", "admin", "--", "import", path); err == nil {
		lines = append(lines, list)
	} else {
		fmt.Fprintln(os.Stderr, "the release has no lists")
	}
	return os.WriteFile(path, bytes.Join(lines, []byte("\n")), 0o644)
}

// part returns some events of a catalogue file with all mentioned objects, and the uuid of an
// event. In a catalogue file, mentioned objects come first.
func part(file []byte) (lines [][]byte, event string, err error) {
	all := bytes.Split(bytes.TrimSpace(file), []byte("\n"))
	wanted := map[string]bool{}
	plain, series := 0, 0
	for i, line := range slices.Backward(all) {
		var entity struct {
			Kind   string `json:"kind"`
			UUID   string `json:"uuid"`
			Status string `json:"release_status"`
			Series []any  `json:"series"`
		}
		if err := json.Unmarshal(line, &entity); err != nil {
			return nil, "", fmt.Errorf("line %d: %w", i+1, err)
		}
		take := entity.UUID == "" || wanted[entity.UUID] // regions and labels have none
		if entity.Kind == "event" && entity.Status == "released" {
			switch {
			case len(entity.Series) > 0 && series < related:
				take, series = true, series+1
			case i%31 == 0 && plain < events-related:
				take, plain, event = true, plain+1, entity.UUID
			}
		}
		if !take {
			continue
		}
		lines = append(lines, line)
		for _, uuid := range uuids.FindAllString(string(line), -1) {
			wanted[uuid] = true
		}
	}
	slices.Reverse(lines)
	return lines, event, nil
}
