package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litfass/pkg/media/blob"
	"litfass/services/site/internal/basemap"
)

// TestMapFile: a path, an object of the blob store, or the archive of the program.
func TestMapFile(t *testing.T) {
	archive, err := os.ReadFile(filepath.Join("internal", "basemap", "europe.pmtiles"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "kiel.pmtiles")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	store := "file://" + filepath.ToSlash(filepath.Join(folder, "blobs"))
	blobs, err := blob.Open(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	if err := blobs.Put(t.Context(), "maps/kiel.pmtiles", "application/vnd.pmtiles", archive); err != nil {
		t.Fatal(err)
	}
	for name, variables := range map[string][2]string{"none": {"", ""}, "a path": {file, ""}, "a blob": {"blob:maps/kiel.pmtiles", store}} {
		m, err := openMap(t.Context(), variables[0], variables[1])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		content, _, err := m.Tile(t.Context(), 8, 135, 81)
		if err != nil || len(content) == 0 || m.Address() != basemap.Embedded().Address() {
			t.Errorf("%s: a tile of %d bytes, %v", name, len(content), err)
		}
	}
	for name, variables := range map[string][2]string{
		"no file": {filepath.Join(folder, "none"), ""}, "no archive": {filepath.Join("internal", "basemap", "box.go"), ""},
		"no store": {"blob:maps/kiel.pmtiles", ""}, "no blob": {"blob:maps/none.pmtiles", store}, "a folder": {folder, ""},
	} {
		if _, err := openMap(t.Context(), variables[0], variables[1]); err == nil || !strings.HasPrefix(err.Error(), "MAP_FILE: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
