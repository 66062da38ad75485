// Package imaging decodes uploaded images and draws them in the requested sizes, within a bound of
// memory that no file can exceed.
//
// No byte of an upload survives: neither a hidden script, nor the place and the camera in its
// metadata. Colours are taken as sRGB: a colour profile is dropped, not converted.
package imaging

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"math"
	"runtime"

	"litfass/pkg/chassis/fault"
)

// maxPixels is more than today's telephones take. It bounds the time that a file can cost, its cost
// the memory.
const maxPixels = 25_000_000

// File is an uploaded file of which only the header has been read.
type File struct {
	Size        image.Point // in pixels, as the image is stored
	Orientation Orientation
	data        []byte
	format      format
	cost        cost
}

// Open reads the header of a JPEG, PNG, GIF or WebP file. The faults: TooLarge when it has too many
// pixels, Invalid when it is none of these, an HEIC image, an animated WebP, or damaged.
func Open(data []byte) (File, error) {
	f, known := formatOf(data)
	if isHEIF(data) {
		return File{}, fault.New(fault.Invalid, "image_heic", "HEIC and AVIF images cannot be read: save the image as JPEG. "+
			"An iPhone takes JPEG with Settings, Camera, Formats, Most Compatible")
	}
	if !known {
		return File{}, errNoImage(errors.New("unknown first bytes"))
	}
	if isAnimatedWebP(data) {
		return File{}, fault.New(fault.Invalid, "image_animated", "animated WebP images cannot be read: save one of the frames")
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil {
		return File{}, errNoImage(err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return File{}, errNoImage(errors.New("no pixels"))
	}
	file := File{
		Size: image.Pt(config.Width, config.Height), Orientation: orientationOf(data, f), data: data, format: f,
	}
	if config.Width > maxPixels/config.Height {
		return File{}, errTooManyPixels(file.Size, maxPixels)
	}
	if file.cost, err = f.cost(data, config); err != nil {
		return File{}, errNoImage(err)
	}
	return file, nil
}

// Decode decodes the file, the first frame of an animation, and calls use with the image as stored:
// File.Orientation makes it upright. The memory for this and for work, the bytes that use needs, is
// reserved until use has returned, so use must not retain the image. The faults: TooLarge when that
// is more than the whole budget, Invalid when the file is damaged, Unavailable when ctx ends before
// there is memory to spare or the file is read, and the errors of use.
func (b *Budget) Decode(ctx context.Context, file File, work int64, use func(image.Image) error) error {
	release, err := b.reserve(ctx, file.Size, file.cost.with(work))
	if fault.Is(err, fault.TooLarge) && file.cost.progressive && file.cost.image+work <= b.bytes {
		return errProgressive(err)
	}
	if err != nil {
		return err
	}
	defer release()
	return file.decode(ctx, use)
}

// decode is Decode once the memory is reserved.
func (f File) decode(ctx context.Context, use func(image.Image) error) error {
	decoded, err := f.format.decode(&paced{ctx: ctx, data: f.data})
	switch {
	case ctx.Err() != nil:
		return errBusy(ctx.Err())
	case err != nil:
		return errNoImage(err)
	}
	if f.cost.decode-f.cost.image > collected {
		runtime.GC()
	}
	return use(decoded)
}

func errNoImage(cause error) error {
	return fault.Wrap(cause, fault.Invalid, "image_invalid",
		"the file is not a JPEG, PNG, GIF or WebP image that can be read")
}

func errTooManyPixels(size image.Point, most int64) error {
	edge := int(math.Sqrt(float64(most)))
	return fault.New(fault.TooLarge, "image_too_many_pixels",
		"the image has %d × %d pixels; a file of its kind may have %d × %d: make it smaller, or save it as a plain JPEG",
		size.X, size.Y, edge, edge)
}

// errProgressive refuses a progressive JPEG that would fit as a baseline one: all of its
// coefficients are in memory until its last scan, 175 MiB for 12 megapixels in full colour.
func errProgressive(tooMany error) error {
	return fault.Wrap(tooMany, fault.TooLarge, "image_progressive",
		"%s; it fits without the option progressive", fault.Of(tooMany).Message)
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
