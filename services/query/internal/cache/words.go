package cache

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Only the engine knows which documents it finds by words: it tolerates typos, joins two or three
// adjacent words, and splits a word in two. But it certainly does not find a document whose text,
// without its spaces, lacks a word of the search even with the typos that the engine tolerates, and
// that does not have two words which make up that word.

// words are the words of a search; none of them restrict nothing.
type words []pattern

// pattern is a word in the forms in which the engine may find it: first the word itself, then
// joined with adjacent ones. One of the forms is enough.
type pattern []form

// form is a text of ASCII letters and digits with the number of typos tolerated in it; unknown if
// it has other characters, which the engine compares in ways that are not reproduced here.
type form struct {
	text    string
	typos   int
	unknown bool
}

// The engine's defaults: the lengths from which it tolerates one typo, and two.
const (
	oneTypo  = 5
	twoTypos = 9
)

func typos(length int) int {
	switch {
	case length < oneTypo:
		return 0
	case length < twoTypos:
		return 1
	default:
		return 2
	}
}

// maxCompound is the number of adjacent words that the engine joins.
const maxCompound = 3

// parseWords returns the words of a search, which are separated by spaces (document.Words).
func parseWords(search string) words {
	fields := strings.Fields(search)
	parsed := make(words, len(fields))
	for at := range fields {
		for size := 1; size <= maxCompound; size++ {
			for from := max(0, at-size+1); from <= at && from+size <= len(fields); from++ {
				compound := normalize(strings.Join(fields[from:from+size], ""))
				compound.typos = max(0, typos(len(compound.text))-size+1)
				compound.unknown = compound.unknown || strings.Contains(compound.text, otherScript)
				parsed[at] = append(parsed[at], compound)
			}
		}
	}
	return parsed
}

// size returns the bytes of memory that the words take, approximately.
func (w words) size() (bytes int) {
	const patternBytes, formBytes = 24, 32
	for _, word := range w {
		bytes += patternBytes + cap(word)*formBytes
		for _, form := range word {
			bytes += 2 * len(form.text) // it was built by appending
		}
	}
	return bytes
}

// mayMatch reports whether the engine may find a word in a document. It is true for some documents
// in which the engine does not find it, and never false for one in which it does.
func (p pattern) mayMatch(d *Document) bool {
	return slices.ContainsFunc(wordAttributes, func(name string) bool { return p.mayMatchIn(d, name) })
}

// mayMatchIn reports whether the engine may find one of the words, or a part of it, in an attribute
// of a document.
func (w words) mayMatchIn(d *Document, name string) bool {
	return slices.ContainsFunc(w, func(word pattern) bool { return word.mayMatchIn(d, name) })
}

func (p pattern) mayMatchIn(d *Document, name string) bool {
	a := d.attributes[name]
	if a == nil {
		return false
	}
	a.splitWords()
	if slices.ContainsFunc(p, a.mayContain) {
		return true
	}
	// The engine does not require the parts of a split word to be adjacent: it only knows that one
	// attribute has both.
	word := p[0].text
	for at := 1; at < len(word); at++ {
		if (a.hasWord(word[:at]) || a.hasWord(word[at:])) && d.hasWord(word[:at]) && d.hasWord(word[at:]) {
			return true
		}
	}
	return false
}

const (
	// longestCertain is the length in bytes up to which the engine certainly knows a word.
	longestCertain = 100
	// certainWords is the number of words of an attribute that the engine certainly knows.
	certainWords = 1 << 15
)

// matches reports whether a document has the word itself, so that the engine certainly finds it.
func (p pattern) matches(d *Document) bool {
	if p[0].unknown || p[0].text == "" || len(p[0].text) > longestCertain {
		return false
	}
	for _, name := range wordAttributes {
		if a := d.attributes[name]; a != nil {
			a.splitWords()
		}
	}
	return slices.ContainsFunc(wordAttributes, func(name string) bool {
		a := d.attributes[name]
		return a != nil && a.words[p[0].text]
	})
}

// hasWord reports whether a document has a word.
func (d *Document) hasWord(word string) bool {
	return slices.ContainsFunc(wordAttributes, func(name string) bool {
		a := d.attributes[name]
		if a == nil {
			return false
		}
		a.splitWords()
		return a.hasWord(word)
	})
}

// hasWord reports whether the prepared words have a word.
func (a *attribute) hasWord(word string) bool {
	_, has := a.words[word]
	return has
}

// splitWords prepares the words of an attribute on first use.
func (a *attribute) splitWords() {
	a.once.Do(func() {
		var all []string
		if len(a.texts) > 0 {
			all = strings.Fields(a.texts[0])
		}
		a.letters, a.words, a.contains = normalize(strings.Join(all, "")), make(map[string]bool, len(all)), map[form]bool{}
		for at, word := range all {
			normal := normalize(word)
			a.words[normal.text] = a.words[normal.text] || !normal.unknown && at < certainWords
		}
	})
}

// mayContain reports whether the prepared words may contain a form.
func (a *attribute) mayContain(f form) bool {
	if f.unknown || a.letters.unknown {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	result, known := a.contains[f]
	if !known {
		result = containsFuzzy(a.letters.text, f.text, f.typos)
		a.contains[f] = result
	}
	return result
}

// otherScript replaces a letter of another script than Latin.
const otherScript = " "

// normalize returns a text as the engine compares it: decomposed and without marks. Latin letters
// outside of ASCII make it unknown.
func normalize(s string) form {
	var f form
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r <= unicode.MaxASCII:
			b.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r):
		case unicode.Is(unicode.Latin, r):
			f.unknown = true
		default:
			b.WriteString(otherScript)
		}
	}
	f.text = b.String()
	return f
}

// containsFuzzy reports whether a part of a text is a word with at most the given number of
// characters inserted, deleted, replaced or swapped with the next one. Words longer than 64
// characters always match.
//
// It is Myers' bit-parallel algorithm with Hyyrö's extension: bit i of rises and falls encodes how
// the distance between the word's first i+1 characters and the part of the text that ends here
// differs from that of its first i. Bit i of same means that it equals the distance between the
// first i and the part that ends one character earlier.
func containsFuzzy(text, word string, typos int) bool {
	if typos == 0 {
		return strings.Contains(text, word)
	}
	if len(word) <= typos || len(word) > 64 {
		return true
	}
	var at [256]uint64 // bit i: the word's character i is this one
	for i := range len(word) {
		at[word[i]] |= 1 << i
	}
	rises, falls, distance := ^uint64(0), uint64(0), len(word)
	last := uint64(1) << (len(word) - 1)
	var same, before uint64
	for i := range len(text) {
		equal := at[text[i]]
		swapped := (^same & equal) << 1 & before
		same = (((equal & rises) + rises) ^ rises) | equal | falls | swapped
		before = equal
		up, down := falls|^(same|rises), rises&same
		switch {
		case up&last != 0:
			distance++
		case down&last != 0:
			distance--
		}
		if distance <= typos {
			return true
		}
		up, down = up<<1, down<<1 // the part of the text may begin anywhere
		rises, falls = down|^(same|up), up&same
	}
	return false
}
