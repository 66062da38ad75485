// Package pmtiles reads and writes archives of vector tiles in the format PMTiles, version 3
// (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md): a header, a tree of directories
// and the tiles, in one file that is read by ranges. An archive may come from anywhere, so every
// number in it is checked before it is used.
package pmtiles

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Compression is how directories, metadata or tiles are compressed.
type Compression uint8

// The compressions that are read and written.
const (
	Plain Compression = 1
	Gzip  Compression = 2
)

const (
	headerLength = 127
	// rootLength is where the root directory ends at the latest.
	rootLength = 16 << 10
	// vectorTiles is the type of tiles that are read and written: Mapbox Vector Tiles.
	vectorTiles = 1
	// maxZoom is the greatest zoom whose tiles have numbers of 64 bits with room to spare.
	maxZoom = 26
)

// errFormat is wrapped by all errors about the content of an archive.
var errFormat = errors.New("not a PMTiles archive of version 3 with vector tiles")

// section is a part of an archive.
type section struct{ offset, length uint64 }

// inFile reports whether a file can have the section.
func (s section) inFile() bool {
	end := s.offset + s.length
	return end >= s.offset && end <= math.MaxInt64
}

// header is the beginning of an archive.
type header struct {
	root, metadata, leaves, tiles section
	addressed, entries, contents  uint64 // numbers of tiles, for information
	internal, tile                Compression
	minZoom, maxZoom, centerZoom  uint8
	bounds                        [4]float64 // west, south, east and north in degrees
}

// parseHeader reads a header.
func parseHeader(content []byte) (header, error) {
	var h header
	if len(content) < headerLength || string(content[:7]) != "PMTiles" || content[7] != 3 {
		return h, errFormat
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(content[at:]) }
	for i, s := range []*section{&h.root, &h.metadata, &h.leaves, &h.tiles} {
		*s = section{number(8 + 16*i), number(16 + 16*i)}
		if !s.inFile() {
			return h, fmt.Errorf("%w: a section is not in the file", errFormat)
		}
	}
	h.addressed, h.entries, h.contents = number(72), number(80), number(88)
	h.internal, h.tile = Compression(content[97]), Compression(content[98])
	h.minZoom, h.maxZoom, h.centerZoom = content[100], content[101], content[118]
	for i := range h.bounds {
		h.bounds[i] = float64(int32(binary.LittleEndian.Uint32(content[102+4*i:]))) / 1e7
	}
	return h, h.check()
}

// check returns what in the header cannot be read.
func (h header) check() error {
	switch {
	case h.root.offset < headerLength || h.root.length == 0 || h.root.offset+h.root.length > rootLength:
		return fmt.Errorf("%w: the root directory is not in the first 16 KiB", errFormat)
	case h.internal != Plain && h.internal != Gzip, h.tile != Plain && h.tile != Gzip:
		return fmt.Errorf("%w: compressed by neither gzip nor not at all", errFormat)
	case h.minZoom > h.maxZoom || h.maxZoom > maxZoom:
		return fmt.Errorf("%w: zooms %d to %d", errFormat, h.minZoom, h.maxZoom)
	}
	west, south, east, north := h.bounds[0], h.bounds[1], h.bounds[2], h.bounds[3]
	if !(west >= -180 && west <= east && east <= 180 && south >= -90 && south <= north && north <= 90) {
		return fmt.Errorf("%w: bounds %v", errFormat, h.bounds)
	}
	return nil
}

// bytes writes a header.
func (h header) bytes() []byte {
	b := make([]byte, 0, headerLength)
	b = append(b, "PMTiles\x03"...)
	for _, s := range []section{h.root, h.metadata, h.leaves, h.tiles} {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s.offset), s.length)
	}
	for _, n := range []uint64{h.addressed, h.entries, h.contents} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, 1, byte(h.internal), byte(h.tile), vectorTiles, h.minZoom, h.maxZoom)
	degrees := func(n float64) { b = binary.LittleEndian.AppendUint32(b, uint32(int32(math.Round(n*1e7)))) }
	for _, n := range h.bounds {
		degrees(n)
	}
	b = append(b, h.centerZoom)
	degrees((h.bounds[0] + h.bounds[2]) / 2)
	degrees((h.bounds[1] + h.bounds[3]) / 2)
	return b
}

// TileID returns the number of a tile: tiles of lower zooms come first, and those of one zoom along
// a Hilbert curve.
func TileID(z uint8, x, y uint32) uint64 {
	id := (uint64(1)<<(2*z) - 1) / 3
	for s := uint32(1) << z >> 1; s > 0; s >>= 1 {
		rx, ry := uint64(0), uint64(0)
		if x&s > 0 {
			rx = 1
		}
		if y&s > 0 {
			ry = 1
		}
		id += uint64(s) * uint64(s) * (3*rx ^ ry)
		if ry == 0 {
			if rx == 1 {
				x, y = s-1-x&(s-1), s-1-y&(s-1)
			}
			x, y = y, x
		}
	}
	return id
}
