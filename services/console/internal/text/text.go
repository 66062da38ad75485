// Package text holds the words of the console. The messages are in
// messages/<part>.<language>.json.
package text

import (
	"embed"

	"litfass/pkg/ui/text"
)

//go:embed messages/*.json
var files embed.FS

// Texts are the words of one language.
type Texts = text.Texts

var words = text.Load(files)

// Of returns the texts of a language of language.Codes, and the default ones for another.
func Of(code string) *Texts { return words.Of(code) }
