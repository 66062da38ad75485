// Package blob stores images in a bucket: a folder, or S3.
//
// The order that loses nothing: store the blob, then the row that names it, then delete the blob
// that the row named before. Sweep finds the leftovers of a failure in between.
package blob

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
)

// ErrGone is returned for a key without a blob.
var ErrGone = errors.New("the blob store has no such image")

// Store stores bytes under keys, which are paths with slashes. A key is never used for other bytes,
// so the content of a key never changes.
type Store struct{ bucket bucket }

// Open opens the bucket of a URL: file:///absolute/folder, which is created when it is missing, or
// s3://bucket?region=… with these optional parameters: endpoint, use_path_style, disable_https,
// anonymous, profile, ssetype (AES256 or aws:kms) and kmskeyid.
func Open(_ context.Context, address string) (*Store, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("BLOB_URL cannot be read") // its text may hold a secret
	}
	var opened bucket
	switch parsed.Scheme {
	case "file":
		opened, err = openFolder(filepath.FromSlash(parsed.Path))
	case "s3":
		opened, err = openS3(parsed)
	default:
		err = errors.New("BLOB_URL begins with neither file:// nor s3://")
	}
	if err != nil {
		return nil, fmt.Errorf("open blob store: %w", err)
	}
	return &Store{opened}, nil
}

// Close releases the store's resources.
func (s *Store) Close() error { return s.bucket.close() }

// Put stores bytes of a media type.
func (s *Store) Put(ctx context.Context, key, contentType string, data []byte) error {
	if err := s.bucket.put(ctx, key, contentType, bytes.NewReader(data), int64(len(data))); err != nil {
		return fmt.Errorf("store image: %w", err)
	}
	return nil
}

// Get returns the bytes under a key, or ErrGone.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	reader, size, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }()
	data := make([]byte, size)
	if _, err := io.ReadFull(reader, data); err != nil {
		return nil, fmt.Errorf("read image: %w", err)
	}
	return data, nil
}

// Open returns a reader of the bytes under a key and their number, or ErrGone. The reader works
// until ctx ends. Close it.
func (s *Store) Open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	reader, size, err := s.bucket.open(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrGone
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read image: %w", err)
	}
	return reader, size, nil
}

// GetRange returns length bytes under a key from an offset, or ErrGone. Where the blob ends earlier
// they are fewer.
func (s *Store) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	reader, err := s.bucket.openRange(ctx, key, offset, length)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("read a part of a blob: %w", err)
	}
	defer func() { _ = reader.Close() }()
	data, err := io.ReadAll(io.LimitReader(reader, length))
	if err != nil {
		return nil, fmt.Errorf("read a part of a blob: %w", err)
	}
	return data, nil
}

// Copy copies a blob to another key, or returns ErrGone. It never holds a whole blob in memory: S3
// copies within itself, and a folder copies piece by piece.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	err := s.bucket.copy(ctx, from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrGone
	}
	if err != nil {
		return fmt.Errorf("copy image: %w", err)
	}
	return nil
}

// Delete removes the blob of a key. It returns no error if there is none.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := s.bucket.remove(ctx, key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete image: %w", err)
	}
	return nil
}

// DeleteFolder removes all blobs below a folder. It continues after a failure, and returns the
// errors.
func (s *Store) DeleteFolder(ctx context.Context, folder string) error {
	var failures []error
	err := s.walk(ctx, folder, func(object object) {
		failures = append(failures, s.Delete(ctx, object.key))
	})
	return errors.Join(append(failures, err)...)
}

// walk calls use with every blob below a folder, or with all blobs for "".
func (s *Store) walk(ctx context.Context, folder string, use func(object)) error {
	if err := s.bucket.list(ctx, folder, use); err != nil {
		return fmt.Errorf("list images: %w", err)
	}
	return nil
}

// copyTo stores a blob under the same key of another store, piece by piece.
func (s *Store) copyTo(ctx context.Context, to *Store, key string) error {
	reader, size, err := s.Open(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	content := bufio.NewReader(reader)
	start, _ := content.Peek(512) // a shorter blob is an io.EOF
	if err := to.bucket.put(ctx, key, http.DetectContentType(start), content, size); err != nil {
		return fmt.Errorf("copy image %s: %w", key, err)
	}
	return nil
}
