package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
)

// pngCost counts four or eight bytes a pixel, and as much again for the passes of an interlaced
// file; then the two lines, raw and unfiltered, that each pass keeps. The widths of the seven
// passes add up to 2.5 times that of the image.
func pngCost(data []byte, config image.Config) (int64, error) {
	const depthAt, interlaceAt = 24, 28 // in the header, which DecodeConfig has read
	perPixel := int64(4)
	if data[depthAt] == 16 {
		perPixel = 8
	}
	img, lines := perPixel*pixels(config), 2*perPixel*int64(config.Width)
	if data[interlaceAt] != 0 {
		return 2*img + 3*lines, nil
	}
	return img + lines, nil
}

// gifCost counts the frame, and its copy in order when its lines are interlaced.
func gifCost(_ []byte, config image.Config) (int64, error) { return 2 * pixels(config), nil }

// The most memory that the lossless part of a WebP file takes, by the limits of
// golang.org/x/image/vp8l: up to maxTrees groups of Huffman trees, one for as little as 4 × 4
// pixels, whose size does not depend on the size of the file.
const (
	maxTrees  = 2600
	treeBytes = 80_000
	treeEdge  = 4
)

// webpCost counts the planes of a lossy file and its compressed parts. A lossless file, and
// lossless transparency of a lossy one, takes four bytes a pixel, as much again for its transforms,
// and its trees.
func webpCost(data []byte, config image.Config) (int64, error) {
	if claimed := int64(binary.LittleEndian.Uint32(data[4:])) + 8; claimed > int64(len(data))+1 { // 1: padding left out
		return 0, errors.New("claims more bytes than there are")
	}
	blocks := int64(config.Width+15) * int64(config.Height+15)
	cost := 2*blocks + int64(len(data))
	if bytes.Contains(data, []byte("VP8L")) || bytes.Contains(data, []byte("ALPH")) {
		tiles := int64(config.Width/treeEdge+1) * int64(config.Height/treeEdge+1)
		cost += 10*blocks + min(tiles, maxTrees)*treeBytes
	}
	return cost, nil
}

func pixels(config image.Config) int64 { return int64(config.Width) * int64(config.Height) }
