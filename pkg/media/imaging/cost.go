package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
)

// cost is the memory that a file takes, at most.
type cost struct {
	decode int64 // bytes that decoding allocates, the image and garbage included
	image  int64 // bytes of the decoded image

	progressive bool // a JPEG that takes less when it is saved as a baseline one
}

// with returns the most bytes that are in use at a time when work more bytes are allocated once the
// file is decoded. The garbage of decoding is collected before that.
func (c cost) with(work int64) int64 { return max(c.decode, c.image+work) }

// pngCost counts four or eight bytes a pixel, and as much again for the passes of an interlaced
// file; then the two lines, raw and unfiltered, that each pass keeps. The widths of the seven
// passes add up to 2.5 times that of the image.
func pngCost(data []byte, config image.Config) (cost, error) {
	const depthAt, interlaceAt = 24, 28 // in the header, which DecodeConfig has read
	perPixel := int64(4)
	if data[depthAt] == 16 {
		perPixel = 8
	}
	img, lines := perPixel*pixels(config), 2*perPixel*int64(config.Width)
	if data[interlaceAt] != 0 {
		return cost{decode: 2*img + 3*lines, image: img}, nil
	}
	return cost{decode: img + lines, image: img}, nil
}

// gifCost counts the frame, and its copy in order when its lines are interlaced.
func gifCost(_ []byte, config image.Config) (cost, error) {
	return cost{decode: 2 * pixels(config), image: pixels(config)}, nil
}

// The most memory that the lossless part of a WebP file takes, by golang.org/x/image/vp8l: up to
// maxTrees groups of Huffman trees, one for as little as 4 × 4 pixels. A group takes groupBytes,
// and its trees up to treeBytes, of which each byte of the file describes treesPerByte at most: 33
// bits suffice for the lists of 2,328 symbols, which take eight bytes each.
const (
	maxTrees     = 2600
	groupBytes   = 2_800
	treeBytes    = 80_000
	treesPerByte = 4_800
	treeEdge     = 4
)

// webpCost counts the planes of a lossy file and its compressed parts. A lossless file, and
// lossless transparency of a lossy one, takes four bytes a pixel, as much again for its palette, a
// quarter for each of two transforms and the map of its trees, and its trees.
func webpCost(data []byte, config image.Config) (cost, error) {
	if claimed := int64(binary.LittleEndian.Uint32(data[4:])) + 8; claimed > int64(len(data))+1 { // 1: padding left out
		return cost{}, errors.New("claims more bytes than there are")
	}
	var c cost
	if !begins(data, "RIFF????WEBPVP8L") {
		c.image = 2 * int64(config.Width+15) * int64(config.Height+15)
		c.decode = c.image + int64(len(data))
	}
	if bytes.Contains(data, []byte("VP8L")) || bytes.Contains(data, []byte("ALPH")) {
		tiles := int64(config.Width/treeEdge+1) * int64(config.Height/treeEdge+1)
		groups := min(tiles, maxTrees)
		trees := min(groups*treeBytes, treesPerByte*int64(len(data)))
		c.image += 4 * pixels(config)
		c.decode += 8*pixels(config) + 3*4*tiles + groups*groupBytes + trees
	}
	return c, nil
}

func pixels(config image.Config) int64 { return int64(config.Width) * int64(config.Height) }
