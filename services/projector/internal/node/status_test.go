package node

import (
	"testing"
	"time"

	"litfass/pkg/chassis/stream"
)

// A position counts once the part of the stream that it speaks of is applied, and no earlier.
func TestPositionFollowsWhatIsApplied(t *testing.T) {
	t.Parallel()
	var s status
	step := func(what string, want uint64) {
		t.Helper()
		if _, got := s.applied(); got != want {
			t.Fatalf("%s: position %d, want %d", what, got, want)
		}
	}
	s.complete(completion{3, 30, ""})
	step("before the first look", 0)
	s.look(stream.Progress{Last: 5, Applied: 4, Pending: 1})
	step("an index that does not yet hold what the stream held at first", 0)
	s.apply(5)
	step("then", 30)
	if s.complete(completion{7, 70, ""}) || s.complete(completion{9, 90, ""}) {
		t.Error("what is not applied is taken for applied")
	}
	step("two signals ahead", 30)
	s.apply(8)
	step("past the first of them", 70)
	if sequence, _ := s.completed(); sequence != 7 {
		t.Errorf("the position 70 belongs to sequence %d, want 7", sequence)
	}
	s.look(stream.Progress{Last: 10, Applied: 9, Pending: 1})
	step("a message on its way that a newer one has replaced", 70)
	s.look(stream.Progress{Last: 9, Applied: 9})
	step("by the stream's own account", 90)
	if !s.complete(completion{9, 95, ""}) || s.complete(completion{9, 95, ""}) || s.complete(completion{8, 80, ""}) {
		t.Error("a greater position, and only that, is news")
	}
	step("an idle stream", 95)
	for i := range uint64(3 * maxSignals) {
		s.complete(completion{20 + i, 200 + i, ""})
	}
	s.apply(20)
	step("the oldest of many signals", 200)
	s.apply(20 + 3*maxSignals)
	step("the newest of many signals", 200+3*maxSignals-1)
	s.reset()
	step("a lost index", 0)
	s.complete(completion{1, 300, ""})
	s.look(stream.Progress{Last: 500, Applied: 400, Pending: 100})
	step("an index that is filled again", 0)
	s.apply(500)
	step("and is full", 300)
}

// A signal of another stream does not count for this one, and no signal counts for an index that
// was built from another stream until it has been rebuilt.
func TestPositionIsThatOfTheStreamThatIsFollowed(t *testing.T) {
	t.Parallel()
	var s status
	s.begin("new", true)
	s.look(stream.Progress{Last: 5, Applied: 5})
	if s.hear(stream.Completion{Stream: "new", Sequence: 5, Position: 50}) {
		t.Error("the position of an index that was built from another stream is known")
	}
	s.rebuilt("old")
	if s.hear(stream.Completion{Stream: "new", Sequence: 5, Position: 50}) {
		t.Error("the position of an index that was built from the former stream is known")
	}
	s.rebuilt("new")
	if s.hear(stream.Completion{Stream: "old", Sequence: 1, Position: 90}) {
		t.Error("the former stream counts")
	}
	if !s.hear(stream.Completion{Stream: "new", Sequence: 5, Position: 50}) {
		t.Error("the stream that is followed does not count")
	}
	if !s.hear(stream.Completion{Sequence: 5, Position: 60}) {
		t.Error("a relay of an earlier version, which names no stream, does not count")
	}
}

// The lag is the age of the oldest change that is not applied, even while the stream is not asked.
func TestLagInSeconds(t *testing.T) {
	t.Parallel()
	var s status
	if s.behind() != 0 {
		t.Errorf("%s behind before the first look", s.behind())
	}
	s.look(stream.Progress{Last: 9, Applied: 4, Pending: 5})
	s.waiting(6, time.Now().Add(-time.Minute)) // 5 was replaced by a newer one
	if s.behind() < time.Minute {
		t.Errorf("%s behind", s.behind())
	}
	s.apply(6)
	if s.behind() != 0 {
		t.Errorf("%s behind what is applied", s.behind())
	}
	s.waiting(7, time.Now().Add(time.Hour)) // the stream's clock is ahead
	if s.behind() != 0 {
		t.Errorf("%s behind by another clock", s.behind())
	}
	s.waiting(7, time.Now().Add(-time.Hour))
	s.reset()
	if s.behind() != 0 {
		t.Errorf("%s behind after a reset", s.behind())
	}
}

// A stream that has lost its newest messages, as after a power failure, continues below the
// signalled sequence: a signal for lost messages does not hold up later ones.
func TestPositionOfAStreamThatHasLostMessages(t *testing.T) {
	t.Parallel()
	var s status
	s.look(stream.Progress{Applied: 5, Last: 5})
	s.complete(completion{9, 90, ""})
	s.complete(completion{5, 100, ""})
	if _, got := s.applied(); got != 100 {
		t.Errorf("position %d, want 100", got)
	}
}

// The index holds a form once it has applied everything that the relay has published in it.
func TestFormOfTheIndex(t *testing.T) {
	t.Parallel()
	var s status
	s.begin("stream", false)
	s.look(stream.Progress{Last: 5, Applied: 5})
	for _, step := range []struct {
		signal stream.Completion
		apply  uint64
		want   string
	}{
		{stream.Completion{Stream: "stream", Sequence: 5, Position: 1}, 5, ""},
		{stream.Completion{Stream: "stream", Sequence: 9, Position: 2, Form: "new"}, 8, ""},
		{stream.Completion{Stream: "stream", Sequence: 9, Position: 2, Form: "new"}, 9, "new"},
		{stream.Completion{Stream: "stream", Sequence: 12, Position: 3}, 11, "new"},
		{stream.Completion{Stream: "stream", Sequence: 12, Position: 3}, 12, ""},
	} {
		s.hear(step.signal)
		s.apply(step.apply)
		if form := s.holdsForm(); form != step.want {
			t.Errorf("%+v, applied up to %d: form %q", step.signal, step.apply, form)
		}
	}
	s.hear(stream.Completion{Stream: "stream", Sequence: 12, Position: 4, Form: "new"})
	s.reset()
	if form := s.holdsForm(); form != "" {
		t.Errorf("a lost index has the form %q", form)
	}
}
