package cache

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"
)

// flight deduplicates concurrent loads of the same key.
type flight[T any] struct {
	group   singleflight.Group
	timeout time.Duration // of one load
}

// do returns the result of load, which is called once for all concurrent callers of a key. A load
// continues when the request that started it is cancelled. The error is load's, or the context's.
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
