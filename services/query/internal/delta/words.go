package delta

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Which documents the engine finds by words, only the engine knows: it allows typos, takes two or
// three neighbouring words for one, and one for two. What it certainly does not find can be said
// without it: a document in whose words, written without spaces, a word that is searched for does
// not occur even with as many typos as the engine allows, and that does not have two words which
// make up that word.

// Words are the words that a search asks for. The zero value asks for none.
type Words []pattern

// pattern is a word in the forms in which the engine may find it: the first is it alone, the others
// are it joined with its neighbours. One of them is enough.
type pattern []form

// form is a text of ASCII letters and digits with the typos allowed in it; unknown when it has
// other characters, of which it is not known how the engine compares them.
type form struct {
	text    string
	typos   int
	unknown bool
}

// The engine's defaults: how long a word is in which it allows one typo, and two.
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

// WordsOf returns the words of a search, which are parted by spaces (document.Words).
func WordsOf(search string) Words {
	fields := strings.Fields(search)
	words := make(Words, len(fields))
	for at := range fields {
		for size := 1; size <= 3; size++ { // so many words the engine joins
			for from := max(0, at-size+1); from <= at && from+size <= len(fields); from++ {
				joined := plain(strings.Join(fields[from:from+size], ""))
				joined.typos = max(0, typos(len(joined.text))-size+1)
				joined.unknown = joined.unknown || strings.Contains(joined.text, foreign)
				words[at] = append(words[at], joined)
			}
		}
	}
	return words
}

// Size returns how many bytes of memory the words take, about.
func (w Words) Size() (bytes int) {
	const patternBytes, formBytes = 24, 32
	for _, word := range w {
		bytes += patternBytes + cap(word)*formBytes
		for _, form := range word {
			bytes += 2 * len(form.text) // it was appended to
		}
	}
	return bytes
}

// MayFind reports whether a search for the words can find a document. It is true more often than
// the engine finds it, and never false when it does.
func (w Words) MayFind(d *Document) bool {
	for _, word := range w {
		if !word.mayBeIn(d) {
			return false
		}
	}
	return true
}

func (p pattern) mayBeIn(d *Document) bool {
	for _, attribute := range wordAttributes {
		value := d.values[attribute]
		if value == nil {
			continue
		}
		for _, form := range p {
			if value.mayHold(form) {
				return true
			}
		}
	}
	return p[0].isParted(d)
}

// isParted reports whether a document has two words that make up this one. The engine does not ask
// for them to stand together: it knows of two words only that one attribute has both.
func (f form) isParted(d *Document) bool {
	for at := 1; at < len(f.text); at++ {
		if d.hasWord(f.text[:at]) && d.hasWord(f.text[at:]) {
			return true
		}
	}
	return false
}

func (d *Document) hasWord(word string) bool {
	for _, attribute := range wordAttributes {
		if value := d.values[attribute]; value != nil && value.text.prepared(value).words[word] {
			return true
		}
	}
	return false
}

// text is the words of an attribute, with what was looked for in it before.
type text struct {
	once    sync.Once
	letters form // without their spaces
	words   map[string]bool

	mu    sync.Mutex
	known map[form]bool
}

// prepared returns the text of a value, read when it is first asked for.
func (t *text) prepared(v *Value) *text {
	t.once.Do(func() {
		words := strings.Fields(wordsOf(v))
		t.letters, t.words, t.known = plain(strings.Join(words, "")), make(map[string]bool, len(words)), map[form]bool{}
		for _, word := range words {
			t.words[plain(word).text] = true
		}
	})
	return t
}

func (v *Value) mayHold(f form) bool {
	t := v.text.prepared(v)
	if f.unknown || t.letters.unknown {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	found, known := t.known[f]
	if !known {
		found = occurs(f.text, t.letters.text, f.typos)
		t.known[f] = found
	}
	return found
}

// foreign stands for a letter of another script than Latin.
const foreign = " "

// plain returns a text as the engine compares it: decomposed and without marks. Latin letters that
// stay outside of ASCII make it unknown.
func plain(s string) form {
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
			b.WriteString(foreign)
		}
	}
	f.text = b.String()
	return f
}

// occurs reports whether a word is a part of a text with at most so many characters inserted, left
// out or replaced, or exchanged with the next one. A word longer than 64 characters counts as one
// that is.
//
// It is Myers' algorithm with Hyyrö's addition: bit i of rises and falls says how the distance of
// the word's first i+1 characters to the part of the text that ends here differs from that of its
// first i. Bit i of same says that it is the distance of the first i to the part that ends one
// character before.
func occurs(word, text string, typos int) bool {
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
		exchanged := (^same & equal) << 1 & before
		same = (((equal & rises) + rises) ^ rises) | equal | falls | exchanged
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
		up, down = up<<1, down<<1 // a part of the text may begin anywhere
		rises, falls = down|^(same|up), up&same
	}
	return false
}
