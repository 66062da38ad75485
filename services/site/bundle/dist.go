package main

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

// manifest is the file that says which file has which name. The package asset reads it.
const manifest = "manifest.json"

// placeholder is the one file of the folder that is committed.
const placeholder = "README.md"

// named returns a file under a name by its content.
func named(name string, content []byte) file {
	sum := sha256.Sum256(content)
	extension := filepath.Ext(name)
	hash := base32.StdEncoding.EncodeToString(sum[:5])
	return file{name: name, path: strings.TrimSuffix(name, extension) + "-" + hash + extension, content: content}
}

// write makes a folder hold these files and their manifest alone. The manifest comes after the
// files that it names, and others go last: a build at the same time finds what it reads.
func write(folder string, files []file) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	names := map[string]string{}
	kept := map[string]bool{manifest: true, placeholder: true}
	for _, f := range files {
		if f.name != "" {
			names[f.name] = f.path
		}
		kept[f.path] = true
		if err := replace(filepath.Join(folder, f.path), f.content); err != nil {
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
	return remove(folder, kept)
}

// replace makes a file hold a content, unless it does.
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

// remove deletes the files of a folder that are not kept.
func remove(folder string, kept map[string]bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !kept[entry.Name()] {
			if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
