package encoded

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// An answer in zstd is one frame (RFC 8878): its beginning is a raw block, and the shared part
// follows in compressed blocks, which refer to nothing before them.

const (
	// windowLog is the distance that a block may refer back, as a power of two; at least the size of a
	// block.
	windowLog = 18
	// rawBytes is the maximum size of a raw block.
	rawBytes = 1 << 17

	// frameDescriptor announces four bytes with the length of the content, and no checksum.
	frameDescriptor  = 0b10_00_0000
	windowDescriptor = (windowLog - 10) << 3
)

var frameMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

var compressor = sync.OnceValue(func() *zstd.Encoder { return newCompressor(zstd.SpeedFastest) })

func newCompressor(level zstd.EncoderLevel) *zstd.Encoder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(1<<windowLog), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // only for invalid options
	}
	return encoder
}

var decompressor = sync.OnceValue(func() *zstd.Decoder {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // only for invalid options
	}
	return decoder
})

// compress returns the blocks of a text, to the end of the frame.
func compress(text []byte, dense bool) *form {
	encoder := compressor()
	if dense {
		encoder = newCompressor(zstd.SpeedBestCompression)
		defer encoder.Close()
	}
	frame := encoder.EncodeAll(text, nil)
	var header zstd.Header
	if err := header.Decode(frame); err != nil {
		panic(fmt.Sprintf("a frame of our own cannot be read: %v", err))
	}
	return &form{data: slices.Clone(frame[header.HeaderSize:])}
}

// decompress returns the text of blocks that compress has made.
func decompress(blocks []byte, length int) []byte {
	frame := append(appendFrame(nil, nil, length), blocks...)
	text, err := decompressor().DecodeAll(frame, make([]byte, 0, length))
	if err != nil {
		panic(fmt.Sprintf("blocks of our own cannot be read: %v", err))
	}
	return text
}

// appendFrame begins a frame with start, before a text of the given length.
func appendFrame(b, start []byte, length int) []byte {
	b = append(b, frameMagic...)
	b = append(b, frameDescriptor, windowDescriptor)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(start)+length)) //nolint:gosec // of memory
	for raw := range slices.Chunk(start, rawBytes) {
		size := uint32(len(raw)) << 3 //nolint:gosec // at most rawBytes; the low bits say: raw, not the last
		b = append(b, byte(size), byte(size>>8), byte(size>>16))
		b = append(b, raw...)
	}
	return b
}
