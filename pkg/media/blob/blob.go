// Package blob keeps pictures in a bucket: a folder, or S3.
//
// The order that loses nothing: first the blob is stored, then the row that names it, then the blob
// that the row named before is deleted. What a failure in between leaves behind, Sweep finds.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3://bucket?region=…&endpoint=…
	"gocloud.dev/gcerrors"
)

// ErrGone is returned for a key that nothing lies under.
var ErrGone = errors.New("the blob store has no such picture")

// Store keeps bytes under keys, which are paths of slashes. A key is never used for other bytes, so
// what it holds never changes.
type Store struct{ bucket *blob.Bucket }

// Open opens the bucket of a URL: file:///absolute/folder, which is made when it is missing, or
// s3://bucket with the parameters of gocloud.dev/blob/s3blob.
func Open(ctx context.Context, address string) (*Store, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("BLOB_URL cannot be read") // its text may hold a secret
	}
	var bucket *blob.Bucket
	if parsed.Scheme == fileblob.Scheme {
		bucket, err = fileblob.OpenBucket(filepath.FromSlash(parsed.Path), &fileblob.Options{
			CreateDir: true,
			NoTempDir: true,                       // a rename within one file system
			Metadata:  fileblob.MetadataDontWrite, // the bytes show their type
		})
	} else {
		bucket, err = blob.OpenBucket(ctx, address)
	}
	if err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	return &Store{bucket}, nil
}

// Close gives up the connection to the store.
func (s *Store) Close() error { return s.bucket.Close() }

// Put stores bytes of a media type.
func (s *Store) Put(ctx context.Context, key, contentType string, data []byte) error {
	options := &blob.WriterOptions{ContentType: contentType, CacheControl: "private"}
	if err := s.bucket.WriteAll(ctx, key, data, options); err != nil {
		return fmt.Errorf("store picture: %w", err)
	}
	return nil
}

// Get returns the bytes under a key, or ErrGone.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	data, err := s.bucket.ReadAll(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	return data, nil
}

// Open returns a reader of the bytes under a key and how many they are, or ErrGone. The reader
// works until ctx ends. Close it.
func (s *Store) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	reader, err := s.bucket.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, 0, ErrGone
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read picture: %w", err)
	}
	return reader, reader.Size(), nil
}

// Copy stores what lies under a key under another key, too, or returns ErrGone. No memory holds it
// as a whole: S3 copies within itself, and a folder's files are copied piece by piece.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	err := s.bucket.Copy(ctx, to, from, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return ErrGone
	}
	if err != nil {
		return fmt.Errorf("copy picture: %w", err)
	}
	return nil
}

// Delete removes what lies under a key; nothing there is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := s.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return fmt.Errorf("delete picture: %w", err)
	}
	return nil
}

// DeleteFolder removes everything under the keys that begin with the folder and a slash. What it
// could not remove it leaves, and returns why.
func (s *Store) DeleteFolder(ctx context.Context, folder string) error {
	var failures []error
	err := s.walk(ctx, folder+"/", func(object *blob.ListObject) {
		failures = append(failures, s.Delete(ctx, object.Key))
	})
	return errors.Join(append(failures, err)...)
}
