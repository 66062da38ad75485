package document

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The engine lower-cases, trims and decomposes text before it compares it, and cuts values after
// 468 bytes. That would find "café" by "cafe*" and lose the end of a long title. So text that is
// filtered by pattern is indexed as keys: case-folded here, and written so that nothing the engine
// does changes it. A key holds only a–z, 0–9, the two marks and private-use runes; between quotes
// it needs no escaping in a filter.
const (
	startMark = "^" // stands before the first rune of a text
	endMark   = "$" // follows the last rune of a text
	hashMark  = "#" // stands before the digest of a text too long to be one key

	keyBytes = 460 // of the 468 bytes the engine keeps
	// MaxPatternBytes is how long a pattern's key may be: the overlap of two neighbouring keys of a
	// long text, so that every part of a text up to this length lies whole in one of its keys.
	MaxPatternBytes = 320

	privateUse  = 0xF0000 // plane 15; with plane 16 it has room for all runes of planes 0 and 1
	digestDigit = 0xE000  // plane 0: the digits of a digest are runes that no part of a text is written with
)

// TextKeys returns the keys under which a text is found: one for a short text, overlapping pieces
// and a digest for a long one. The first begins with the start mark, the last piece ends with the
// end mark. Absent text has no keys.
func TextKeys(text string) []string {
	if text == "" {
		return nil
	}
	whole := startMark + encode(text) + endMark
	if len(whole) <= keyBytes {
		return []string{whole}
	}
	keys := []string{digest(whole)}
	for from := 0; ; from = runeStart(whole, from+keyBytes-MaxPatternBytes-utf8.UTFMax) {
		to := min(from+keyBytes, len(whole))
		to = runeStart(whole, to)
		keys = append(keys, whole[from:to])
		if to == len(whole) {
			return keys
		}
	}
}

// TextEnd returns the reversed end of a text, by which patterns like "*value" find it; empty for
// absent text.
func TextEnd(text string) string {
	if text == "" {
		return ""
	}
	reversed := endMark + reverse(encode(text))
	return reversed[:runeStart(reversed, min(keyBytes, len(reversed)))]
}

// ExactKey returns the key that equals one of TextKeys(text) for this text and no other (but for
// case).
func ExactKey(text string) string {
	whole := startMark + encode(text) + endMark
	if len(whole) > keyBytes {
		return digest(whole)
	}
	return whole
}

// KeyText returns the folded text (see Fold) that a key of TextKeys stands for; ok is false when
// the key does not hold the whole text.
func KeyText(key string) (folded string, ok bool) {
	inner, started := strings.CutPrefix(key, startMark)
	inner, ended := strings.CutSuffix(inner, endMark)
	if !started || !ended {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		if r >= privateUse && r < privateUse+0x20000 {
			return r - privateUse
		}
		return r
	}, inner), true
}

// StartKey returns the prefix shared by the keys of all texts that begin with the given one.
func StartKey(text string) string { return startMark + encode(text) }

// EndKey returns the prefix shared by TextEnd of all texts that end with the given one.
func EndKey(text string) string { return endMark + reverse(encode(text)) }

// PartKey returns the part shared by the keys of all texts that contain the given one.
func PartKey(text string) string { return encode(text) }

// Fold returns the text in the form in which it is compared without regard to case: Unicode full
// case folding, so that "STRASSE" equals "Straße", in normal form C; accents are kept.
func Fold(text string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}

func encode(text string) string { return encodeRunes(Fold(text)) }

func encodeRunes(text string) string {
	var key strings.Builder
	for _, r := range text {
		if r >= privateUse { // a private-use rune of the text itself must not pass for another's key
			r = utf8.RuneError
		}
		if r < 0x20000 && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			r += privateUse
		}
		key.WriteRune(r)
	}
	return key.String()
}

func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	digits := []rune(hashMark)
	for _, b := range sum[:16] {
		digits = append(digits, digestDigit+rune(b>>4), digestDigit+rune(b&15))
	}
	return string(digits)
}

func reverse(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

// runeStart returns the greatest index not above at where a rune of text starts (or its length).
func runeStart(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
