package engine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendText(t *testing.T) {
	for _, text := range []string{
		"", `{"a":"b"}`, `{"a":"\"\\ \u0000"}`, `\`, `"`, `\"\\"`, "ä🎷\u2028", "\n\t\x00<b>", `{"a":"` + strings.Repeat(`\\`, 99) + `"}`, "ends in a line\n",
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if data, err := AppendText([]byte("before"), quoted); err != nil || string(data) != "before"+text {
			t.Errorf("%s: %q, %v", quoted, data, err)
		}
	}
	for _, broken := range []string{``, `"`, `5`, `null`, `{}`, `"\"`, `"\x"`, `"\u12"`, `"a\n\"`} {
		if data, err := AppendText(nil, []byte(broken)); err == nil {
			t.Errorf("%s: %q", broken, data)
		}
	}
}

// FuzzAppendText: of a valid string, the text is that of encoding/json; anything else must only not
// panic.
func FuzzAppendText(f *testing.F) {
	for _, seed := range []string{`"\"\\\/\b\f\n\r\t\u00e4"`, `"{\"a\":\"\\\"\"}"`, `"\ud83c\udfb7"`, `"\ud83c"`, `"\`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, quoted []byte) {
		data, err := AppendText(nil, quoted)
		var want string
		if !utf8.Valid(quoted) || json.Unmarshal(quoted, &want) != nil || bytes.TrimSpace(quoted)[0] != '"' {
			return
		}
		if len(bytes.TrimSpace(quoted)) < len(quoted) {
			return // the engine's strings are cut out of its answer
		}
		if err != nil || string(data) != want {
			t.Errorf("%q: %q, %v, want %q", quoted, data, err, want)
		}
	})
}
