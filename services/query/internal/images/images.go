// Package images serves the pictures of public events in the variants that are asked for.
//
// Which images are public, the index says: an image of a draft is in none, and one of an event that
// was taken back leaves with it. The pixels come from the blob store. A variant is drawn when it is
// first asked for and stored beside its original, so that every query service and every restart has
// it, and it is deleted with the original; picture.Parse keeps their number small. Small variants
// that are asked for often stay in memory; the others are passed on from the store as it is read.
package images

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"litfass/pkg/blob"
	"litfass/pkg/fault"
	"litfass/pkg/picture"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/lists"
)

const (
	// drawings is how many variants are drawn at once: each keeps a whole original.
	drawings = 2
	// budget is the memory of all drawings at once, besides those originals. An original has at
	// most 2,048 × 2,048 pixels.
	budget = 64 << 20
	// drawTime bounds the drawing of a variant, with the wait for its turn.
	drawTime = 10 * time.Second
	// sendTime bounds how long a client may take to read a picture.
	sendTime = time.Minute
)

// Options are what Service works with.
type Options struct {
	Lists *lists.Reader
	Kept  *fresh.Cache
	Blobs *blob.Store // nil: pictures are answered with Unavailable
}

// Service finds and draws pictures. It is safe for concurrent use.
type Service struct {
	Options
	budget  *picture.Budget
	turns   *semaphore.Weighted
	hot     *hot
	flights singleflight.Group
}

// New returns a service.
func New(options Options) *Service {
	return &Service{
		Options: options, budget: picture.NewBudget(budget), turns: semaphore.NewWeighted(drawings), hot: newHot(),
	}
}

// Shown is a variant of an image of a public event.
type Shown struct {
	Type    string // image/jpeg or image/png
	Tag     string // differs for other bytes
	Version string // what the URL of Image.Path names after the uuid

	uuid    string
	key     string // in the blob store
	focus   picture.Focus
	variant picture.Variant
}

// Find returns a variant of an image, without its bytes. The faults: NotFound unless the image is
// one of a public event, and those of the engine.
func (s *Service) Find(ctx context.Context, uuid string, variant picture.Variant) (Shown, error) {
	original, err := s.original(ctx, uuid)
	if err != nil {
		return Shown{}, err
	}
	shown := Shown{uuid: uuid, focus: original.focus, variant: variant.Of(original.kind)}
	shown.Type, shown.Version = shown.variant.Type.ContentType(), shown.focus.Key()
	shown.key = blob.VariantKey(uuid, shown.variant.Key(shown.focus))
	sum := sha256.Sum256([]byte(shown.key))
	shown.Tag = `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return shown, nil
}

// original is what the index knows of an original: what its variants are drawn by.
type original struct {
	kind  picture.Type
	focus picture.Focus
}

// original returns an image as the index knows it now. It is kept as answers are: until the index
// changes.
func (s *Service) original(ctx context.Context, uuid string) (original, error) {
	kept, err := s.Kept.Answer(ctx, sha256.Sum256([]byte("image\x00"+uuid)), func(ctx context.Context) ([]byte, error) {
		found, err := s.Lists.Image(ctx, uuid)
		if err != nil {
			return nil, err
		}
		return original{picture.TypeOf(found.MimeType), picture.FocusAt(found.FocusX, found.FocusY)}.pack(), nil
	})
	if err != nil {
		return original{}, err
	}
	return unpack(kept), nil
}

// pack returns the original as it is kept: the focus point, whose coordinates are hundredths, in
// two bytes, and the type. It is read for each request, for which JSON is too slow.
func (o original) pack() []byte {
	return append([]byte{byte(math.Round(100 * o.focus.X)), byte(math.Round(100 * o.focus.Y))}, o.kind...)
}

func unpack(kept []byte) original {
	return original{
		kind:  picture.Type(kept[2:]),
		focus: picture.Focus{X: float64(kept[0]) / 100, Y: float64(kept[1]) / 100},
	}
}

// Open returns a variant, and draws it first if it is not stored yet. The faults: NotFound when the
// store has no original, Unavailable without a store or when it takes too long to draw.
func (s *Service) Open(ctx context.Context, shown Shown) (Picture, error) {
	if s.Blobs == nil {
		return Picture{}, fault.New(fault.Unavailable, "no_blob_store", "this service has no place for images")
	}
	stored, err := s.open(ctx, shown)
	if !errors.Is(err, blob.ErrGone) {
		return stored, err
	}
	return s.drawn(ctx, shown)
}

// drawn returns a variant that was not stored yet. Several who ask for one wait for one drawing; it
// goes on when the request that began it gives up.
func (s *Service) drawn(ctx context.Context, shown Shown) (Picture, error) {
	drawing := s.flights.DoChan(shown.key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawTime)
		defer cancel()
		return nil, s.draw(ctx, shown)
	})
	select {
	case <-ctx.Done():
		return Picture{}, errBusy(ctx.Err())
	case done := <-drawing:
		if done.Err != nil {
			return Picture{}, done.Err
		}
	}
	stored, err := s.open(ctx, shown)
	if errors.Is(err, blob.ErrGone) { // deleted since
		return Picture{}, errNoImage()
	}
	return stored, err
}

// draw draws a variant of the original and stores it.
func (s *Service) draw(ctx context.Context, shown Shown) error {
	if err := s.turns.Acquire(ctx, 1); err != nil {
		return errBusy(err)
	}
	defer s.turns.Release(1)
	file, err := s.Blobs.Get(ctx, blob.OriginalKey(shown.uuid))
	if errors.Is(err, blob.ErrGone) {
		return errNoImage()
	}
	if err != nil {
		return err
	}
	drawn, err := picture.Draw(ctx, s.budget, file, shown.focus, shown.variant)
	if err != nil {
		return unreadable(err)
	}
	return s.Blobs.Put(ctx, shown.key, shown.Type, drawn.Data)
}

func errNoImage() error {
	return fault.New(fault.NotFound, "image_not_found", "there is no such image")
}

func errBusy(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "busy", "too many images are being drawn; try again in a moment")
}

// unreadable returns the fault of an original that cannot be drawn: not that of the client.
func unreadable(err error) error {
	if fault.Is(err, fault.Unavailable) {
		return err
	}
	return fmt.Errorf("draw a stored original: %v", err) //nolint:errorlint // its kind would blame the client
}
