// Package images finds the images of public events and series. An image is public while the index
// has it: images of drafts never are, and a withdrawn event or series takes its images with it.
package images

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/document"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/pkg/media/variants"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/lists"
	"litfass/services/query/internal/series"
)

const (
	// budget is the memory of all concurrent renderings. An original has at most 2,048 × 2,048 pixels.
	budget = 96 << 20
	// hotBytes is the memory for small variants that are often requested.
	hotBytes = 16 << 20
)

// Options are the dependencies of a Service.
type Options struct {
	Lists  *lists.Reader
	Series *series.Store
	Cache  *cache.Cache
	Blobs  *blob.Store // nil: images are answered with Unavailable
}

// Service finds images and opens their variants. It is safe for concurrent use.
type Service struct {
	*variants.Service
	lists  *lists.Reader
	series *series.Store
	cache  *cache.Cache
}

// New returns a service.
func New(options Options) *Service {
	renderer := variants.New(variants.Options{
		Blobs: options.Blobs, Budget: imaging.NewBudget(budget), HotBytes: hotBytes,
	})
	return &Service{Service: renderer, lists: options.Lists, series: options.Series, cache: options.Cache}
}

// Find returns a variant of an image, without its bytes. It returns a NotFound fault unless the
// image belongs to a public event or series, and the faults of the engine.
func (s *Service) Find(ctx context.Context, uuid string, shape imaging.Variant) (variants.Variant, error) {
	key := sha256.Sum256([]byte("image\x00" + uuid))
	image, err := cache.Get(ctx, s.cache, "image", key, func(ctx context.Context) (*cache.Bytes, error) {
		found, from, err := s.find(ctx, uuid)
		if err != nil {
			return nil, err
		}
		return &cache.Bytes{Data: pack(found), From: from}, nil
	})
	if err != nil {
		return variants.Variant{}, err
	}
	return variants.Of(unpack(uuid, image.Data), shape), nil
}

// find returns the properties that an image is drawn by, with the record that has it.
func (s *Service) find(ctx context.Context, uuid string) (image document.Image, from cache.Records, err error) {
	image, event, err := s.lists.Image(ctx, uuid)
	if !fault.Is(err, fault.NotFound) {
		return image, cache.Record(document.Events, event), err
	}
	known, unread := s.series.Current(ctx)
	if unread != nil {
		return image, from, unread
	}
	for row := range known.All() {
		if row.Image == uuid {
			image, err = s.lists.ImageOfSeries(ctx, row.UUID)
			return image, cache.Record(document.Series, document.EntityID(row.UUID)), err
		}
	}
	return image, from, err
}

// pack encodes the properties that an image is drawn by: width and height, the focus point, whose
// coordinates are hundredths, in two bytes, and the type. Every request decodes it, for which JSON
// is too slow.
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
