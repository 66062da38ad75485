package imagingtest

import "encoding/binary"

// RawWebP returns a lossless WebP file of one colour, of up to 16,384 × 16,384 pixels, in which no
// pixel takes a bit.
func RawWebP(width, height int) []byte {
	bits := losslessHeader(width, height)
	bits.write(0, 1+1)                                  // no cache, one group of trees
	for _, symbol := range []int{30, 200, 30, 255, 0} { // green, red, blue, alpha, distance
		bits.writeLeaf(symbol)
	}
	return riff(webpChunk("VP8L", append(bits.bytes, 0)))
}

// WoodedWebP returns a lossless WebP file in which every 4 × 4 pixels have Huffman trees of their
// own, as large as they can be written down in a few bytes.
func WoodedWebP(width, height int) []byte {
	bits := losslessHeader(width, height)
	const cacheBits = 11
	bits.write(1, 1)
	bits.write(cacheBits, 4)
	bits.write(1, 1) // several groups
	bits.write(0, 3) // of 4 × 4 pixels
	groups := (width + 3) / 4 * ((height + 3) / 4)
	bits.writeGroups(groups)
	for range groups {
		bits.writeTree(11) // 2,048 of green, lengths and the cache
		for range 3 {
			bits.writeTree(8)
		}
		bits.writeTree(5)
	}
	const perPixel = 11 + 3*8
	return riff(webpChunk("VP8L", append(bits.bytes, make([]byte, width*height*perPixel/8+1)...)))
}

func losslessHeader(width, height int) *bitWriter {
	bits := &bitWriter{}
	bits.write(0x2f, 8)
	bits.write(width-1, 14)
	bits.write(height-1, 14)
	bits.write(0, 1+3) // opaque, version 0
	bits.write(0, 1)   // no transforms
	return bits
}

// writeGroups writes the image that assigns each tile its group of trees: one of its own, counted
// in red and green.
func (w *bitWriter) writeGroups(groups int) {
	w.write(0, 1)  // no cache
	w.writeTree(8) // green
	w.writeTree(4) // red
	w.writeLeaf(0) // blue
	w.writeLeaf(0) // alpha
	w.writeLeaf(0) // distance
	for group := range groups {
		w.writeCode(group&255, 8)
		w.writeCode(group>>8, 4)
	}
}

// writeLeaf writes a tree of one symbol.
func (w *bitWriter) writeLeaf(symbol int) {
	w.write(1, 1) // a simple tree
	w.write(0, 1) // of one symbol
	w.write(1, 1) // of eight bits
	w.write(symbol, 8)
}

// lengthOrder is the order in which a tree lists the lengths of its length codes.
var lengthOrder = []int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// writeTree writes a tree of as many symbols as codes of so many bits can name.
func (w *bitWriter) writeTree(bits int) {
	w.write(0, 1) // no simple tree
	w.write(len(lengthOrder)-4, 4)
	for _, length := range lengthOrder {
		if length == bits {
			w.write(1, 3)
		} else {
			w.write(0, 3)
		}
	}
	w.write(1, 1) // not the whole alphabet
	w.write(5, 3) // the number of symbols has 2 + 2 × 5 bits
	w.write(1<<bits-2, 12)
}

// writeCode writes the code of a symbol in a tree of writeTree.
func (w *bitWriter) writeCode(symbol, length int) {
	for bit := length - 1; bit >= 0; bit-- {
		w.write(symbol>>bit, 1)
	}
}

// riff returns a WebP file of these chunks.
func riff(chunks []byte) []byte {
	file := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(chunks))) //nolint:gosec // never negative
	return append(append(file, "WEBP"...), chunks...)
}

func webpChunk(kind string, content []byte) []byte {
	chunk := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(content))) //nolint:gosec // never negative
	chunk = append(chunk, content...)
	if len(content)%2 == 1 {
		chunk = append(chunk, 0)
	}
	return chunk
}

// bitWriter writes numbers, the lowest bit first.
type bitWriter struct {
	bytes []byte
	used  int // bits of the last byte
}

func (w *bitWriter) write(number, bits int) {
	for i := range bits {
		if w.used%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[len(w.bytes)-1] |= byte(number>>i&1) << (w.used % 8)
		w.used++
	}
}
