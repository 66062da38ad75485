package variants

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Content is the content of a variant: Bytes of a small cached one, which are shared and must not
// change, or Stream for a large one.
type Content struct {
	Bytes  []byte
	Stream io.ReadCloser // nil for one in memory
	Size   int
}

// Send makes the image the body of an answer, which closes its reader.
func (p Content) Send(c *fiber.Ctx, contentType string) {
	c.Set(fiber.HeaderContentType, contentType)
	if p.Stream != nil {
		c.Context().SetBodyStream(p.Stream, p.Size)
		return
	}
	c.Response().SetBodyRaw(p.Bytes)
}

// open returns a variant that is stored, or blob.ErrGone.
func (s *Service) open(ctx context.Context, key string) (Content, error) {
	if data, found := s.hot.get(key); found {
		return Content{Bytes: data, Size: len(data)}, nil
	}
	// A large one is read after the request's handler has returned, for as long as its client takes.
	reading, cancel := context.WithCancel(context.WithoutCancel(ctx))
	opened := time.AfterFunc(readTime, cancel)
	defer opened.Stop()
	reader, size, err := s.Blobs.Open(reading, key)
	if err != nil {
		cancel()
		return Content{}, err
	}
	stream := &stream{reader, cancel}
	if !s.hot.takes(size) {
		return Content{Stream: stream, Size: int(size)}, nil
	}
	data, err := readAll(stream, size)
	if err := errors.Join(err, stream.Close()); err != nil {
		return Content{}, err
	}
	s.hot.put(key, data)
	return Content{Bytes: data, Size: len(data)}, nil
}

// stream is a reader of the store with the function that ends its reading.
type stream struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Read reads a part. The store has a time for each: how long all take is up to the client.
func (s *stream) Read(p []byte) (int, error) {
	timer := time.AfterFunc(readTime, s.cancel)
	defer timer.Stop()
	return s.ReadCloser.Read(p)
}

// Close ends the reading.
func (s *stream) Close() error {
	defer s.cancel()
	return s.ReadCloser.Close()
}
