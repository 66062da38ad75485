package images

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Picture is the bytes of a variant: Bytes of a small one, which are shared and must not be
// changed; of another one a reader of the store, to be closed.
type Picture struct {
	Bytes  []byte
	Stream io.ReadCloser // nil for a small one
	Size   int
}

// open returns a variant that is stored, or blob.ErrGone.
func (s *Service) open(ctx context.Context, shown Shown) (Picture, error) {
	if data, found := s.hot.get(shown.key); found {
		return Picture{Bytes: data, Size: len(data)}, nil
	}
	// A large one is read after the request's handler has returned, so its time is its own.
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	reader, size, err := s.Blobs.Open(reading, shown.key)
	if err != nil {
		cancel()
		return Picture{}, err
	}
	stream := &stream{reader, cancel}
	if size > hotMost {
		return Picture{Stream: stream, Size: int(size)}, nil
	}
	data := make([]byte, size)
	_, err = io.ReadFull(stream, data)
	if err := errors.Join(err, stream.Close()); err != nil {
		return Picture{}, fmt.Errorf("read picture: %w", err)
	}
	s.hot.put(shown.key, data)
	return Picture{Bytes: data, Size: len(data)}, nil
}

// stream is a reader of the store with what ends its time.
type stream struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close ends the reading.
func (s *stream) Close() error {
	defer s.cancel()
	return s.ReadCloser.Close()
}
