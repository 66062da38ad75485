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

// maxPixels is more than the cameras of today's phones have. It bounds the time of decoding; the
// cost bounds the memory.
const maxPixels = 25_000_000

// Decoded is a decoded picture; Orientation.Turn makes it upright. Do not keep it after use has
// returned: its memory is reserved only until then.
type Decoded struct {
	image.Image
	Orientation Orientation
}

// Decode reads a JPEG, PNG, GIF or WebP file, of an animation the first frame, and calls use with
// it. The memory that this takes is computed before decoding, and reserved from the budget until
// use has returned. The faults: TooLarge when the file has too many pixels for its kind, Invalid
// when it is none of these or damaged, Unavailable when ctx ends before memory is free or the file
// is decoded; and those of use.
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

// pace is the most bytes that a decoder reads at once: few enough that a decoder of a hostile file
// soon reads again and notices the end of its context.
const pace = 256

// paced is a reader that fails once its context has ended.
type paced struct {
	ctx  context.Context //nolint:containedctx // io.Reader takes no context
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
