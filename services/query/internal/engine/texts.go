package engine

import "bytes"

// Texts returns the texts of an answer whose hits hold one attribute each, in one pass: for a page
// of dates, locating the hits, then their attribute, then its end takes several times as long as
// copying the text. The texts are in scratch, which is returned in case it grew. ok is false when
// the answer is not in the engine's own format (without white space and with the hits first), or
// when a text has other escapes than \" and \\. Hits reads any answer.
func Texts(answer []byte, attribute string, scratch []byte) (texts [][]byte, grown []byte, ok bool) {
	rest, ok := bytes.CutPrefix(answer, []byte(`{"hits":[`))
	before := []byte(`{"` + attribute + `":"`)
	for ok && len(rest) > 0 && rest[0] != ']' {
		if rest, ok = bytes.CutPrefix(rest, before); !ok {
			break
		}
		begin := len(scratch)
		var length int
		if scratch, length, ok = appendUntilQuote(scratch, rest); !ok {
			break
		}
		texts = append(texts, scratch[begin:len(scratch):len(scratch)])
		if rest, ok = bytes.CutPrefix(rest[length:], []byte(`"}`)); ok {
			rest, _ = bytes.CutPrefix(rest, []byte(","))
		}
	}
	return texts, scratch, ok && len(rest) > 0
}

// appendUntilQuote appends the value of a JSON string up to its closing quotation mark, and returns
// the number of bytes before that. ok is false for other escapes than \" and \\ and for a string
// without an end.
func appendUntilQuote(data, text []byte) (longer []byte, length int, ok bool) {
	from := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			return append(data, text[from:at]...), at, true
		case '\\':
			if at+1 == len(text) || text[at+1] != '"' && text[at+1] != '\\' {
				return data, 0, false
			}
			data = append(data, text[from:at]...)
			from = at + 1 // the escaped character itself
			at++
		}
	}
	return data, 0, false
}
