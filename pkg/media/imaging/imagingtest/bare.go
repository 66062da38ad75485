package imagingtest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// WantBare fails the test unless a file is a JPEG or PNG with only its image: no metadata, no
// comment, and nothing after its end.
func WantBare(t testing.TB, what string, file []byte) {
	t.Helper()
	other := "no JPEG or PNG"
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8")):
		other = extrasOfJPEG(file)
	case bytes.HasPrefix(file, []byte(pngMagic)):
		other = extrasOfPNG(file)
	}
	if other != "" {
		t.Errorf("%s: the file holds %s", what, other)
	}
}

// extrasOfJPEG returns the parts of a JPEG file other than its image, "" for none.
func extrasOfJPEG(file []byte) string {
	const tables, huffman, frame, scan, end = 0xdb, 0xc4, 0xc0, 0xda, 0xd9
	for at := 2; at+4 <= len(file); {
		marker := file[at+1]
		if file[at] != 0xff || !slices.Contains([]byte{tables, huffman, frame, scan}, marker) {
			return "the segment " + string(file[at:min(at+24, len(file))])
		}
		at += 2 + int(binary.BigEndian.Uint16(file[at+2:]))
		if marker != scan {
			continue
		}
		for at+1 < len(file) && (file[at] != 0xff || file[at+1] == 0) { // a zero escapes a byte of the image
			at++
		}
		if at+2 != len(file) || file[at+1] != end {
			return "more than one scan"
		}
		return ""
	}
	return "no scan"
}

// extrasOfPNG returns the parts of a PNG file other than its image, "" for none.
func extrasOfPNG(file []byte) string {
	for at := len(pngMagic); at+12 <= len(file); {
		length, kind := int(binary.BigEndian.Uint32(file[at:])), string(file[at+4:at+8])
		if !slices.Contains([]string{"IHDR", "PLTE", "tRNS", "IDAT", "IEND"}, kind) {
			return "the chunk " + kind
		}
		at += 12 + length
		if kind == "IEND" && at == len(file) {
			return ""
		}
	}
	return "no end, or something behind it"
}
