package imagingtest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// Colour types of PNG.
const (
	Grey      = 0
	TrueColor = 2
	Paletted  = 3
	TrueAlpha = 6
)

// RawPNG describes a PNG file of one colour, whose pixels are made and packed line by line.
type RawPNG struct {
	Width, Height int
	Depth         byte // bits of a sample
	Colour        byte // a colour type
	Interlaced    bool
	Chunks        []byte // stand before the pixels
	Empty         bool   // the file ends where its pixels should begin
}

// Bytes returns the file.
func (r RawPNG) Bytes() []byte {
	header := binary.BigEndian.AppendUint32(nil, uint32(r.Width))    //nolint:gosec // never negative
	header = binary.BigEndian.AppendUint32(header, uint32(r.Height)) //nolint:gosec // as above
	header = append(header, r.Depth, r.Colour, 0, 0, 0)
	if r.Interlaced {
		header[12] = 1
	}
	file := append([]byte(pngMagic), Chunk("IHDR", header)...)
	if r.Colour == Paletted {
		file = append(file, Chunk("PLTE", []byte{200, 30, 30})...)
	}
	file = append(file, r.Chunks...)
	if r.Empty {
		return file
	}
	return append(append(file, Chunk("IDAT", r.pixels())...), Chunk("IEND", nil)...)
}

// passes are the first column and line, and the steps, of the seven passes of an interlaced file.
var passes = [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

func (r RawPNG) pixels() []byte {
	walk := [][4]int{{0, 0, 1, 1}}
	if r.Interlaced {
		walk = passes
	}
	samples := map[byte]int{Grey: 1, TrueColor: 3, Paletted: 1, TrueAlpha: 4}[r.Colour]
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	for _, pass := range walk {
		width, height := (r.Width-pass[0]+pass[2]-1)/pass[2], (r.Height-pass[1]+pass[3]-1)/pass[3]
		line := make([]byte, 1+(width*samples*int(r.Depth)+7)/8)
		for range height {
			_, _ = writer.Write(line) // into memory
		}
	}
	_ = writer.Close() // as above
	return packed.Bytes()
}

// Chunk returns a chunk of a PNG file.
func Chunk(kind string, content []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(content))) //nolint:gosec // never negative
	chunk = append(append(chunk, kind...), content...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// Packed returns so many zeros, packed by zlib: about a thousandth of that.
func Packed(zeros int) []byte {
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	for range zeros >> 20 {
		_, _ = writer.Write(make([]byte, 1<<20)) // into memory
	}
	_ = writer.Close() // as above
	return packed.Bytes()
}
