package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// lockfile is the part of npm's package-lock.json that is read here. The package "" lists the
// others as dependencies.
type lockfile struct {
	Name            string                    `json:"name"`
	LockfileVersion int                       `json:"lockfileVersion"`
	Requires        bool                      `json:"requires"`
	Packages        map[string]map[string]any `json:"packages"`
}

// lockOf returns a package.json and a package-lock.json that require one of the locked packages.
// The file in the source tree makes every package optional, because each is for one platform; but
// npm silently skips an optional package that cannot be fetched or does not match its checksum.
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
