package catalogfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// readAll returns the lines of a file as "number:data", and the error after the last.
func readAll(t *testing.T, file []byte) (got []string, err error) {
	t.Helper()
	l, err := openLines(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	for {
		line, err := l.next()
		if err != nil {
			return got, err
		}
		text := string(line.data)
		if line.tooLong {
			text = "too long"
		}
		got = append(got, fmt.Sprintf("%d:%s", line.number, text))
	}
}

func pack(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestLines(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", MaxLine)
	for name, test := range map[string]struct {
		file []byte
		want []string
	}{
		"empty":                 {nil, nil},
		"one byte":              {[]byte("a"), []string{"1:a"}},
		"without last break":    {[]byte("a\nb"), []string{"1:a", "2:b"}},
		"blank lines":           {[]byte("\n a \n\n\t\r\nb\n\n"), []string{"2:a", "5:b"}},
		"windows":               {[]byte("\xef\xbb\xbfa\r\nb\r\n"), []string{"1:a", "2:b"}},
		"packed":                {pack(t, "a\nb\n"), []string{"1:a", "2:b"}},
		"packed in two parts":   {append(pack(t, "a\n"), pack(t, "b\n")...), []string{"1:a", "2:b"}},
		"longest line":          {[]byte(longest + "\nb"), []string{"1:" + longest, "2:b"}},
		"line that is too long": {[]byte("a\n" + longest + "x\nb\n"), []string{"1:a", "2:too long", "3:b"}},
		"last line too long":    {[]byte("a\n" + longest + longest), []string{"1:a", "2:too long"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readAll(t, test.file)
			if !errors.Is(err, io.EOF) || !slices.Equal(got, test.want) {
				t.Errorf("%d lines (%v): %.100q", len(got), err, got)
			}
		})
	}
}

func TestLinesOfABrokenFile(t *testing.T) {
	t.Parallel()
	packed := pack(t, "a\n"+strings.Repeat("b\n", 100))
	got, err := readAll(t, packed[:len(packed)-10])
	if len(got) == 0 || err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "read line") {
		t.Errorf("%d lines, error %v", len(got), err)
	}
	if _, err := readAll(t, []byte("\x1f\x8bnonsense")); err == nil || !strings.Contains(err.Error(), "unpack") {
		t.Errorf("error %v", err)
	}
}
