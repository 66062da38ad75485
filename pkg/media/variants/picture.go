package variants

import (
	"context"
	"errors"
	"io"

	"github.com/gofiber/fiber/v2"
)

// Picture is the bytes of a variant: Bytes of a small one that is kept in memory, which are shared
// and must not be changed; of another one a reader of the store, to be closed.
type Picture struct {
	Bytes  []byte
	Stream io.ReadCloser // nil for one in memory
	Size   int
}

// Send makes the picture the body of an answer, which closes its reader.
func (p Picture) Send(c *fiber.Ctx, contentType string) {
	c.Set(fiber.HeaderContentType, contentType)
	if p.Stream != nil {
		c.Context().SetBodyStream(p.Stream, p.Size)
		return
	}
	c.Response().SetBodyRaw(p.Bytes)
}

// open returns a variant that is stored, or blob.ErrGone.
func (s *Service) open(ctx context.Context, key string) (Picture, error) {
	if data, found := s.hot.get(key); found {
		return Picture{Bytes: data, Size: len(data)}, nil
	}
	// A large one is read after the request's handler has returned, so its time is its own.
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	reader, size, err := s.Blobs.Open(reading, key)
	if err != nil {
		cancel()
		return Picture{}, err
	}
	stream := &stream{reader, cancel}
	if !s.hot.takes(size) {
		return Picture{Stream: stream, Size: int(size)}, nil
	}
	data, err := readAll(stream, size)
	if err := errors.Join(err, stream.Close()); err != nil {
		return Picture{}, err
	}
	s.hot.put(key, data)
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
