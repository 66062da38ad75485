// Package variants serves the images of a blob store in the requested variants.
//
// A variant is drawn on its first request and stored next to its original, so that every process
// and every restart has it, and it is deleted with the original; imaging.Parse limits the number of
// variants. Small variants in demand stay in memory; others are streamed from the store. The caller
// decides who may see an image.
package variants

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"golang.org/x/sync/singleflight"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
)

const (
	// drawTime bounds the drawing of a variant, with the wait for its turn.
	drawTime = 10 * time.Second
	// readTime bounds how long the store may take to open an image, and for each part of it.
	readTime = time.Minute
)

// Options configure a Service.
type Options struct {
	Blobs    *blob.Store     // nil: images are answered with Unavailable
	Budget   *imaging.Budget // of all drawings at once, with the originals that they read
	HotBytes int             // of memory for small variants that are asked for often; 0 keeps none
}

// Service draws and opens variants. It is safe for concurrent use.
type Service struct {
	Options
	hot     *hot
	flights singleflight.Group
}

// New returns a service.
func New(options Options) *Service {
	return &Service{Options: options, hot: newHot(options.HotBytes)}
}

// Image is the stored description of an image, without its pixels.
type Image struct {
	UUID           string
	MimeType       string
	Width, Height  int      // in pixels
	FocusX, FocusY *float64 // 0 to 1; nil: the middle
}

// Variant is a variant of an image, without its bytes.
type Variant struct {
	Type    string // image/jpeg or image/png
	Tag     string // an ETag, which differs for other bytes
	Version string // follows the uuid in the URL of a public image

	image Image
	key   string // in the blob store
	focus imaging.Focus
	shape imaging.Variant
}

// Of returns a variant of an image, as imaging.Parse has read it. It reads nothing: the image may
// have no original.
func Of(m Image, shape imaging.Variant) Variant {
	v := Variant{
		image: m, focus: imaging.FocusAt(m.FocusX, m.FocusY), shape: shape.Of(imaging.TypeOf(m.MimeType)),
	}
	v.Type, v.Version = v.shape.Type.ContentType(), imaging.Version(m.UUID, v.focus)
	v.key = blob.VariantKey(m.UUID, v.shape.Key(v.focus))
	sum := sha256.Sum256([]byte(v.key))
	v.Tag = `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return v
}

// Open returns the bytes of a variant, and draws it first if it is not stored yet. The faults:
// NotFound when the store has no original, Unavailable without a store or when it takes too long to
// draw.
func (s *Service) Open(ctx context.Context, v Variant) (Content, error) {
	if s.Blobs == nil {
		return Content{}, fault.New(fault.Unavailable, "no_blob_store", "this service has no place for images")
	}
	stored, err := s.open(ctx, v.key)
	if !errors.Is(err, blob.ErrGone) {
		return stored, err
	}
	return s.drawOnce(ctx, v)
}

// drawOnce returns a variant that was not stored yet. Requests for the same one wait for one
// drawing, which continues when the request that began it ends.
func (s *Service) drawOnce(ctx context.Context, v Variant) (Content, error) {
	drawing := s.flights.DoChan(v.key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawTime)
		defer cancel()
		return nil, s.draw(ctx, v)
	})
	select {
	case <-ctx.Done():
		return Content{}, fault.Wrap(ctx.Err(), fault.Unavailable, "busy",
			"too many images are being drawn; try again in a moment")
	case done := <-drawing:
		if done.Err != nil {
			return Content{}, done.Err
		}
	}
	stored, err := s.open(ctx, v.key)
	if errors.Is(err, blob.ErrGone) { // deleted since
		return Content{}, NoImage()
	}
	return stored, err
}

// draw draws a variant of the original and stores it.
func (s *Service) draw(ctx context.Context, v Variant) error {
	reader, size, err := s.Blobs.Open(ctx, blob.OriginalKey(v.image.UUID))
	if errors.Is(err, blob.ErrGone) {
		return NoImage()
	}
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	original := imaging.Original{
		Size: image.Pt(v.image.Width, v.image.Height), Bytes: size,
		Read: func(context.Context) ([]byte, error) { return readAll(reader, size) },
	}
	drawn, err := imaging.DrawOriginal(ctx, s.Budget, original, v.focus, v.shape)
	if err != nil {
		return unreadable(err)
	}
	return s.Blobs.Put(ctx, v.key, v.Type, drawn.Data)
}

// readAll returns the bytes of a reader of the store, which are so many.
func readAll(reader io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size)
	if _, err := io.ReadFull(reader, data); err != nil {
		return nil, fmt.Errorf("read image: %w", err)
	}
	return data, nil
}

// NoImage returns the NotFound fault of an image that does not exist, or may not be seen.
func NoImage() error {
	return fault.New(fault.NotFound, "image_not_found", "there is no such image")
}

// unreadable returns the fault of an original that cannot be drawn: not that of the client.
func unreadable(err error) error {
	if fault.Is(err, fault.Unavailable) {
		return err
	}
	return fmt.Errorf("draw a stored original: %v", err) //nolint:errorlint // its kind would blame the client
}
