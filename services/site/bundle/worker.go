package main

import (
	"bytes"
	"os"
	"path/filepath"

	"litfass/pkg/ui/bundle"
)

// addWorker returns the script of MapLibre that reads tiles beside the page. The library publishes
// it complete in one file, which pages load as a worker.
func addWorker(modules string) ([]bundle.File, error) {
	content, err := os.ReadFile(filepath.Join(modules, "maplibre-gl", "dist", "maplibre-gl-worker.mjs"))
	if err != nil {
		return nil, err
	}
	if at := bytes.LastIndex(content, []byte("\n//# sourceMappingURL=")); at >= 0 {
		content = content[:at+1]
	}
	return []bundle.File{bundle.Named("map-worker.js", content)}, nil
}
