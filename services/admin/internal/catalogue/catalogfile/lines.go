package catalogfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the maximum length of a line in bytes, without the line break.
const MaxLine = 8 << 20

const readBuffer = 256 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// lines reads a file line by line. Blank lines are skipped but counted.
type lines struct {
	in     *bufio.Reader
	number int
}

// line is one line of a file.
type line struct {
	number  int
	data    []byte // owned by the caller
	tooLong bool   // the line is longer than MaxLine; data is empty
}

// openLines reads from in, and decompresses it if it begins like a gzip file.
func openLines(in io.Reader) (*lines, error) {
	buffered := bufio.NewReaderSize(in, readBuffer)
	head, err := buffered.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return &lines{in: buffered}, nil
	}
	unpacked, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("unpack the file: %w", err)
	}
	return &lines{in: bufio.NewReaderSize(unpacked, readBuffer)}, nil
}

// next returns the next line that is not blank, or io.EOF after the last one.
func (l *lines) next() (line, error) {
	for {
		data, tooLong, err := l.read()
		if err != nil {
			return line{}, err
		}
		l.number++
		if l.number == 1 {
			data = bytes.TrimPrefix(data, byteOrderMark)
		}
		if data = bytes.TrimSpace(data); len(data) > 0 || tooLong {
			return line{number: l.number, data: data, tooLong: tooLong}, nil
		}
	}
}

// read returns the bytes up to the next line break, or no bytes for a line that is too long.
func (l *lines) read() (data []byte, tooLong bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if !tooLong {
			data = append(data, part...)
		}
		if len(bytes.TrimSuffix(data, []byte("\n"))) > MaxLine {
			data, tooLong = nil, true
		}
		switch {
		case err == nil:
			return data, tooLong, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (len(data) > 0 || tooLong):
			return data, tooLong, nil // the last line, without a line break
		case errors.Is(err, io.EOF):
			return nil, false, io.EOF
		default:
			return nil, false, fmt.Errorf("read line %d: %w", l.number+1, err)
		}
	}
}
