package document

import "strings"

// maxSpelling is how many bytes a facet value has at most; the engine cuts longer ones at 468.
const maxSpelling = 460

// Spelling returns a text as a value that the engine counts: written so that it neither trims nor
// folds it, for it counts "Kiel" and "KIEL" as one value under either of the two. Spelled reads it
// again. A text that would be too long has none; a tag of 100 characters always has one.
func Spelling(text string) string {
	written := encodeRunes(text)
	if len(written) > maxSpelling {
		return ""
	}
	return written
}

// Spelled returns the text that Spelling was made of.
func Spelled(spelling string) string {
	return strings.Map(func(r rune) rune {
		if r >= privateUse && r < privateUse+0x20000 {
			return r - privateUse
		}
		return r
	}, spelling)
}

// Spellings returns the Spelling of each text that has one, in order, and the first of several that
// differ only in case. It is never nil.
func Spellings(texts []string) []string {
	spellings, known := []string{}, map[string]bool{}
	for _, text := range texts {
		folded, spelling := Fold(text), Spelling(text)
		if spelling != "" && !known[folded] {
			known[folded] = true
			spellings = append(spellings, spelling)
		}
	}
	return spellings
}
