package web

import (
	"slices"
	"testing"
)

// TestTheLongestWaitIsGivenUp, as many as must be, and never the one that has just begun.
func TestTheLongestWaitIsGivenUp(t *testing.T) {
	var gone []string
	waits := map[string]*wait{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		waits[name] = &wait{giveUp: func() { gone = append(gone, name) }}
	}
	w := newWaiting(100)
	for _, step := range []struct {
		name  string
		bytes int // 0: ends
		gone  []string
		held  int
	}{
		{"a", 40, nil, 40},
		{"b", 40, nil, 80},
		{"c", 20, nil, 100},
		{"a", 30, nil, 90}, // starts over: now b has waited longest
		{"d", 50, []string{"b"}, 100},
		{"b", 0, []string{"b"}, 100}, // was given up
		{"c", 0, []string{"b"}, 80},
		{"c", 60, []string{"b", "a", "d"}, 60},
		{"e", 500, []string{"b", "a", "d", "c"}, 500},
		{"e", 0, []string{"b", "a", "d", "c"}, 0},
	} {
		if step.bytes == 0 {
			w.end(waits[step.name])
		} else {
			w.begin(waits[step.name], step.bytes)
		}
		if !slices.Equal(gone, step.gone) || w.bytes != step.held {
			t.Errorf("%s %d: %v given up, %d bytes held, want %v and %d", step.name, step.bytes, gone, w.bytes, step.gone, step.held)
		}
	}
}
