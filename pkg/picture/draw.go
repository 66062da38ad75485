package picture

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

// Drawn is a picture that was drawn anew: upright, and without any metadata.
type Drawn struct {
	Data []byte
	Type Type // JPEG or PNG
	Size image.Point
}

// Ingest returns an uploaded file as the original that is kept: upright, its longest edge at most
// 2048 pixels, PNG if some of it is transparent, else JPEG. The faults are those of Open and
// Budget.Decode.
func Ingest(ctx context.Context, budget *Budget, upload []byte) (Drawn, error) {
	return Draw(ctx, budget, upload, Centre, Variant{
		Width: maxEdge, Height: maxEdge, Fit: Contain, Type: Auto, Quality: originalQuality,
	})
}

// Draw returns a variant of a file, cut around a focus point. The faults are those of Open and
// Budget.Decode.
func Draw(ctx context.Context, budget *Budget, data []byte, focus Focus, variant Variant) (drawn Drawn, err error) {
	file, err := Open(data)
	if err != nil {
		return Drawn{}, err
	}
	part, size := variant.Cut(file.Orientation.seen(file.Size), focus)
	stored, storedSize := file.Orientation.stored(part, file.Size), file.Orientation.seen(size)
	work := scaleCost(stored.Size(), storedSize)
	if file.Orientation != upright {
		work += 4 * int64(size.X) * int64(size.Y)
	}
	err = budget.Decode(ctx, file, work, func(decoded image.Image) error {
		drawn, err = encode(file.Orientation.Turn(Scale(decoded, stored, storedSize)), variant)
		return err
	})
	return drawn, err
}

func encode(picture *image.RGBA, variant Variant) (Drawn, error) {
	drawn := Drawn{Type: variant.Type, Size: picture.Bounds().Size()}
	if variant.Type == Auto {
		drawn.Type = PNG
		if picture.Opaque() {
			drawn.Type = JPEG
		}
	}
	var file bytes.Buffer
	var err error
	if drawn.Type == PNG {
		err = png.Encode(&file, picture)
	} else {
		whiten(picture)
		err = jpeg.Encode(&file, picture, &jpeg.Options{Quality: variant.Quality})
	}
	if err != nil {
		return Drawn{}, fmt.Errorf("encode image: %w", err)
	}
	drawn.Data = file.Bytes()
	return drawn, nil
}

// whiten lays the picture on white. Its colours are premultiplied.
func whiten(picture *image.RGBA) {
	for pixels := picture.Pix; len(pixels) > 0; pixels = pixels[4:] {
		missing := 255 - pixels[3]
		pixels[0], pixels[1], pixels[2], pixels[3] = pixels[0]+missing, pixels[1]+missing, pixels[2]+missing, 255
	}
}
