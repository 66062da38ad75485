package pmtiles

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"sync"
)

const (
	// maxStored is the size of the largest stored directory, tile or metadata that is read, in bytes.
	maxStored = 4 << 20
	// maxUnpacked is their size after decompression.
	maxUnpacked = 32 << 20
)

// entry is a place in a directory: of a tile and the following ones with the same content, or, with
// a run of 0, of another directory.
type entry struct {
	id             uint64
	offset, length uint64
	run            uint64
}

// directory is a list of entries by rising numbers of tiles.
type directory []entry

// find returns the entry that a tile is in.
func (d directory) find(id uint64) (entry, bool) {
	i := sort.Search(len(d), func(i int) bool { return d[i].id > id }) - 1
	if i < 0 {
		return entry{}, false
	}
	return d[i], d[i].run == 0 || id-d[i].id < d[i].run
}

// parseDirectory reads a directory: the number of entries, then the distances of their numbers,
// the runs, the lengths and the offsets plus 1; an offset of 0 is the end of the entry before.
func parseDirectory(stored []byte, c Compression) (directory, error) {
	content, err := Unpack(stored, c)
	if err != nil {
		return nil, err
	}
	reader := bytes.NewReader(content)
	count, err := binary.ReadUvarint(reader)
	if err != nil || count == 0 || count > uint64(len(content))/4 {
		return nil, fmt.Errorf("%w: a directory of %d entries", errFormat, count)
	}
	d := make(directory, count)
	id := uint64(0)
	for _, field := range []func(e *entry, n uint64, i int) bool{
		func(e *entry, n uint64, i int) bool {
			id += n
			e.id = id
			return (n > 0 || i == 0) && id >= n && id < 1<<62
		},
		func(e *entry, n uint64, _ int) bool { e.run = n; return n < 1<<62 },
		func(e *entry, n uint64, _ int) bool { e.length = n; return n > 0 && n <= maxStored },
		func(e *entry, n uint64, i int) bool {
			switch {
			case n > 0:
				e.offset = n - 1
			case i > 0:
				e.offset = d[i-1].offset + d[i-1].length
			default:
				return false
			}
			return e.offset < math.MaxInt64-maxStored
		},
	} {
		for i := range d {
			n, err := binary.ReadUvarint(reader)
			if err != nil || !field(&d[i], n, i) {
				return nil, fmt.Errorf("%w: entry %d of a directory", errFormat, i)
			}
		}
	}
	return d, nil
}

// bytes writes a directory.
func (d directory) bytes() []byte {
	b := binary.AppendUvarint(nil, uint64(len(d)))
	last := uint64(0)
	for _, e := range d {
		b = binary.AppendUvarint(b, e.id-last)
		last = e.id
	}
	for _, e := range d {
		b = binary.AppendUvarint(b, e.run)
	}
	for _, e := range d {
		b = binary.AppendUvarint(b, e.length)
	}
	for i, e := range d {
		if i > 0 && e.offset == d[i-1].offset+d[i-1].length {
			b = append(b, 0)
		} else {
			b = binary.AppendUvarint(b, e.offset+1)
		}
	}
	return pack(b)
}

// packers are writers of gzip. Making one clears some 800 kB, which costs more than packing a tile.
var packers = sync.Pool{New: func() any {
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	return writer
}}

// pack compresses reproducibly: the result depends on the content only.
func pack(content []byte) []byte {
	var packed bytes.Buffer
	writer := packers.Get().(*gzip.Writer)
	defer packers.Put(writer)
	writer.Reset(&packed)
	_, err := writer.Write(content)
	if err = errors.Join(err, writer.Close()); err != nil {
		panic(err) // a buffer takes everything
	}
	return packed.Bytes()
}

// Unpack returns the content of stored bytes, which is at most 32 MiB.
func Unpack(stored []byte, c Compression) ([]byte, error) {
	if c == Plain {
		return stored, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	content, err := io.ReadAll(io.LimitReader(reader, maxUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	if len(content) > maxUnpacked {
		return nil, fmt.Errorf("%w: more than %d bytes after decompression", errFormat, maxUnpacked)
	}
	return content, nil
}
