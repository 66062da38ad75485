package document

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words returns the words of a text, parted by single spaces, as they are searched: the attributes
// that a search looks at hold Words of what is shown, and a search must ask for Words of what was
// typed. So both are parted and spelled alike, which the engine alone does not do: it takes
// "Kino|Bar", "<em>Kino</em>", "Kino€" or a no-break space between two words for one word, "Fuß"
// and "FUSS" for two different ones, and "für" and "fuer" as well. (Its own setting for the parting
// would cost every search several milliseconds.)
//
// Everything but letters, digits, marks and pictures parts words; a picture is a word of its own,
// as is a row of them without spaces. Soft hyphens and other invisible characters are left out, so
// that they hide no word. Umlauts, the letters that stand for them and their digraphs have one
// spelling: see digraphs.
func Words(text string) string {
	var words strings.Builder
	words.Grow(len(text))
	var spelled digraphs
	inside := parting // what the last character written belongs to
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

// class is what a character is to Words.
type class int

const (
	parting   class = iota // parts words
	letter                 // of a word, or a digit
	picture                // or another sign that stands for itself
	attached               // to the character before; parts words where that does
	invisible              // as if it was not there
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
		return picture
	case c == spaceWithoutWidth:
		return parting
	case unicode.Is(unicode.Cf, c):
		return invisible
	default:
		return parting
	}
}

// isSkinTone reports whether c colours the picture before it. Unicode counts these among the signs.
func isSkinTone(c rune) bool { return c >= 0x1F3FB && c <= 0x1F3FF }
