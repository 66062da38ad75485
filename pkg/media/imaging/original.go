package imaging

import (
	"context"
	"fmt"
	"image"
)

// Original is an image as Ingest has drawn it, of which no byte is read yet.
type Original struct {
	Size  image.Point                               // in pixels
	Bytes int64                                     // of its file
	Read  func(ctx context.Context) ([]byte, error) // the file
}

// DrawOriginal returns a variant of an original, cropped around a focus point. Unlike Draw it also
// reserves the memory of the file: the file is read once there is memory for it and for drawing. It
// returns the errors of Original.Read, the faults of Draw, and an error for a file that is not an
// original of the given size.
func DrawOriginal(
	ctx context.Context, budget *Budget, original Original, focus Focus, variant Variant,
) (drawn Drawn, err error) {
	part, size := variant.Cut(original.Size, focus)
	most := original.cost() + scaleCost(part.Size(), size)
	release, err := budget.reserve(ctx, original.Size, original.Bytes+most)
	if err != nil {
		return Drawn{}, err
	}
	defer release()
	data, err := original.Read(ctx)
	if err != nil {
		return Drawn{}, err
	}
	d, err := plan(data, focus, variant)
	if err != nil {
		return Drawn{}, err
	}
	if d.file.cost.with(d.work()) > most {
		return Drawn{}, fmt.Errorf("a file of %d × %d pixels is no original of %d × %d",
			d.file.Size.X, d.file.Size.Y, original.Size.X, original.Size.Y)
	}
	err = d.file.decode(ctx, d.into(&drawn))
	return drawn, err
}

// cost returns the maximum of bytes that decoding an original allocates: a plain PNG, or a baseline
// JPEG with a copy in RGB, which jpegCost counts when its compressed bytes happen to name Adobe.
// Both come in blocks of at most 16 × 16 pixels.
func (o Original) cost() int64 {
	const edge, perPixel = 16, 6
	return perPixel * int64(o.Size.X+edge) * int64(o.Size.Y+edge)
}
