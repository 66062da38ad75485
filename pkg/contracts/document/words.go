package document

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words returns the words of a text, separated by single spaces, as they are searched: searchable
// attributes contain Words of the shown text, and a search must ask for Words of the typed text.
// Both are then split and spelled alike, which the engine does not do: it takes "Kino|Bar",
// "<em>Kino</em>", "Kino€" or a no-break space between two words for one word, and "Fuß" and
// "FUSS", or "für" and "fuer", for different ones. (Its own setting for separators would cost every
// search several milliseconds.)
//
// Everything except letters, digits, marks and pictographs separates words; a pictograph is a word
// of its own, as is a row of them without spaces. Soft hyphens and other invisible characters are
// dropped, so that they hide no word. Umlauts, their replacement letters and their digraphs have
// one spelling: see digraphs.
func Words(text string) string {
	var words strings.Builder
	words.Grow(len(text))
	var spelled digraphs
	inside := parting // the class of the last character written
	for _, c := range norm.NFD.String(Fold(text)) {
		now := classOf(c)
		if now == invisible {
			continue
		}
		if now == attached {
			now = inside
		}
		if now != inside {
			spelled = digraphs{}
			if now != parting && words.Len() > 0 {
				words.WriteByte(' ')
			}
		}
		if c, shown := spelled.next(c); shown && now != parting {
			words.WriteRune(c)
		}
		inside = now
	}
	return norm.NFC.String(words.String())
}

// class is the role of a character in Words.
type class int

const (
	parting    class = iota // parts words
	letter                  // of a word, or a digit
	pictograph              // or another sign that stands for itself
	attached                // to the character before; parts words where that does
	invisible               // as if it was not there
)

func classOf(c rune) class {
	const spaceWithoutWidth, nonJoiner, joiner = '\u200b', '\u200c', '\u200d'
	switch {
	case unicode.IsLetter(c) || unicode.IsNumber(c):
		return letter
	case c <= unicode.MaxASCII:
		return parting
	case unicode.Is(unicode.M, c), c == nonJoiner, c == joiner, isSkinTone(c):
		return attached
	case unicode.Is(unicode.So, c):
		return pictograph
	case c == spaceWithoutWidth:
		return parting
	case unicode.Is(unicode.Cf, c):
		return invisible
	default:
		return parting
	}
}

// isSkinTone reports whether c colours the pictograph before it. Unicode counts these among the
// signs.
func isSkinTone(c rune) bool { return c >= 0x1F3FB && c <= 0x1F3FF }
