package imagingtest

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"
)

// APNG returns an animated PNG file, of which readers that know no animations show the first frame.
func APNG(t testing.TB, frames ...image.Image) []byte {
	t.Helper()
	var number uint32 // of the next control or frame chunk
	control := func(size image.Point) []byte {
		content := binary.BigEndian.AppendUint32(nil, number)
		content = binary.BigEndian.AppendUint32(content, uint32(size.X)) //nolint:gosec // never negative
		content = binary.BigEndian.AppendUint32(content, uint32(size.Y)) //nolint:gosec // as above
		number++
		return Chunk("fcTL", append(content, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0)) // at 0, 0 for a tenth of a second
	}
	const header = 8 + 12 + 13 // the signature, and IHDR with its length, name and checksum
	first := PNG(t, frames[0])
	file := append(bytes.Clone(first[:header]), Chunk("acTL", []byte{0, 0, 0, byte(len(frames)), 0, 0, 0, 0})...)
	for i, frame := range frames {
		file = append(file, control(frame.Bounds().Size())...)
		pixels := contentOf(PNG(t, frame), "IDAT")
		if i == 0 {
			file = append(file, Chunk("IDAT", pixels)...)
			continue
		}
		file = append(file, Chunk("fdAT", append(binary.BigEndian.AppendUint32(nil, number), pixels...))...)
		number++
	}
	return append(file, Chunk("IEND", nil)...)
}

// contentOf returns the content of the chunks of a kind in a PNG file.
func contentOf(file []byte, kind string) []byte {
	var content []byte
	for at := len(pngMagic); at < len(file); {
		length := int(binary.BigEndian.Uint32(file[at:]))
		if string(file[at+4:at+8]) == kind {
			content = append(content, file[at+8:at+8+length]...)
		}
		at += 12 + length
	}
	return content
}

// AnimatedWebP returns a WebP file with two frames of one colour.
func AnimatedWebP(width, height int) []byte {
	const animation = 1 << 1
	still := RawWebP(width, height)[12:] // only the chunk
	frame := append(make([]byte, 6), threeBytes(width-1, height-1, 100)...)
	chunks := append(extended(animation, width, height), webpChunk("ANIM", make([]byte, 6))...)
	for range 2 {
		chunks = append(chunks, webpChunk("ANMF", append(append(bytes.Clone(frame), 0), still...))...)
	}
	return riff(chunks)
}

// TaggedWebP returns a WebP file of one colour with EXIF.
func TaggedWebP(width, height, orientation int) []byte {
	const exif = 1 << 3
	still := RawWebP(width, height)[12:] // only the chunk
	return riff(append(append(extended(exif, width, height), still...), webpChunk("EXIF", EXIF(orientation))...))
}

// extended returns the first chunk of a WebP file that has more than an image.
func extended(features byte, width, height int) []byte {
	return webpChunk("VP8X", append([]byte{features, 0, 0, 0}, threeBytes(width-1, height-1)...))
}

// threeBytes returns numbers in three bytes each, the lowest first.
func threeBytes(numbers ...int) []byte {
	var packed []byte
	for _, number := range numbers {
		packed = append(packed, byte(number), byte(number>>8), byte(number>>16))
	}
	return packed
}
