package avatar

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strconv"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3://bucket?region=…&endpoint=…
	"gocloud.dev/gcerrors"
)

// Store keeps pictures by key. A key is never used twice, so the picture of a key never changes.
type Store struct{ bucket *blob.Bucket }

// OpenStore opens the bucket of a URL: file:///absolute/folder, which is created if it is missing,
// or s3://bucket with the parameters of gocloud.dev/blob/s3blob.
func OpenStore(ctx context.Context, address string) (*Store, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("BLOB_URL cannot be read") // its text may hold a secret
	}
	var bucket *blob.Bucket
	if parsed.Scheme == fileblob.Scheme {
		bucket, err = fileblob.OpenBucket(filepath.FromSlash(parsed.Path), &fileblob.Options{
			CreateDir: true,
			NoTempDir: true,                       // a rename within one file system
			Metadata:  fileblob.MetadataDontWrite, // the database knows the type
		})
	} else {
		bucket, err = blob.OpenBucket(ctx, address)
	}
	if err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	return &Store{bucket}, nil
}

// Close closes the connection to the store.
func (s *Store) Close() error { return s.bucket.Close() }

// Save stores every size of the picture.
func (s *Store) Save(ctx context.Context, key string, picture Picture) error {
	for size, data := range picture.Sizes {
		options := &blob.WriterOptions{ContentType: picture.Type, CacheControl: "private"}
		if err := s.bucket.WriteAll(ctx, name(key, size), data, options); err != nil {
			return fmt.Errorf("store avatar: %w", err)
		}
	}
	return nil
}

// ErrGone is the error of a picture that is not in the store.
var ErrGone = errors.New("the blob store has no such picture")

// Load returns one size, or ErrGone.
func (s *Store) Load(ctx context.Context, key string, size int) ([]byte, error) {
	data, err := s.bucket.ReadAll(ctx, name(key, size))
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("read avatar: %w", err)
	}
	return data, nil
}

// Delete removes every size; a missing one is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	var failures []error
	for _, size := range Sizes {
		if err := s.bucket.Delete(ctx, name(key, size)); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			failures = append(failures, fmt.Errorf("delete avatar: %w", err))
		}
	}
	return errors.Join(failures...)
}

func name(key string, size int) string { return path.Join(key, strconv.Itoa(size)) }
