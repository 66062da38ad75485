package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"litfass/pkg/chassis/fault"
)

// Manifest describes a dump.
type Manifest struct {
	Modified time.Time `json:"modified"`
	Events   int       `json:"events"`
	Dates    int       `json:"dates"`
	FirstDay string    `json:"first_day"` // YYYY-MM-DD, "" without dates; of the start of the first date
	LastDay  string    `json:"last_day"`  // of the end of the last date
	Box      *Box      `json:"box"`       // of the venues; nil where none has a place
	Files    []File    `json:"files"`

	folder string
}

// Box is the area between two meridians and two parallels (WGS84 degrees).
type Box struct{ West, South, East, North float64 }

// File is a file of a dump.
type File struct {
	Name        string `json:"name"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256"` // in hexadecimal digits
}

// Latest returns the last complete dump; ok is false when there is none. A nil dumper has none.
func (d *Dumper) Latest() (m Manifest, ok bool, err error) {
	if d == nil {
		return m, false, nil
	}
	names, err := d.dumps()
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		return m, false, nil
	}
	if err != nil {
		return m, false, err
	}
	m.folder = filepath.Join(d.Folder, names[0])
	data, err := os.ReadFile(filepath.Join(m.folder, manifestFile))
	if err != nil {
		return m, false, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, false, fmt.Errorf("decode the manifest of a dump: %w", err)
	}
	return m, true, nil
}

// Open opens a file of the last dump. The error is a NotFound fault when there is no such file.
func (d *Dumper) Open(name string) (of File, m Manifest, content *os.File, err error) {
	m, _, err = d.Latest()
	if err != nil {
		return of, m, nil, err
	}
	at := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
	if at < 0 {
		return of, m, nil, fault.New(fault.NotFound, "", "there is no such file")
	}
	content, err = os.Open(filepath.Join(m.folder, name))
	return m.Files[at], m, content, err
}
