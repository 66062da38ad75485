package avatar

import (
	"context"
	"errors"
	"path"
	"strconv"

	"litfass/pkg/media/blob"
)

// Folder is the folder of all avatars in a blob store; each has one of its own in it.
const Folder = "avatars"

// Store stores avatars by key. A key is never used twice, so the avatar of a key never changes.
type Store struct{ blobs *blob.Store }

// NewStore returns a store of avatars in blobs. Its keys begin with Folder.
func NewStore(blobs *blob.Store) *Store { return &Store{blobs} }

// Save stores every size of an avatar.
func (s *Store) Save(ctx context.Context, key string, images Images) error {
	for size, data := range images.Sizes {
		if err := s.blobs.Put(ctx, name(key, size), images.Type, data); err != nil {
			return err
		}
	}
	return nil
}

// Load returns one size, or blob.ErrGone.
func (s *Store) Load(ctx context.Context, key string, size int) ([]byte, error) {
	return s.blobs.Get(ctx, name(key, size))
}

// Delete removes every size; a missing one is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	var failures []error
	for _, size := range Sizes {
		failures = append(failures, s.blobs.Delete(ctx, name(key, size)))
	}
	return errors.Join(failures...)
}

func name(key string, size int) string { return path.Join(key, strconv.Itoa(size)) }
