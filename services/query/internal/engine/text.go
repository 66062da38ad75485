package engine

import (
	"bytes"
	"encoding/json"
)

// AppendText appends the value of a JSON string to data. The string is valid JSON, as the engine
// writes it; for anything else the result is ErrAnswer or undefined.
//
// Most strings are JSON in which only quotation marks and backslashes are escaped. Strings with
// other escapes are left to encoding/json, which takes several times as long.
func AppendText(data, quoted []byte) ([]byte, error) {
	if len(quoted) < 2 || quoted[0] != '"' {
		return nil, ErrAnswer
	}
	before := len(data)
	for rest := quoted[1 : len(quoted)-1]; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			return append(data, rest...), nil
		}
		if at+1 == len(rest) {
			return nil, ErrAnswer
		}
		escaped := rest[at+1]
		if escaped != '"' && escaped != '\\' {
			return appendAnyText(data[:before], quoted)
		}
		data = append(append(data, rest[:at]...), escaped)
		rest = rest[at+2:]
	}
}

func appendAnyText(data, quoted []byte) ([]byte, error) {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return nil, ErrAnswer
	}
	return append(data, text...), nil
}
