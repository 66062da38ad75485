package params

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
)

// maxWords is the number of words of a search that the engine reads. It ignores further ones, and
// would find too much.
const maxWords = 10

// search reads the words to search for. Quotation marks and a minus before a word are operators of
// the engine; they are removed here with all other separators, so that a search is only words.
func (r *reader) search(text string) {
	words, count := words(text)
	switch {
	case count == 0:
		r.bad(reason.NoWords)
	case count > maxWords:
		r.bad(reason.TooManySearchWords(maxWords))
	}
	r.query.Search = strings.Join(words, " ")
}

// minTyped and maxTyped bound the length of a text that is completed.
const minTyped, maxTyped = 2, 100

// typed reads a text to complete, as words to search for.
func (r *reader) typed(text string) {
	if length := utf8.RuneCountInString(text); length < minTyped || length > maxTyped {
		r.bad(reason.WrongLength(minTyped, maxTyped))
		return
	}
	r.search(text)
}

// words splits a text as searched texts are split, and drops parts that are not words. count is an
// upper bound of the words that the engine makes of the rest: it splits further by its own rules
// and dictionaries.
func words(text string) (words []string, count int) {
	var parts partCounter
	for word := range strings.FieldsSeq(document.Words(text)) {
		if strings.ContainsFunc(norm.NFKC.String(word), searchable) {
			words = append(words, word)
			parts.add(word)
		}
	}
	return words, parts.count
}

// searchable reports whether c can be a word of its own. The engine drops accents and the Arabic
// lengthening stroke; a search for only these would find everything.
func searchable(c rune) bool {
	const tatweel = 'ـ'
	return c != tatweel && unicode.In(c, unicode.L, unicode.N, unicode.So)
}

// partCounter counts the maximum of words that the engine may make of a text. It splits a word
// where the script changes, before the Arabic article, and by dictionary in scripts without spaces,
// where each character may be a word. Digits and symbols have no script; they share that of the
// text before them or, at the beginning, after them.
type partCounter struct {
	count  int
	script *unicode.RangeTable // of the text before; nil: none yet
	inside bool                // a part that the next character may belong to
	early  int                 // characters before the first script that were counted as one with another
}

// add counts the parts of a word, and begins one where the script changes.
func (p *partCounter) add(word string) {
	p.inside = false
	for _, c := range word {
		switch shared := unicode.In(c, unicode.Common, unicode.Inherited) && c != longVowel; {
		case unicode.Is(unicode.M, c) && !shared: // part of the letter before
		case !unicode.Is(unicode.M, c) && (!searchable(c) || replaced(c)):
			p.alone() // signs, and forms that the engine replaces before it compares
		case shared:
			p.next(c)
		default:
			if script := scriptOf(c); script != p.script {
				if p.script == nil && slices.Contains(unspaced, script) {
					p.count += p.early
				}
				p.script, p.inside = script, false
			}
			p.next(c)
		}
	}
}

// replaced reports whether the engine compares another form of c, such as the plain digit of a
// raised one.
func replaced(c rune) bool {
	return c > unicode.MaxASCII && norm.NFKC.String(string(c)) != norm.NFC.String(string(c))
}

// next counts a character in the present script.
func (p *partCounter) next(c rune) {
	switch {
	case slices.Contains(unspaced, p.script):
		p.alone()
	case !p.inside && !unicode.Is(unicode.M, c):
		p.count++
		p.inside = true
		if c == articleBegin {
			p.count++
		}
	case p.script == nil:
		p.early++
	}
}

// alone counts a character that may be a separate word.
func (p *partCounter) alone() {
	p.count++
	p.inside = false
}

const (
	longVowel    = 'ー' // of both Japanese scripts, which Unicode gives to neither
	articleBegin = 'ا' // perhaps of the Arabic article
)

// unspaced are the scripts in which the engine parts words by dictionary.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar,
}

// scriptOf returns the script of a letter, nil for one that no script knows.
func scriptOf(c rune) *unicode.RangeTable {
	if c == longVowel {
		return unicode.Katakana
	}
	for _, script := range unicode.Scripts {
		if unicode.Is(script, c) {
			return script
		}
	}
	return nil
}
