package client_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPathsStandInOnePlace: no other package of the console names an operation of a service.
func TestPathsStandInOnePlace(t *testing.T) {
	read := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") ||
			filepath.Ext(path) != ".go" && filepath.Ext(path) != ".templ" {
			return err
		}
		if folder := filepath.Base(filepath.Dir(path)); folder == "client" || folder == "pagetest" {
			return nil
		}
		content, err := os.ReadFile(path)
		read++
		if strings.Contains(string(content), `"/api/admin`) {
			t.Errorf("%s names an operation of the admin service", path)
		}
		return err
	})
	if err != nil || read < 100 {
		t.Errorf("%d files read, %v", read, err)
	}
}
