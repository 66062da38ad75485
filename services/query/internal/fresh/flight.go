package fresh

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"
)

// flight loads once what several ask for at the same time.
type flight[T any] struct {
	group   singleflight.Group
	timeout time.Duration // of one load
}

// do returns what load returns to the first of those who ask for a key at the same time. A load
// goes on when the request that began it gives up. The error is load's, or the context's.
func (f *flight[T]) do(ctx context.Context, key string, load func(context.Context) (T, error)) (T, error) {
	shared := func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), f.timeout)
		defer cancel()
		return load(ctx)
	}
	var none T
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case result := <-f.group.DoChan(key, shared):
		if result.Err != nil {
			return none, result.Err
		}
		return result.Val.(T), nil
	}
}
