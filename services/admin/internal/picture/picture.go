// Package picture decodes uploaded pictures, within a bound of memory that holds for any bytes.
package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"math"

	"litfass/pkg/fault"
)

// maxPixels is more than today's telephones take. It bounds the time that a file can cost, its cost
// the memory.
const maxPixels = 25_000_000

// Decoded is a picture as it is stored in a file: Orientation.Turn makes it upright. Do not keep
// it: its memory is reserved only while it is being used.
type Decoded struct {
	image.Image
	Orientation Orientation
}

// Decode reads a JPEG, PNG, GIF or WebP file, of an animation the first frame, and calls use with
// it. How much memory that takes is known before any of it is decoded; then that much of the budget
// is reserved until use has returned. The faults: TooLarge when the file has too many pixels for
// its kind, Invalid when it is none of these or damaged, Unavailable when ctx ends before there is
// memory to spare or the file is read; then those of use.
func (b *Budget) Decode(ctx context.Context, data []byte, use func(Decoded) error) error {
	f, known := formatOf(data)
	if !known {
		return errNoImage(errors.New("unknown first bytes"))
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil {
		return errNoImage(err)
	}
	cost, err := b.price(data, f, config)
	if err != nil {
		return err
	}
	release, err := b.reserve(ctx, cost)
	if err != nil {
		return err
	}
	defer release()
	decoded, err := f.decode(&paced{ctx: ctx, data: data})
	switch {
	case ctx.Err() != nil:
		return errBusy(ctx.Err())
	case err != nil:
		return errNoImage(err)
	}
	return use(Decoded{Image: decoded, Orientation: orientationOf(data, f)})
}

// price returns what decoding costs in bytes. The fault is TooLarge when that is more than the
// budget, or the pixels are more than maxPixels.
func (b *Budget) price(data []byte, f format, config image.Config) (int64, error) {
	if config.Width <= 0 || config.Height <= 0 {
		return 0, errNoImage(errors.New("no pixels"))
	}
	if config.Width > maxPixels/config.Height {
		return 0, errTooManyPixels(config, maxPixels)
	}
	cost, err := f.cost(data, config)
	if err != nil {
		return 0, errNoImage(err)
	}
	if cost > b.bytes {
		return 0, errTooManyPixels(config, pixels(config)*b.bytes/cost)
	}
	return cost, nil
}

func errNoImage(cause error) error {
	return fault.Wrap(cause, fault.Invalid, "image_invalid", "the file is not a JPEG, PNG, GIF or WebP image that can be read")
}

func errTooManyPixels(config image.Config, most int64) error {
	edge := int(math.Sqrt(float64(most)))
	return fault.New(fault.TooLarge, "image_too_many_pixels",
		"the image has %d × %d pixels; a file of its kind may have %d × %d: make it smaller, or save it as a plain JPEG",
		config.Width, config.Height, edge, edge)
}

// pace is how many bytes a decoder gets at once: few enough that one that a hostile file keeps busy
// soon asks for more.
const pace = 256

// paced is a reader that ends with its context.
type paced struct {
	ctx  context.Context //nolint:containedctx // a reader has no other way to learn of it
	data []byte
}

func (r *paced) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.data[:min(len(r.data), pace)])
	r.data = r.data[n:]
	return n, nil
}
