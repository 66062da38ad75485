// Package images finds the images of public events. Which images are public, the index says: an
// image of a draft is in none, and one of an event that was taken back leaves with it.
package images

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"litfass/pkg/blob"
	"litfass/pkg/picture"
	"litfass/pkg/variants"
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
		Blobs: options.Blobs, Budget: picture.NewBudget(budget), HotBytes: hotBytes,
	})
	return &Service{Service: drawn, lists: options.Lists, kept: options.Kept}
}

// Find returns a variant of an image, without its bytes. The faults: NotFound unless the image is
// one of a public event, and those of the engine.
func (s *Service) Find(ctx context.Context, uuid string, shape picture.Variant) (variants.Variant, error) {
	image, err := s.image(ctx, uuid)
	if err != nil {
		return variants.Variant{}, err
	}
	return variants.Of(variants.Image{
		UUID: uuid, MimeType: image.MimeType, Width: image.Width, Height: image.Height,
		FocusX: image.FocusX, FocusY: image.FocusY,
	}, shape), nil
}

// image is what is drawn by: the part of document.Image that is kept.
type image struct {
	MimeType string   `json:"mime_type"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	FocusX   *float64 `json:"focus_x"`
	FocusY   *float64 `json:"focus_y"`
}

// image returns an image as the index knows it now. It is kept as answers are: until the index
// changes.
func (s *Service) image(ctx context.Context, uuid string) (known image, err error) {
	kept, err := s.kept.Answer(ctx, sha256.Sum256([]byte("image\x00"+uuid)), func(ctx context.Context) ([]byte, error) {
		found, err := s.lists.Image(ctx, uuid)
		if err != nil {
			return nil, err
		}
		return json.Marshal(image{
			MimeType: found.MimeType, Width: found.Width, Height: found.Height, FocusX: found.FocusX, FocusY: found.FocusY,
		})
	})
	if err != nil {
		return known, err
	}
	return known, json.Unmarshal(kept, &known)
}
