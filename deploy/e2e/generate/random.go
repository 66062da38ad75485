// Package generate makes catalogues, questions and edits at random from a seed: full of awkward
// values, and the questions such that many of them find something. Texts have no space at either
// end and lines end with \n, since no contract says whether those are kept.
package generate

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// random draws values; the same seed draws the same ones.
type random struct {
	*rand.Rand
}

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0x11f8f855))} }

// chance is true in percent of a hundred cases.
func (r random) chance(percent int) bool { return r.IntN(100) < percent }

// between returns a number from low to high, both inclusive.
func (r random) between(low, high int) int { return low + r.IntN(high-low+1) }

// uuid returns a version 7 uuid of a random moment, so that the order of uuids is not the order of
// their making.
func (r random) uuid() string {
	moment := uint64(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()) + r.Uint64N(1<<34)
	tail := r.Uint64N(1 << 62)
	return fmt.Sprintf("%08x-%04x-7%03x-%04x-%012x",
		moment>>16, moment&0xffff, r.Uint64N(1<<12), 0x8000|tail>>48, tail&0xffff_ffff_ffff)
}

// pick returns one of the choices.
func pick[T any](r random, choices []T) T { return choices[r.IntN(len(choices))] }

// some returns up to most different choices, in random order; never nil.
func some[T any](r random, choices []T, most int) []T { return sample(r, choices, r.between(0, most)) }

// sample returns n different choices, or all when there are fewer, in random order; never nil.
func sample[T any](r random, choices []T, n int) []T {
	taken := make([]T, 0, n)
	for _, i := range r.Perm(len(choices))[:min(n, len(choices))] {
		taken = append(taken, choices[i])
	}
	return taken
}

// maybe returns a pointer to the drawn value in percent of a hundred cases, else nil.
func maybe[T any](r random, percent int, draw func() T) *T {
	if !r.chance(percent) {
		return nil
	}
	value := draw()
	return &value
}
