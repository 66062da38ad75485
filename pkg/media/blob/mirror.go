package blob

import (
	"context"
	"errors"
	"path"
	"strings"
)

// Mirrored counts the images that Mirror copied, found already copied, and deleted.
type Mirrored struct{ Copied, Kept, Deleted int }

// Mirror copies to another store the images that it lacks, except variants, which are drawn again
// on request. With prune it deletes the images there that this store does not have. It leaves out
// an image that is deleted here meanwhile, continues after a failure, and returns the errors.
func (s *Store) Mirror(ctx context.Context, to *Store, prune bool) (Mirrored, error) {
	var done Mirrored
	there := map[string]bool{} // by key; false for a key of this store
	if err := to.walk(ctx, "", func(object object) { there[object.key] = true }); err != nil {
		return done, err
	}
	var failures []error
	err := s.walk(ctx, "", func(object object) {
		if isVariant(object.key) {
			return
		}
		if _, known := there[object.key]; known {
			there[object.key] = false
			done.Kept++
			return
		}
		switch err := s.copyTo(ctx, to, object.key); {
		case err == nil:
			done.Copied++
		case !errors.Is(err, ErrGone):
			failures = append(failures, err)
		}
	})
	failures = append(failures, err)
	if err == nil && prune {
		for key, left := range there {
			if left {
				failures = append(failures, to.Delete(ctx, key))
				done.Deleted++
			}
		}
	}
	return done, errors.Join(failures...)
}

// isVariant reports whether a key is that of a variant of an image.
func isVariant(key string) bool {
	return strings.HasPrefix(key, Images+"/") && key != OriginalKey(path.Base(path.Dir(key)))
}
