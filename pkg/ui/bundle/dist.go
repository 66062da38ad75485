package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// manifest is the file with the paths of the files by name. Package asset reads it.
const manifest = "manifest.json"

// placeholder is the one file of the folder that is committed.
const placeholder = "README.md"

// Named returns a file under a path by its content.
func Named(name string, content []byte) File {
	sum := sha256.Sum256(content)
	extension := filepath.Ext(name)
	hash := base32.StdEncoding.EncodeToString(sum[:5])
	return File{Name: name, Path: strings.TrimSuffix(name, extension) + "-" + hash + extension, Content: content}
}

// write makes a folder hold exactly these files and their manifest. The manifest is written after
// the files that it names, and other files are deleted last, so that a build at the same time finds
// every file that it reads.
func write(folder string, files []File) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	names := map[string]string{}
	keep := map[string]bool{manifest: true, placeholder: true}
	for _, f := range files {
		if f.Name != "" {
			names[f.Name] = f.Path
		}
		keep[f.Path] = true
		if err := replace(filepath.Join(folder, f.Path), f.Content); err != nil {
			return err
		}
	}
	content, err := json.MarshalIndent(names, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(folder, manifest), append(content, '\n')); err != nil {
		return err
	}
	return remove(folder, keep)
}

// replace writes a file unless it has that content already.
func replace(path string, content []byte) error {
	present, err := os.ReadFile(path)
	if err == nil && bytes.Equal(present, content) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(path+".new", content, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// remove deletes the other files of a folder.
func remove(folder string, keep map[string]bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !keep[entry.Name()] {
			if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
