package cache

import (
	"testing"
	"testing/synctest"
	"time"

	"litfass/pkg/contracts/applied"
)

func TestMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSignal(time.Now)
		if _, alive := s.generation(); alive {
			t.Error("alive before anything was heard")
		}
		expect := func(what string, change bool, step func()) {
			t.Helper()
			before, _ := s.generation()
			step()
			after, alive := s.generation()
			if !alive || (after > before) != change || after < before {
				t.Errorf("%s: generation %d after %d, alive %v", what, after, before, alive)
			}
		}
		expect("first signal", true, func() { s.Hear(applied.Signal{Sequence: 7}) })
		expect("heartbeat", false, func() { time.Sleep(time.Second); s.Hear(applied.Signal{Sequence: 7}) })
		expect("next change", true, func() { s.Hear(applied.Signal{Sequence: 8}) })
		expect("smaller sequence of a rebuilt index", true, func() { s.Hear(applied.Signal{Sequence: 3}) })
		expect("two missed heartbeats", false, func() { time.Sleep(maxSilence); s.Hear(applied.Signal{Sequence: 3}) })
		time.Sleep(maxSilence + time.Millisecond)
		if _, alive := s.generation(); alive {
			t.Error("alive in silence")
		}
		expect("end of the silence", true, func() { s.Hear(applied.Signal{Sequence: 3}) })
	})
}
