package adminapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// Passage stands for a long text in the audit: the part of it that a write has changed. Lengths are
// in characters.
type Passage struct {
	SHA256  string `json:"sha256"` // of the whole text in UTF-8, in hexadecimal digits
	Length  int    `json:"length"` // of the whole text
	Start   int    `json:"start"`  // of the passage
	Passage string `json:"passage"`
}

// PassageOf returns the passage of a text from start on, without its last rest characters, and of
// at most limit characters.
func PassageOf(text string, start, rest, limit int) Passage {
	characters := []rune(text)
	end := min(max(len(characters)-rest, start), start+limit)
	return Passage{digestOf(text), len(characters), start, string(characters[start:end])}
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ReadPassage returns the passage in a value of the audit; false for any other value.
func ReadPassage(value json.RawMessage) (Passage, bool) {
	var fields map[string]json.RawMessage
	var p Passage
	if json.Unmarshal(value, &fields) != nil || len(fields) != 4 || json.Unmarshal(value, &p) != nil {
		return Passage{}, false
	}
	return p, len(p.SHA256) == 2*sha256.Size
}

// String is the passage with marks where the text has more.
func (p Passage) String() string {
	shown := p.Passage
	if p.Start > 0 {
		shown = "… " + shown
	}
	if p.Start+len([]rune(p.Passage)) < p.Length {
		shown += " …"
	}
	return shown
}

// Before returns the whole text of the passage from the text after the write, of which the other
// passage is; false unless both are what the passages stand for.
func (p Passage) Before(text string, after Passage) (string, bool) {
	characters, length := []rune(text), len([]rune(after.Passage))
	if digestOf(text) != after.SHA256 || after.Start+length > len(characters) || p.Start != after.Start {
		return "", false
	}
	var whole strings.Builder
	whole.WriteString(string(characters[:p.Start]))
	whole.WriteString(p.Passage)
	whole.WriteString(string(characters[p.Start+length:]))
	return whole.String(), digestOf(whole.String()) == p.SHA256
}
