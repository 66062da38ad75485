package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// lockfile is npm's package-lock.json as far as it is read here. The package ""
// is the one that asks for the others.
type lockfile struct {
	Name            string                    `json:"name"`
	LockfileVersion int                       `json:"lockfileVersion"`
	Requires        bool                      `json:"requires"`
	Packages        map[string]map[string]any `json:"packages"`
}

// lockOf returns the package.json and package-lock.json that ask for one of the
// locked packages alone, and insist on it. The file in the source tree calls
// every package optional, because each is for one platform; but an optional
// package that cannot be fetched, or does not match its checksum, npm passes
// over in silence.
func lockOf(source, name string) (manifest, lock []byte, err error) {
	path := filepath.Join(source, "package-lock.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var all lockfile
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	wanted, locked := all.Packages["node_modules/"+name]
	if !locked || wanted["integrity"] == nil {
		return nil, nil, fmt.Errorf("%s does not lock %s", path, name)
	}
	delete(wanted, "optional")
	root := map[string]any{"name": all.Name, "dependencies": map[string]any{name: wanted["version"]}}
	all.Packages = map[string]map[string]any{"": root, "node_modules/" + name: wanted}
	if manifest, err = json.Marshal(root); err != nil {
		return nil, nil, err
	}
	lock, err = json.Marshal(all)
	return manifest, lock, err
}
