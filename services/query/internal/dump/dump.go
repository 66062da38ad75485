// Package dump writes the whole public catalogue to files once a day, and describes them as open
// data. A dump is a folder that appears under its name when it is complete, so a reader never sees
// half of one, and files of two dumps are never mixed.
//
// Several query services may share a folder: one of them writes, and all serve its files. The walk
// through the index is slower than the index could answer, so that searches hardly notice it.
package dump

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"litfass/services/query/internal/feed"
	"litfass/services/query/internal/lists"
)

const (
	// perQuestion is the number of events in one question to the engine.
	perQuestion = 100
	// share is how many times as long as a question took the walk pauses after it.
	share = 4
	// retry is the time after which a dump that failed, or that another service writes, is tried
	// again.
	retry = time.Minute
	// kept is the number of dumps that stay: that before the last is still being read.
	kept = 2
)

// Source reads the catalogue; see lists.Reader.
type Source interface {
	EventsAfter(ctx context.Context, after string, limit int) ([]lists.EventRecord, error)
	ValueSets(ctx context.Context) (lists.ValueSets, error)
}

// Options are the parts of a Dumper.
type Options struct {
	Folder   string
	Source   Source
	Check    func(ctx context.Context) error // that the index is complete
	Site     feed.Site
	Language string         // of the names of types and categories
	At       TimeOfDay      // when a dump is due
	Zone     *time.Location // of that time
	Now      func() time.Time
	Log      *slog.Logger
}

// Dumper writes dumps to a folder, and reads them.
type Dumper struct{ Options }

// New returns a dumper.
func New(o Options) *Dumper { return &Dumper{o} }

// TimeOfDay is a number of minutes since midnight, on the clock of a zone.
type TimeOfDay int

// UnmarshalText reads HH:MM.
func (t *TimeOfDay) UnmarshalText(text []byte) error {
	at, err := time.Parse("15:04", string(text))
	if err != nil {
		return fmt.Errorf("%q is not a time of day such as 03:30", text)
	}
	*t = TimeOfDay(at.Hour()*60 + at.Minute())
	return nil
}

// Run writes each dump that is due until ctx ends, and the first one at once. A nil dumper writes
// none.
func (d *Dumper) Run(ctx context.Context) error {
	if d == nil {
		return nil
	}
	for {
		wait := time.Until(d.Next())
		if err := d.WriteDue(ctx); err != nil && ctx.Err() == nil {
			level := slog.LevelWarn
			if errors.Is(err, errTaken) || errors.Is(err, errEmpty) {
				level = slog.LevelDebug
			}
			d.Log.Log(ctx, level, "the catalogue was not dumped", "error", err, "retry", retry)
			wait = retry
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// Next returns the moment when the next dump is due.
func (d *Dumper) Next() time.Time { return d.dueOn(d.due(), 1) }

// due returns the last moment when a dump was due.
func (d *Dumper) due() time.Time {
	now := d.Now().In(d.Zone)
	if due := d.dueOn(now, 0); !due.After(now) {
		return due
	}
	return d.dueOn(now, -1)
}

// dueOn returns the moment of a dump some days after a moment.
func (d *Dumper) dueOn(at time.Time, days int) time.Time {
	at = at.In(d.Zone)
	return time.Date(at.Year(), at.Month(), at.Day()+days, 0, int(d.At), 0, 0, d.Zone)
}

// The names of folders: of a dump by when it was due, and of one that is being written.
const (
	nameLayout = "20060102T150405Z"
	unfinished = ".part"
)

var dumpName = regexp.MustCompile(`^\d{8}T\d{6}Z$`)

// errTaken means that another service writes the dump.
var errTaken = errors.New("another service is writing a dump")

// errEmpty means that there is nothing to dump, as in a new installation.
var errEmpty = errors.New("the catalogue is empty")

// WriteDue writes the dump that was due last, unless it exists. Of several services that share the
// folder one writes it, and the others get an error.
func (d *Dumper) WriteDue(ctx context.Context) error {
	if err := os.MkdirAll(d.Folder, 0o755); err != nil { //nolint:gosec // for all services that share the folder
		return err
	}
	folder := filepath.Join(d.Folder, d.due().UTC().Format(nameLayout))
	if exists(folder) {
		return nil
	}
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if exists(folder) { // written meanwhile
		return nil
	}
	if err := d.Check(ctx); err != nil {
		return err
	}
	part := folder + unfinished
	if err := errors.Join(d.removeUnfinished(), os.Mkdir(part, 0o755)); err != nil { //nolint:gosec // as above
		return err
	}
	began := d.Now()
	written, err := d.write(ctx, part)
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	if err := os.Rename(part, folder); err != nil {
		return err
	}
	d.Log.Info("dumped the catalogue", "folder", folder, "events", written.Events, "dates", written.Dates, "took", d.Now().Sub(began))
	return d.removeOld()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// lock takes the folder for this process until unlock. The system gives it back when the process
// dies.
func (d *Dumper) lock() (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(d.Folder, ".lock"), os.O_CREATE|os.O_RDWR, 0o644) //nolint:gosec // as above
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(errTaken, file.Close())
	}
	return func() { _ = file.Close() }, nil
}

// dumps returns the names of the dumps, the last one first.
func (d *Dumper) dumps() ([]string, error) {
	entries, err := os.ReadDir(d.Folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range slices.Backward(entries) {
		if dumpName.MatchString(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

func (d *Dumper) removeOld() error {
	names, err := d.dumps()
	if err != nil {
		return err
	}
	for _, name := range names[min(len(names), kept):] {
		err = errors.Join(err, os.RemoveAll(filepath.Join(d.Folder, name)))
	}
	return err
}

// removeUnfinished removes what services left that died while they wrote.
func (d *Dumper) removeUnfinished() (err error) {
	left, _ := filepath.Glob(filepath.Join(d.Folder, "*"+unfinished)) // a pattern without a mistake
	for _, part := range left {
		err = errors.Join(err, os.RemoveAll(part))
	}
	return err
}
