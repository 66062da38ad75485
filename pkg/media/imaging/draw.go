package imaging

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
)

// maxEdge is the longest edge of an original that is kept: some more than that of any variant.
const maxEdge = 2048

// originalQuality is that of an original, of which variants are drawn with a loss of their own.
const originalQuality = 92

// Drawn is a redrawn image: upright, and without any metadata.
type Drawn struct {
	Data []byte
	Type Type // JPEG or PNG
	Size image.Point
}

// Ingest returns an uploaded file as the original to store: upright, its longest edge at most 2048
// pixels, PNG if some of it is transparent, else JPEG. It returns the faults of Open and
// Budget.Decode.
func Ingest(ctx context.Context, budget *Budget, upload []byte) (Drawn, error) {
	return Draw(ctx, budget, upload, Centre, Variant{
		Width: maxEdge, Height: maxEdge, Fit: Contain, Type: Auto, Quality: originalQuality,
	})
}

// Draw returns a variant of a file, cropped around a focus point. It returns the faults of Open and
// Budget.Decode.
func Draw(ctx context.Context, budget *Budget, data []byte, focus Focus, variant Variant) (drawn Drawn, err error) {
	d, err := plan(data, focus, variant)
	if err != nil {
		return Drawn{}, err
	}
	err = budget.Decode(ctx, d.file, d.work(), d.into(&drawn))
	return drawn, err
}

// drawing is how a variant is drawn of a file: which part of the stored image it shows, and in
// which size, as it is stored too.
type drawing struct {
	file    File
	part    image.Rectangle
	size    image.Point
	variant Variant
}

// plan returns the drawing of a variant. It returns the faults of Open.
func plan(data []byte, focus Focus, variant Variant) (drawing, error) {
	file, err := Open(data)
	if err != nil {
		return drawing{}, err
	}
	part, size := variant.Cut(file.Orientation.seen(file.Size), focus)
	return drawing{file, file.Orientation.stored(part, file.Size), file.Orientation.seen(size), variant}, nil
}

// work returns the bytes that are allocated at most once the file is decoded.
func (d drawing) work() int64 {
	work := scaleCost(d.part.Size(), d.size)
	if d.file.Orientation != upright {
		work += 4 * int64(d.size.X) * int64(d.size.Y)
	}
	return work
}

// into returns the function that draws the decoded file.
func (d drawing) into(drawn *Drawn) func(image.Image) error {
	return func(decoded image.Image) (err error) {
		*drawn, err = encode(d.file.Orientation.Turn(Scale(decoded, d.part, d.size)), d.variant)
		return err
	}
}

func encode(img *image.RGBA, variant Variant) (Drawn, error) {
	drawn := Drawn{Type: variant.Type, Size: img.Bounds().Size()}
	if variant.Type == Auto {
		drawn.Type = PNG
		if img.Opaque() {
			drawn.Type = JPEG
		}
	}
	var file bytes.Buffer
	var err error
	if drawn.Type == PNG {
		err = png.Encode(&file, img)
	} else {
		whiten(img)
		err = jpeg.Encode(&file, img, &jpeg.Options{Quality: variant.Quality})
	}
	if err != nil {
		return Drawn{}, fmt.Errorf("encode image: %w", err)
	}
	drawn.Data = file.Bytes()
	return drawn, nil
}

// whiten lays the image on white. Its colours are premultiplied.
func whiten(img *image.RGBA) {
	for pixels := img.Pix; len(pixels) > 0; pixels = pixels[4:] {
		missing := 255 - pixels[3]
		pixels[0], pixels[1], pixels[2], pixels[3] = pixels[0]+missing, pixels[1]+missing, pixels[2]+missing, 255
	}
}
