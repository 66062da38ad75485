package limit

import (
	"slices"
	"time"
)

// maxBlocks bounds the memory of a count. Up to this many requests each has its own time.
const maxBlocks = 128

// rule is a limit: no time of the length window has more than max requests.
type rule struct {
	max    int
	window time.Duration
	block  int // requests that share a time, which is that of the last of them
}

func newRule(limit int, window time.Duration) rule {
	return rule{limit, window, (limit + maxBlocks - 1) / maxBlocks}
}

// usage is the requests of a client that still count. The zero value is none.
type usage struct {
	times []int64 // of the last request of each block, in nanoseconds, the oldest first
	last  int     // requests of the last block; all others are full
}

// verdict is the decision about a request, and the client's remaining ones.
type verdict struct {
	refused bool
	left    int
	wait    time.Duration // until there are more
}

// take counts a request at this time unless it exceeds the limit.
func (u *usage) take(r rule, now int64) verdict {
	u.expire(r, now)
	refused := u.count(r) >= r.max
	if !refused {
		if len(u.times) == 0 || u.last == r.block {
			u.times, u.last = append(u.times, 0), 0
		}
		u.times[len(u.times)-1] = now
		u.last++
	}
	return verdict{refused: refused, left: r.max - u.count(r), wait: r.window - time.Duration(now-u.times[0])}
}

// expire drops the blocks before the window. Times in the future, from before the clock was set
// back, become now: otherwise the client would wait for them.
func (u *usage) expire(r rule, now int64) {
	expired := 0
	for expired < len(u.times) && u.times[expired] <= now-int64(r.window) {
		expired++
	}
	u.times = slices.Delete(u.times, 0, expired)
	for i := len(u.times) - 1; i >= 0 && u.times[i] > now; i-- {
		u.times[i] = now
	}
}

func (u *usage) count(r rule) int {
	if len(u.times) == 0 {
		return 0
	}
	return (len(u.times)-1)*r.block + u.last
}
