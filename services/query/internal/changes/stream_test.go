package changes

import (
	"net"
	"testing"
	"time"
)

// TestWhatWaitsIsBounded: clients that take nothing have no room for all that is sent to them, and
// those that take everything are not ended because of them.
func TestWhatWaitsIsBounded(t *testing.T) {
	t.Parallel()
	hub := &Hub{now: time.Now}
	part := make([]byte, maxUnsent/2)
	open := func() *Stream {
		here, there := net.Pipe()
		t.Cleanup(func() { _ = there.Close() })
		return newStream(hub, here, func() {})
	}
	slow := 0
	for refused := 0; refused < 3; slow++ {
		s := open()
		for n := 0; s.write(part); n++ {
			if n > 8 {
				t.Fatal("one stream takes everything")
			}
		}
		if !s.sending {
			t.Fatal("nothing is being sent")
		}
		if hub.waitingBytes.Load() > maxWaiting {
			refused++
		}
		if slow > 1000 {
			t.Fatalf("%d bytes wait", hub.waitingBytes.Load())
		}
	}
	if most := int64(maxWaiting + 4*maxUnsent); hub.waitingBytes.Load() > most {
		t.Errorf("%d bytes wait, more than %d", hub.waitingBytes.Load(), most)
	}
	if !open().write([]byte("x")) {
		t.Error("a stream for which nothing waits is refused")
	}
}
