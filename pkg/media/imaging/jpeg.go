package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"strings"
)

// maxScans is far above the ten or so scans of a usual progressive file. Each costs a pass over the
// whole image, and may be only a few bytes long.
const maxScans = 50

// jpegCost counts the planes, padded to whole blocks; for a progressive file also all coefficients,
// at four bytes, which are kept until its last scan; and the converted copy of a file in RGB or
// CMYK.
func jpegCost(data []byte, config image.Config) (cost, error) {
	if bytes.Count(data, []byte("\xff\xda")) > maxScans {
		return cost{}, errors.New("too many scans")
	}
	header, err := frameOf(data)
	if err != nil {
		return cost{}, err
	}
	planes := header.samples()
	c := cost{decode: planes, image: planes, progressive: header.progressive()}
	if c.progressive {
		c.decode += 4 * planes
	}
	if header.components() == 4 || header.components() == 3 && mayBeRGB(data, header) {
		c.image += 4 * pixels(config)
		c.decode += 4 * pixels(config)
	}
	return c, nil
}

// frame is the header of a JPEG file's frame, from its marker's second byte on.
type frame []byte

// jfif is prepended so that jpeg.DecodeConfig ends right after the header of the frame.
const jfif = "\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"

// frameOf returns the frame header that jpeg.Decode uses. The decoder itself finds it, because the
// standard library skips more kinds of junk than a second parser could be trusted to.
func frameOf(data []byte) (frame, error) {
	rest := &byteByByte{bytes.NewReader(data[2:])}
	config, err := jpeg.DecodeConfig(io.MultiReader(strings.NewReader("\xff\xd8"+jfif), rest))
	if err != nil {
		return nil, err
	}
	components := 3
	switch config.ColorModel {
	case color.GrayModel:
		components = 1
	case color.CMYKModel:
		components = 4
	}
	end, length := len(data)-rest.Len(), 9+3*components
	if end < length {
		return nil, errNoFrame
	}
	found := frame(data[end-length : end])
	if found[0] < 0xc0 || found[0] > 0xc2 || int(binary.BigEndian.Uint16(found[1:])) != length-1 ||
		found.components() != components {
		return nil, errNoFrame
	}
	return found, nil
}

var errNoFrame = errors.New("the frame is not where the decoder ended")

func (f frame) progressive() bool { return f[0] == 0xc2 }

func (f frame) components() int { return int(f[8]) }

// factors returns how many blocks of a component there are in a unit, across and down.
func (f frame) factors(component int) (across, down int64) {
	if f.components() == 1 {
		return 1, 1
	}
	both := f[10+3*component]
	return int64(both >> 4), int64(both & 0x0f)
}

// samples returns how many samples all planes have, which is also how many coefficients there are.
func (f frame) samples() int64 {
	const edge = 8
	across, down := f.factors(0) // no other component has more, which the decoder checks
	height, width := int64(binary.BigEndian.Uint16(f[4:])), int64(binary.BigEndian.Uint16(f[6:]))
	units := (width + edge*across - 1) / (edge * across) * ((height + edge*down - 1) / (edge * down))
	blocks := int64(0)
	for component := range f.components() {
		across, down := f.factors(component)
		blocks += units * across * down
	}
	return blocks * edge * edge
}

// mayBeRGB reports whether the decoder may turn three components into RGB: never in a JFIF file;
// otherwise when they are named so, or when a segment of Adobe's, which may stand anywhere, could
// declare it.
func mayBeRGB(data []byte, f frame) bool {
	if begins(data, "\xff\xd8\xff\xe0??JFIF\x00") && binary.BigEndian.Uint16(data[4:]) >= 7 {
		return false
	}
	named := f[9] == 'R' && f[12] == 'G' && f[15] == 'B'
	return named || bytes.Contains(data, []byte("Adobe"))
}

// byteByByte is a reader that is read no further than needed.
type byteByByte struct{ *bytes.Reader }

func (r *byteByByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 1)]) }
