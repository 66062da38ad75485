package apply

import (
	"testing"
	"time"
)

// TestTurn: a batch waits for the former one to end, and until pace has passed since that began.
func TestTurn(t *testing.T) {
	t.Parallel()
	var last turn
	if last.taken(time.Now()) {
		t.Error("the first batch waits")
	}
	last.begin()
	began := time.Unix(0, last.began.Load())
	if !last.taken(began.Add(time.Hour)) {
		t.Error("a batch does not wait for the one that is written")
	}
	last.end()
	for after, want := range map[time.Duration]bool{0: true, pace - 1: true, pace: false, time.Hour: false} {
		if got := last.taken(began.Add(after)); got != want {
			t.Errorf("%v after the start of the former batch: taken %v", after, got)
		}
	}
}
