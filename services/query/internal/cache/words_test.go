package cache

import (
	"math/rand/v2"
	"testing"
)

// least returns the least distance of a word to a part of a text, by the textbook's table, in which
// two characters that are exchanged are one step.
func least(word, text string) int {
	table := make([][]int, len(text)+1) // by characters of the text, then of the word
	table[0] = make([]int, len(word)+1)
	for i := range table[0] {
		table[0][i] = i
	}
	best := len(word)
	for j := 1; j <= len(text); j++ {
		table[j] = make([]int, len(word)+1)
		for i := 1; i <= len(word); i++ {
			replaced := table[j-1][i-1]
			if word[i-1] != text[j-1] {
				replaced++
			}
			table[j][i] = min(replaced, table[j][i-1]+1, table[j-1][i]+1)
			if i > 1 && j > 1 && word[i-1] == text[j-2] && word[i-2] == text[j-1] {
				table[j][i] = min(table[j][i], table[j-2][i-2]+1)
			}
		}
		best = min(best, table[j][len(word)])
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
		if got := containsFuzzy(text, word, typos); got != want {
			t.Fatalf("%q in %q with %d typos: %v, want %v", word, text, typos, got, want)
		}
		counts[want]++
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("the cases are lopsided: %v", counts)
	}
}
