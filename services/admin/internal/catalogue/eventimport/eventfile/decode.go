package eventfile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"litfass/pkg/chassis/fault/reason"
)

// The encodings of files.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16   = "utf-16"
	encodingWindows = "windows-1252"
	encodingXLSX    = "xlsx"
)

// decode returns a file as UTF-8 without a byte order mark, and its encoding. Invalid UTF-8 is read
// as Windows-1252, which spreadsheets of western Europe write, and a spreadsheet as CSV. The
// faults: Invalid; TooLarge.
func decode(data []byte, w *work) (text, name string, err error) {
	var from encoding.Encoding
	switch {
	case isWorkbook(data):
		if text, err = readWorkbook(data, w); err != nil {
			return "", "", err
		}
		name = encodingXLSX
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		name, from = encodingUTF16, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case utf8.Valid(data):
		name, text = encodingUTF8, string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	default:
		name, from = encodingWindows, charmap.Windows1252
	}
	if from != nil {
		decoded, err := from.NewDecoder().Bytes(data)
		if err != nil {
			return "", "", invalid("content", reason.NotTextFile)
		}
		text = string(decoded)
	}
	if !strings.Contains(text, "\n") { // of an old Mac
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	switch {
	case strings.ContainsRune(text, 0):
		return "", "", invalid("content", reason.NotTextFile)
	case strings.TrimSpace(text) == "":
		return "", "", invalid("content", reason.NoEvents)
	}
	return text, name, nil
}

// guessFormat returns the format of a text.
func guessFormat(text string) string {
	const begin = "BEGIN:VCALENDAR"
	start := strings.TrimLeft(text, " \t\r\n")
	if len(start) >= len(begin) && strings.EqualFold(start[:len(begin)], begin) {
		return FormatCalendar
	}
	if strings.HasPrefix(start, "<") || strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[") {
		return FormatPage
	}
	return FormatCSV
}
