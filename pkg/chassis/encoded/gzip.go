package encoded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/flate"
)

// An answer in gzip is one member (RFC 1952): its beginning is a stored block, and the shared part
// follows in compressed blocks, which refer to nothing before them. Several members would be
// simpler, but some clients stop after the first.

// storedBytes is the maximum size of a stored block.
const storedBytes = 1<<16 - 1

// memberHeader has neither a time nor a name.
var memberHeader = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}

var deflaters = sync.Pool{New: func() any { return newDeflater(flate.BestSpeed) }}

func newDeflater(level int) *flate.Writer {
	deflater, err := flate.NewWriter(nil, level)
	if err != nil {
		panic(err) // only for an invalid level
	}
	return deflater
}

// deflate returns the blocks of a text, to the end of the member's data.
func deflate(text []byte, dense bool) *form {
	if dense {
		return deflateBy(newDeflater(flate.BestCompression), text)
	}
	deflater := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(deflater)
	return deflateBy(deflater, text)
}

func deflateBy(deflater *flate.Writer, text []byte) *form {
	var blocks bytes.Buffer
	deflater.Reset(&blocks)
	_, err := deflater.Write(text)
	if err == nil {
		err = deflater.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("write to memory: %v", err))
	}
	return &form{data: bytes.Clone(blocks.Bytes()), checksum: checksumOf(text)}
}

// inflate returns the text of blocks that deflate has made.
func inflate(blocks []byte, length int) []byte {
	text := make([]byte, length)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(blocks)), text); err != nil {
		panic(fmt.Sprintf("blocks of our own cannot be read: %v", err))
	}
	return text
}

// appendMember begins a member with start.
func appendMember(b, start []byte) []byte {
	b = append(b, memberHeader...)
	for stored := range slices.Chunk(start, storedBytes) {
		b = append(b, 0)                                              // neither the last block nor compressed
		b = binary.LittleEndian.AppendUint16(b, uint16(len(stored)))  //nolint:gosec // at most storedBytes
		b = binary.LittleEndian.AppendUint16(b, ^uint16(len(stored))) //nolint:gosec // at most storedBytes
		b = append(b, stored...)
	}
	return b
}

// appendTrailer ends a member of start and a text of the given length.
func appendTrailer(b, start []byte, text checksum, length int) []byte {
	b = binary.LittleEndian.AppendUint32(b, text.after(start))
	return binary.LittleEndian.AppendUint32(b, uint32(len(start)+length)) //nolint:gosec // modulo 2^32, as gzip has it
}
