package blob

import (
	"context"
	"io"
	"time"
)

// bucket is the storage of a Store. An object that does not exist is fs.ErrNotExist.
type bucket interface {
	put(ctx context.Context, key, contentType string, content io.Reader, size int64) error
	open(ctx context.Context, key string) (content io.ReadCloser, size int64, err error)
	// openRange returns a reader of an object from an offset. It may go on after length bytes.
	openRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	copy(ctx context.Context, from, to string) error
	remove(ctx context.Context, key string) error
	// list calls use with every object below a folder, or with all objects for "".
	list(ctx context.Context, folder string, use func(object)) error
	close() error
}

// object is an entry of a bucket's list.
type object struct {
	key      string
	modified time.Time
}
