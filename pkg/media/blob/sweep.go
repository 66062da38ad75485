package blob

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Sweep deletes the images of a folder that no row names, and returns the number of deleted blobs.
// live has the names in use, of entries directly below the folder: 1 for event/1/original in the
// folder event. Blobs stored after before stay, since their rows may not exist yet: before must be
// earlier than the reading of live by more than an upload can take.
func (s *Store) Sweep(
	ctx context.Context, folder string, live map[string]bool, before time.Time,
) (deleted int, err error) {
	var failures []error
	err = s.walk(ctx, folder, func(object object) {
		name, _, _ := strings.Cut(strings.TrimPrefix(object.key, folder+"/"), "/")
		if live[name] || !object.modified.Before(before) {
			return
		}
		if err := s.Delete(ctx, object.key); err != nil {
			failures = append(failures, err)
			return
		}
		deleted++
	})
	return deleted, errors.Join(append(failures, err)...)
}
