// Package images finds the images of public events. Which images are public, the index says: an
// image of a draft is in none, and one of an event that was taken back leaves with it.
package images

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"

	"litfass/pkg/contracts/document"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/lists"
)

const (
	// budget is the memory of all drawings at once. An original has at most 2,048 × 2,048 pixels.
	budget = 96 << 20
	// hotBytes is the memory for small variants that are asked for often.
	hotBytes = 16 << 20
)

// Options are what Service works with.
type Options struct {
	Lists *lists.Reader
	Kept  *fresh.Cache
	Blobs *blob.Store // nil: pictures are answered with Unavailable
}

// Service finds images and opens their variants. It is safe for concurrent use.
type Service struct {
	*variants.Service
	lists *lists.Reader
	kept  *fresh.Cache
}

// New returns a service.
func New(options Options) *Service {
	drawn := variants.New(variants.Options{
		Blobs: options.Blobs, Budget: imaging.NewBudget(budget), HotBytes: hotBytes,
	})
	return &Service{Service: drawn, lists: options.Lists, kept: options.Kept}
}

// Find returns a variant of an image, without its bytes. The faults: NotFound unless the image is
// one of a public event, and those of the engine.
func (s *Service) Find(ctx context.Context, uuid string, shape imaging.Variant) (variants.Variant, error) {
	image, err := s.image(ctx, uuid)
	if err != nil {
		return variants.Variant{}, err
	}
	return variants.Of(image, shape), nil
}

// image returns an image as the index knows it now. It is kept as answers are.
func (s *Service) image(ctx context.Context, uuid string) (variants.Image, error) {
	key := sha256.Sum256([]byte("image\x00" + uuid))
	kept, err := fresh.Answer(ctx, s.kept, "image", key, func(ctx context.Context) (*kept, error) {
		found, event, err := s.lists.Image(ctx, uuid)
		if err != nil {
			return nil, err
		}
		return &kept{packed: pack(found), event: event}, nil
	})
	if err != nil {
		return variants.Image{}, err
	}
	return unpack(uuid, kept.packed), nil
}

// kept is an image as it is kept, with the event that shows it.
type kept struct {
	packed []byte
	event  string
}

// Size counts the bytes of both.
func (k *kept) Size() int { return len(k.packed) + len(k.event) }

// After returns the image itself, or nil when the batch has written its event.
func (k *kept) After(batch *delta.Batch) fresh.Kept {
	if batch.Wrote(document.Events, k.event) {
		return nil
	}
	return k
}

// pack returns what an image is drawn by as it is kept: width and height, the focus point, whose
// coordinates are hundredths, in two bytes, and the type. It is read for each request, for which
// JSON is too slow.
func pack(image document.Image) []byte {
	focus := imaging.FocusAt(image.FocusX, image.FocusY)
	packed := binary.BigEndian.AppendUint32(nil, uint32(image.Width))    //nolint:gosec // a number of pixels
	packed = binary.BigEndian.AppendUint32(packed, uint32(image.Height)) //nolint:gosec // a number of pixels
	packed = append(packed, byte(math.Round(100*focus.X)), byte(math.Round(100*focus.Y)))
	return append(packed, image.MimeType...)
}

func unpack(uuid string, packed []byte) variants.Image {
	x, y := float64(packed[8])/100, float64(packed[9])/100
	return variants.Image{
		UUID: uuid, MimeType: string(packed[10:]), FocusX: &x, FocusY: &y,
		Width: int(binary.BigEndian.Uint32(packed)), Height: int(binary.BigEndian.Uint32(packed[4:])),
	}
}
