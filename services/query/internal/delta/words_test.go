package delta

import (
	"math/rand/v2"
	"testing"
)

// least returns the least distance of a word to a part of a text, by the textbook's table.
func least(word, text string) int {
	column := make([]int, len(word)+1)
	for i := range column {
		column[i] = i
	}
	best := column[len(word)]
	for j := range len(text) {
		diagonal := column[0]
		for i := range len(word) {
			replaced := diagonal
			if word[i] != text[j] {
				replaced++
			}
			diagonal = column[i+1]
			column[i+1] = min(replaced, column[i]+1, column[i+1]+1)
		}
		best = min(best, column[len(word)])
	}
	return best
}

func TestOccursIsTheLeastDistanceToAPart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	letters := func(most int) string {
		text := make([]byte, 1+random.IntN(most))
		for i := range text {
			text[i] = "abc"[random.IntN(3)]
		}
		return string(text)
	}
	counts := map[bool]int{}
	for range 50_000 {
		word, text, typos := letters(12), letters(40), random.IntN(3)
		want := least(word, text) <= typos
		if got := occurs(word, text, typos); got != want {
			t.Fatalf("%q in %q with %d typos: %v, want %v", word, text, typos, got, want)
		}
		counts[want]++
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("the cases are lopsided: %v", counts)
	}
}
