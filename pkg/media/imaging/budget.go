package imaging

import (
	"context"
	"image"
	"runtime"

	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
)

// DefaultBudget fits the 256 MiB that deploy/kubernetes gives the admin service: with fifty uploads
// of the largest files and forty logins at once, measured, it takes 227 MiB, half of which are this
// budget and the rest the service itself, waiting bodies, and passwords being hashed.
const DefaultBudget = 112 << 20

// collected is the reservation above which the garbage collector runs before the memory is returned
// to the budget. Below it, an image leaves no more garbage than other requests do.
const collected = 8 << 20

// Budget limits the memory of all images that are decoded at the same time. Use one for the whole
// process.
type Budget struct {
	bytes int64
	free  *semaphore.Weighted
}

// NewBudget returns a budget of so many bytes.
func NewBudget(bytes int64) *Budget {
	return &Budget{bytes: bytes, free: semaphore.NewWeighted(bytes)}
}

// reserve waits until so many bytes are free, takes them for an image of a size in pixels, and
// returns the function that releases them. The faults: TooLarge when they are more than the whole
// budget, Unavailable when ctx ends first.
func (b *Budget) reserve(ctx context.Context, size image.Point, bytes int64) (release func(), err error) {
	if bytes > b.bytes {
		return nil, errTooManyPixels(size, int64(size.X)*int64(size.Y)*b.bytes/bytes)
	}
	if err := b.free.Acquire(ctx, bytes); err != nil {
		return nil, errBusy(err)
	}
	return func() {
		if bytes > collected {
			runtime.GC()
		}
		b.free.Release(bytes)
	}, nil
}

func errBusy(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "busy", "too many images are being read; try again in a moment")
}
