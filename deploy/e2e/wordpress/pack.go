// Package wordpress packs the plugin of deploy/clients/wordpress and tests it. What needs no PHP is
// tested with all other tests; with the build tag wordpress, a test also uses the plugin in a
// WordPress of its own.
package wordpress

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// root is the folder of the plugin's files in the archive.
const root = "litfass/"

// Pack writes the archive that WordPress installs: the plugin's files, the catalogue to translate,
// and each translation in the form that WordPress reads. The same files give the same bytes.
func Pack(plugin fs.FS, into io.Writer) error {
	files, err := contents(plugin)
	if err != nil {
		return err
	}
	archive := zip.NewWriter(into)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		// Archives have no times before 1980.
		header := &zip.FileHeader{Name: root + name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		header.SetMode(0o644)
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(files[name]); err != nil {
			return err
		}
	}
	return archive.Close()
}

// contents returns the files of the archive by their names.
func contents(plugin fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(plugin, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[name], err = fs.ReadFile(plugin, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	texts, err := Texts(plugin)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Collect(maps.Keys(files)) {
		if path.Ext(name) == ".po" {
			catalogue, err := ReadPO(files[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			files[strings.TrimSuffix(name, ".po")+".mo"] = catalogue.MO()
		}
	}
	files["languages/litfass.pot"] = Template(texts)
	return files, nil
}
