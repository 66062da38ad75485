package avatar

import (
	"context"
	"errors"
	"path"
	"strconv"

	"litfass/pkg/blob"
)

// Store keeps pictures under keys of their own. A key is never used twice, so what it holds never
// changes.
type Store struct{ blobs *blob.Store }

// OpenStore opens the blob store of a URL as blob.Open does.
func OpenStore(ctx context.Context, address string) (*Store, error) {
	blobs, err := blob.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	return &Store{blobs}, nil
}

// Close gives up the connection to the store.
func (s *Store) Close() error { return s.blobs.Close() }

// Save stores every size of the picture.
func (s *Store) Save(ctx context.Context, key string, picture Picture) error {
	for size, data := range picture.Sizes {
		if err := s.blobs.Put(ctx, name(key, size), picture.Type, data); err != nil {
			return err
		}
	}
	return nil
}

// Load returns one size, or blob.ErrGone.
func (s *Store) Load(ctx context.Context, key string, size int) ([]byte, error) {
	return s.blobs.Get(ctx, name(key, size))
}

// Delete removes every size; one that is not there is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	var failures []error
	for _, size := range Sizes {
		failures = append(failures, s.blobs.Delete(ctx, name(key, size)))
	}
	return errors.Join(failures...)
}

func name(key string, size int) string { return path.Join(key, strconv.Itoa(size)) }
