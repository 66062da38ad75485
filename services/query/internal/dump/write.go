package dump

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"os"
	"path/filepath"
	"time"

	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/lists"
)

// The files of a dump, besides its manifest.
const (
	FileJSON     = "events.jsonl.gz"
	FileCSV      = "events.csv"
	FileXLSX     = "events.xlsx"
	manifestFile = "manifest.json"
)

// contentTypes are the types of the files, in their order.
var contentTypes = []struct{ name, contentType string }{
	{FileJSON, "application/gzip"}, {FileCSV, "text/csv; charset=utf-8; header=present"}, {FileXLSX, feed.ContentTypeXLSX},
}

// output is a file of which the size and the digest are known when it is closed.
type output struct {
	*bufio.Writer

	file *os.File
	sum  hash.Hash
	size int64
}

func create(path string) (*output, error) {
	file, err := os.Create(path) //nolint:gosec // below the folder of the setting
	if err != nil {
		return nil, err
	}
	o := &output{file: file, sum: sha256.New()}
	o.Writer = bufio.NewWriterSize(counter{o}, 64<<10)
	return o, nil
}

// counter writes to the file of an output, and counts.
type counter struct{ *output }

func (c counter) Write(data []byte) (int, error) {
	n, err := c.file.Write(data)
	c.size += int64(n)
	_, _ = c.sum.Write(data[:n]) // a hash takes everything
	return n, err
}

// close ends the file and returns its description.
func (o *output) close(name, contentType string) (File, error) {
	err := errors.Join(o.Flush(), o.file.Sync(), o.file.Close())
	return File{Name: name, ContentType: contentType, Size: o.size, SHA256: hex.EncodeToString(o.sum.Sum(nil))}, err
}

// files are the files of a dump while they are written.
type files struct {
	outputs []*output // in the order of contentTypes
	lines   *gzip.Writer
	tables  []feed.Table // of CSV and XLSX
	full    bool         // the spreadsheet is
}

func (d *Dumper) create(folder string) (*files, error) {
	f := &files{}
	for _, one := range contentTypes {
		o, err := create(filepath.Join(folder, one.name))
		if err != nil {
			return nil, errors.Join(err, f.abandon())
		}
		f.outputs = append(f.outputs, o)
	}
	f.lines = gzip.NewWriter(f.outputs[0])
	table, err := feed.NewCSV(f.outputs[1], d.Site, true)
	if err == nil {
		f.tables = append(f.tables, table)
		table, err = feed.NewXLSX(f.outputs[2], d.Site, true)
		f.tables = append(f.tables, table)
	}
	if err != nil {
		return nil, errors.Join(err, f.abandon())
	}
	return f, nil
}

// abandon closes the files as they are.
func (f *files) abandon() (err error) {
	for _, o := range f.outputs {
		err = errors.Join(err, o.file.Close())
	}
	return err
}

// add writes an event, and its dates.
func (f *files) add(event lists.EventRecord, items []feed.Item) error {
	line, err := value.JSON(event.Event)
	if err != nil {
		return err
	}
	if _, err := f.lines.Write(append(line, '\n')); err != nil {
		return err
	}
	for _, i := range items {
		for n, table := range f.tables {
			if n == 1 && f.full {
				continue
			}
			err := table.Add(i)
			if f.full = f.full || errors.Is(err, feed.ErrFull); err != nil && !f.full {
				return err
			}
		}
	}
	return nil
}

// close ends the files and returns their descriptions. A spreadsheet that would lack dates is
// removed.
func (f *files) close() (list []File, err error) {
	err = errors.Join(f.lines.Close(), f.tables[0].Close(), f.tables[1].Close())
	for n, o := range f.outputs {
		one, closeErr := o.close(contentTypes[n].name, contentTypes[n].contentType)
		err = errors.Join(err, closeErr)
		list = append(list, one)
	}
	if f.full {
		err = errors.Join(err, os.Remove(f.outputs[2].file.Name()))
		list = list[:2]
	}
	return list, err
}

// write writes the files of a dump, and then its manifest.
func (d *Dumper) write(ctx context.Context, folder string) (m Manifest, err error) {
	f, err := d.create(folder)
	if err != nil {
		return m, err
	}
	if err := d.walk(ctx, f, &m); err != nil {
		return m, errors.Join(err, f.abandon())
	}
	if m.Files, err = f.close(); err == nil && m.Events == 0 {
		err = errEmpty
	}
	if err != nil {
		return m, err
	}
	m.Modified = d.Now().UTC().Truncate(time.Second)
	data, err := json.Marshal(m)
	if err != nil {
		return m, err
	}
	return m, os.WriteFile(filepath.Join(folder, manifestFile), data, 0o644) //nolint:gosec // for all services that share the folder
}

// walk writes every event of the index.
func (d *Dumper) walk(ctx context.Context, f *files, m *Manifest) error {
	sets, err := d.Source.ValueSets(ctx)
	if err != nil {
		return err
	}
	for after := ""; ; {
		began := time.Now()
		events, err := d.Source.EventsAfter(ctx, after, perQuestion)
		if err != nil {
			return err
		}
		for _, event := range events {
			items := feed.Of(event.Event, event.Revision, event.ChangedAt)
			for n := range items {
				items[n] = sets.Translate(items[n], d.Language)
			}
			if err := f.add(event, items); err != nil {
				return err
			}
			m.count(items)
			after = event.UUID
		}
		if len(events) < perQuestion {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(share * time.Since(began)):
		}
	}
}

// count adds the dates of an event.
func (m *Manifest) count(items []feed.Item) {
	m.Events++
	for _, i := range items {
		m.Dates++
		last := max(i.StartDate, string(i.EndDate))
		if m.FirstDay == "" || i.StartDate < m.FirstDay {
			m.FirstDay = i.StartDate
		}
		m.LastDay = max(m.LastDay, last)
		if i.VenueLat != nil && i.VenueLon != nil {
			m.enclose(*i.VenueLon, *i.VenueLat)
		}
	}
}

// enclose extends the box of the dump to a point.
func (m *Manifest) enclose(lon, lat float64) {
	if m.Box == nil {
		m.Box = &Box{lon, lat, lon, lat}
	}
	b := m.Box
	b.West, b.South, b.East, b.North = min(b.West, lon), min(b.South, lat), max(b.East, lon), max(b.North, lat)
}
