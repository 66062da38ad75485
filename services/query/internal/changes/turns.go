package changes

import (
	"context"
	"time"

	"litfass/pkg/chassis/fault"
)

// pageWork bounds the work of an answer. A unit is a document that is made, or 4 KiB that are read
// from the journal: about 0.15 ms. What is in memory is no work.
const (
	pageWork  = 128
	workBytes = 4 << 10
	// restsFor is how many times as long as the work of a turn the rest after it is: half of all
	// searches, and more, then meet no work.
	restsFor = 3
)

// readingWork is the work of reading an entry of the journal: at most half of an answer's, for each
// answer to go on.
func readingWork(bytes int) int { return min(1+bytes/workBytes, pageWork/2) }

// turns lets one of those that read changes work at a time, in the order in which they came.
type turns struct {
	place chan struct{}
	// rests: after work the next one waits, for searches not to.
	rests bool
}

func newTurns(rests bool) *turns { return &turns{make(chan struct{}, 1), rests} }

// take waits for a turn, until ctx ends. leave ends it, after some work, without waiting.
func (t *turns) take(ctx context.Context) (leave func(work int), err error) {
	select {
	case t.place <- struct{}{}:
	case <-ctx.Done():
		return nil, fault.Overloaded("others are reading changes")
	}
	began := time.Now()
	end := func() { <-t.place }
	return func(work int) {
		if !t.rests || work == 0 {
			end()
			return
		}
		time.AfterFunc(restsFor*time.Since(began), end)
	}, nil
}
