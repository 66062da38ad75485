package imagingtest

import (
	"bytes"
	"encoding/binary"
)

// Kinds of JPEG frames.
const (
	Baseline    = 0xc0
	Progressive = 0xc2
)

// RawJPEG describes a whole JPEG file of one colour that is as small as its size in pixels allows.
type RawJPEG struct {
	Frame         byte // Baseline, Progressive or another marker
	Width, Height int
	Factors       []byte // across and down in a nibble each, of every component
	IDs           string // of the components; "\x01\x02\x03\x04" when empty
	Precision     byte   // bits; 0 means 8
	Adobe         int    // transform of Adobe's segment; below 0: no segment
	Before        string // stands before every marker but the first
	Scans         int    // 0 means 1
	Late          string // follows the first scan
}

// Bytes returns the file.
func (r RawJPEG) Bytes() []byte {
	file := bytes.NewBufferString("\xff\xd8")
	segment := func(marker byte, payload []byte) {
		file.WriteString(r.Before)
		file.Write([]byte{0xff, marker})
		_ = binary.Write(file, binary.BigEndian, uint16(len(payload)+2)) //nolint:gosec // all are short
		file.Write(payload)
	}
	if r.Adobe >= 0 {
		segment(0xee, append([]byte("Adobe\x00d\x00\x00\x00\x00"), byte(r.Adobe)))
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...))
	segment(r.Frame, r.header())
	for _, class := range []byte{0x00, 0x10} { // one code, of one bit: no difference, and end of block
		segment(0xc4, append([]byte{class, 1}, make([]byte, 16)...))
	}
	for scan := range max(r.Scans, 1) {
		segment(0xda, r.scanHeader())
		file.Write(make([]byte, r.scanBytes()))
		if scan == 0 {
			file.WriteString(r.Late)
		}
	}
	file.WriteString(r.Before + "\xff\xd9")
	return file.Bytes()
}

func (r RawJPEG) id(component int) byte {
	if r.IDs != "" {
		return r.IDs[component]
	}
	return byte(component + 1)
}

func (r RawJPEG) header() []byte {
	precision := r.Precision
	if precision == 0 {
		precision = 8
	}
	header := []byte{precision}
	header = binary.BigEndian.AppendUint16(header, uint16(r.Height)) //nolint:gosec // JPEG has 16 bits for it
	header = binary.BigEndian.AppendUint16(header, uint16(r.Width))  //nolint:gosec // as above
	header = append(header, byte(len(r.Factors)))
	for component, factors := range r.Factors {
		header = append(header, r.id(component), factors, 0)
	}
	return header
}

func (r RawJPEG) scanHeader() []byte {
	header := []byte{byte(len(r.Factors))}
	for component := range r.Factors {
		header = append(header, r.id(component), 0)
	}
	if r.Frame == Progressive {
		return append(header, 0, 0, 0)
	}
	return append(header, 0, 63, 0)
}

// scanBytes returns how long a scan is: one bit a block, in baseline two.
func (r RawJPEG) scanBytes() int {
	across, down := 1, 1
	if len(r.Factors) > 1 {
		across, down = int(r.Factors[0]>>4), int(r.Factors[0]&15)
	}
	blocks := 0
	for _, factors := range r.Factors {
		if len(r.Factors) == 1 {
			factors = 0x11
		}
		blocks += int(factors>>4) * int(factors&15)
	}
	blocks *= (r.Width + 8*across - 1) / (8 * across) * ((r.Height + 8*down - 1) / (8 * down))
	if r.Frame != Progressive {
		blocks *= 2
	}
	return (blocks + 7) / 8
}

// WithSegment returns the JPEG file with one more segment, right after its first marker.
func WithSegment(file []byte, marker byte, payload []byte) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(payload)+2)) //nolint:gosec // all are short
	return append(append(bytes.Clone(file[:2]), append(segment, payload...)...), file[2:]...)
}

// Camera is a name in the EXIF of JPEG and EXIF; Latitude one of its tags of a place.
const (
	Camera   = "Secret Camera 3000"
	latitude = 54
)

// EXIF returns a TIFF structure with an orientation, a camera, and a place in a directory of its
// own.
func EXIF(orientation int) []byte {
	camera := Camera + "\x00"
	const entries, size = 3, 12
	cameraAt := 8 + 2 + entries*size + 4
	placeAt := cameraAt + len(camera)
	tiff := bytes.NewBufferString("II*\x00\x08\x00\x00\x00")
	write := func(values ...any) {
		for _, value := range values {
			_ = binary.Write(tiff, binary.LittleEndian, value)
		}
	}
	entry := func(tag, kind uint16, count, value int) {
		write(tag, kind, uint32(count), uint32(value)) //nolint:gosec // all are small
	}
	write(uint16(entries))
	entry(0x010f, 2, len(camera), cameraAt)
	entry(0x0112, 3, 1, orientation)
	entry(0x8825, 4, 1, placeAt)
	write(uint32(0))
	tiff.WriteString(camera)
	write(uint16(1))
	entry(0x0002, 5, 3, placeAt+2+size+4)
	write(uint32(0), [6]uint32{latitude, 1, 19, 1, 0, 1})
	return tiff.Bytes()
}
