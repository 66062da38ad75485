package limit

import (
	"encoding/binary"
	"slices"
	"time"
)

// mostBlocks bounds the memory of a count. Up to so many requests each has a time of its own.
const mostBlocks = 128

// rule is a limit: in no time of the length window more than most requests are let through.
type rule struct {
	most   int
	window time.Duration
	block  int // requests that share a time, which is that of the last of them
}

func newRule(most int, window time.Duration) rule {
	return rule{most, window, (most + mostBlocks - 1) / mostBlocks}
}

// spent are the requests of a client that still count. The zero value is none.
type spent struct {
	times []int64 // of the last request of each block, in nanoseconds, the oldest first
	last  int     // requests of the last block; all others are full
}

// verdict is what is known of a client's requests once one more has come.
type verdict struct {
	refused bool
	left    int
	wait    time.Duration // until there are more
}

// take counts a request at this time unless it is one too many.
func (s *spent) take(r rule, now int64) verdict {
	s.forget(r, now)
	refused := s.count(r) >= r.most
	if !refused {
		s.add(r, now)
	}
	return verdict{refused: refused, left: r.most - s.count(r), wait: r.window - time.Duration(now-s.times[0])}
}

// forget drops the blocks that the window has left behind. Times to come, from before the clock was
// set back, become now: else the client would wait for them.
func (s *spent) forget(r rule, now int64) {
	gone := 0
	for gone < len(s.times) && s.times[gone] <= now-int64(r.window) {
		gone++
	}
	s.times = slices.Delete(s.times, 0, gone)
	for i := len(s.times) - 1; i >= 0 && s.times[i] > now; i-- {
		s.times[i] = now
	}
}

func (s *spent) count(r rule) int {
	if len(s.times) == 0 {
		return 0
	}
	return (len(s.times)-1)*r.block + s.last
}

func (s *spent) add(r rule, now int64) {
	if len(s.times) == 0 || s.last == r.block {
		s.times, s.last = append(s.times, 0), 0
	}
	s.times[len(s.times)-1] = now
	s.last++
}

const wordBytes = 8

// encode returns the requests as shared counts hold them.
func (s *spent) encode() []byte {
	data := binary.BigEndian.AppendUint64(make([]byte, 0, wordBytes*(1+len(s.times))), uint64(s.last))
	for _, at := range s.times {
		data = binary.BigEndian.AppendUint64(data, uint64(at))
	}
	return data
}

// decode reads what encode wrote by the same rule. Anything else is no requests.
func (r rule) decode(data []byte) spent {
	blocks := len(data)/wordBytes - 1
	if len(data)%wordBytes != 0 || blocks < 1 || blocks > mostBlocks {
		return spent{}
	}
	s := spent{times: make([]int64, blocks), last: int(binary.BigEndian.Uint64(data))}
	for i := range s.times {
		s.times[i] = int64(binary.BigEndian.Uint64(data[wordBytes*(1+i):]))
	}
	if s.last < 1 || s.last > r.block || !slices.IsSorted(s.times) {
		return spent{}
	}
	return s
}
