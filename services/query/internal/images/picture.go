package images

import (
	"context"
	"io"
)

// Picture is the bytes of a variant, read from the store as they are asked for.
type Picture struct {
	io.Reader
	Size   int64
	close  func() error
	cancel context.CancelFunc
}

// Close ends the reading.
func (p *Picture) Close() error {
	defer p.cancel()
	return p.close()
}

// open returns a variant that is stored, or blob.ErrGone. It is read after the request's handler
// has returned, so its time is its own.
func (s *Service) open(ctx context.Context, shown Shown) (*Picture, error) {
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	reader, size, err := s.Blobs.Open(reading, shown.key())
	if err != nil {
		cancel()
		return nil, err
	}
	return &Picture{Reader: reader, Size: size, close: reader.Close, cancel: cancel}, nil
}
