package rotation

import (
	"testing"
	"testing/synctest"
	"time"

	"litfass/pkg/chassis/stream"
)

const limit = 10 * time.Second

// field is several read nodes, of which "own" is watched.
type field struct {
	*Rotation
	own    uint64
	others map[string]stream.Serving
}

func newField(nodes ...stream.Serving) *field {
	f := &field{own: 100, others: map[string]stream.Serving{}}
	for _, node := range nodes {
		f.others[node.Node] = node
	}
	f.Rotation = New("own", limit, func() uint64 { return f.own }, time.Now)
	return f
}

// pass lets time pass, in which the others repeat their announcements.
func (f *field) pass(seconds int) {
	for range seconds {
		time.Sleep(time.Second)
		f.Hear(stream.Serving{Node: "own", Position: 1000, Ready: true}) // announcements of its own node do not count
		for _, node := range f.others {
			f.Hear(node)
		}
	}
}

func (f *field) expect(t *testing.T, what string, in bool) {
	t.Helper()
	if err := f.Check(t.Context()); (err == nil) != in {
		t.Errorf("%s: in rotation %v (%v), want %v", what, err == nil, err, in)
	}
}

func at(node string, position uint64, ready bool) stream.Serving {
	return stream.Serving{Node: node, Position: position, Ready: ready}
}

func TestALaggingNodeLeavesAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newField(at("b", 100, true))
		f.pass(30)
		f.expect(t, "level", true)
		f.others["b"] = at("b", 200, true)
		f.pass(10)
		f.expect(t, "behind for less than the limit", true)
		f.pass(3)
		f.expect(t, "behind for longer", false)
		f.own = 150
		f.expect(t, "still behind", false)
		f.own = 200
		f.expect(t, "level again", true)
		f.others["b"] = at("b", 300, true)
		f.pass(13)
		f.expect(t, "behind again", false)
		f.others["b"] = at("b", 300, false)
		f.pass(4)
		f.expect(t, "no other is ready", true)
		f.others["b"] = at("b", 400, true)
		f.pass(1)
		f.expect(t, "another is ready again", false)
		f.pass(12)
		delete(f.others, "b")
		f.pass(4)
		f.expect(t, "no other is heard", true)
	})
}

// A node that is always slightly behind a busy one stays.
func TestANodeThatKeepsUpStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newField()
		for second := range uint64(60) {
			f.others["b"] = at("b", 1000+second, true)
			f.own = 1000 + second - min(second, 9)
			f.pass(1)
			f.expect(t, "nine seconds behind", true)
		}
		for second := range uint64(60) {
			f.others["b"] = at("b", 2000+second, true)
			f.own = 2000 + second - min(second, 13)
			f.pass(1)
		}
		f.expect(t, "thirteen seconds behind", false)
	})
}

// At least half of all nodes stay, however the others differ.
func TestHalfStay(t *testing.T) {
	for name, test := range map[string]struct {
		others []stream.Serving
		stays  bool
	}{
		"one of two is ahead":                       {[]stream.Serving{at("b", 200, true)}, false},
		"one of three":                              {[]stream.Serving{at("b", 200, true), at("c", 50, true)}, true},
		"one of three, and one has left":            {[]stream.Serving{at("b", 200, true), at("c", 50, false)}, true},
		"two of three":                              {[]stream.Serving{at("b", 200, true), at("c", 150, true)}, false},
		"two of four":                               {[]stream.Serving{at("b", 200, true), at("c", 150, true), at("d", 90, true)}, false},
		"two of three, of which one is not ready":   {[]stream.Serving{at("b", 200, true), at("c", 150, false)}, true},
		"one of two, and it is not ready":           {[]stream.Serving{at("b", 200, false)}, true},
		"one of which nothing is known":             {[]stream.Serving{at("b", 0, true)}, true},
		"all are behind":                            {[]stream.Serving{at("b", 50, true), at("c", 50, true)}, true},
		"two of five":                               {[]stream.Serving{at("b", 200, true), at("c", 200, true), at("d", 1, true), at("e", 1, true)}, true},
		"three of six, though the others have left": {[]stream.Serving{at("b", 200, true), at("c", 200, true), at("d", 200, true), at("e", 1, false), at("f", 1, false)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newField(test.others...)
				f.pass(20)
				f.expect(t, "after a while", test.stays)
			})
		})
	}
}

func TestPositionsThatAreNotKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newField(at("b", 100, true))
		f.pass(20)
		f.expect(t, "level", true)
		f.own = 0 // the indexes were exchanged
		f.expect(t, "its own position is not known for a moment", true)
		f.others["b"] = at("b", 200, true)
		f.pass(12)
		f.expect(t, "and then lags", false)
		f.own = 7
		f.others["b"] = at("b", 7, true) // a restored database
		f.pass(12)
		f.expect(t, "positions have begun anew", true)
		f.others["b"] = at("b", 9, true)
		f.pass(13)
		f.expect(t, "and then lags again", false)
	})
}

func TestNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newField(at("b", 200, true))
		f.limit = 0
		f.pass(100)
		f.expect(t, "for ever", true)
	})
}
