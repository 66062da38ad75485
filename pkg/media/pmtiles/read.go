package pmtiles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Source is a file or an object that is read by ranges.
type Source interface {
	// ReadRange returns length bytes from an offset. Where the source ends earlier they are fewer.
	ReadRange(ctx context.Context, offset, length int64) ([]byte, error)
}

// FromReader returns the source of a file or of bytes.
func FromReader(r io.ReaderAt) Source { return readerSource{r} }

type readerSource struct{ io.ReaderAt }

func (s readerSource) ReadRange(_ context.Context, offset, length int64) ([]byte, error) {
	content := make([]byte, length)
	n, err := s.ReadAt(content, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return content[:n], err
}

const (
	// maxDepth is how many directories lead to a tile at most; the format recommends 2.
	maxDepth = 4
	// cachedLeaves is the number of directories that are kept in memory.
	cachedLeaves = 64
)

// Archive is an open archive. It may be used concurrently.
type Archive struct {
	source   Source
	header   header
	root     directory
	leaves   *lru.Cache[uint64, directory] // by their offsets
	metadata Metadata
	version  string
}

// Metadata describes an archive.
type Metadata struct {
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	Attribution string `json:"attribution,omitempty"` // whom maps credit, as text or HTML
	Layers      any    `json:"vector_layers,omitempty"`
}

// Open reads the header, the root directory and the metadata of an archive.
func Open(ctx context.Context, source Source) (*Archive, error) {
	start, err := source.ReadRange(ctx, 0, rootLength)
	if err != nil {
		return nil, fmt.Errorf("read an archive of tiles: %w", err)
	}
	a := &Archive{source: source}
	if a.header, err = parseHeader(start); err != nil {
		return nil, err
	}
	if len(start) > 99 && start[99] != vectorTiles {
		return nil, fmt.Errorf("%w: its tiles are images", errFormat)
	}
	end := a.header.root.offset + a.header.root.length
	if uint64(len(start)) < end {
		return nil, fmt.Errorf("%w: it ends in its root directory", errFormat)
	}
	if a.root, err = parseDirectory(start[a.header.root.offset:end], a.header.internal); err != nil {
		return nil, err
	}
	if err := a.readMetadata(ctx); err != nil {
		return nil, err
	}
	a.leaves, err = lru.New[uint64, directory](cachedLeaves)
	sum := sha256.Sum256(start[:end])
	a.version = hex.EncodeToString(sum[:6])
	return a, err
}

func (a *Archive) readMetadata(ctx context.Context) error {
	if a.header.metadata.length == 0 {
		return nil
	}
	stored, err := a.read(ctx, a.header.metadata)
	if err != nil {
		return err
	}
	content, err := Unpack(stored, a.header.internal)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, &a.metadata); err != nil {
		return fmt.Errorf("%w: its metadata: %w", errFormat, err)
	}
	return nil
}

// read returns a section, which must be in the file whole.
func (a *Archive) read(ctx context.Context, s section) ([]byte, error) {
	if !s.inFile() || s.length > maxStored {
		return nil, fmt.Errorf("%w: %d bytes at %d", errFormat, s.length, s.offset)
	}
	content, err := a.source.ReadRange(ctx, int64(s.offset), int64(s.length))
	if err != nil {
		return nil, fmt.Errorf("read an archive of tiles: %w", err)
	}
	if uint64(len(content)) != s.length {
		return nil, fmt.Errorf("%w: it ends before byte %d", errFormat, s.offset+s.length)
	}
	return content, nil
}

// Metadata returns the description of the archive.
func (a *Archive) Metadata() Metadata { return a.metadata }

// Version names the state of the archive: another header or root directory gives another version.
func (a *Archive) Version() string { return a.version }

// Compression is how tiles are stored.
func (a *Archive) Compression() Compression { return a.header.tile }

// Zooms returns the least and the greatest zoom with tiles.
func (a *Archive) Zooms() (least, greatest uint8) { return a.header.minZoom, a.header.maxZoom }

// Bounds returns west, south, east and north in degrees of what the archive shows in detail.
func (a *Archive) Bounds() [4]float64 { return a.header.bounds }

// Tile returns a tile as it is stored, see Compression; nil when the archive has none there.
func (a *Archive) Tile(ctx context.Context, z uint8, x, y uint32) ([]byte, error) {
	if z < a.header.minZoom || z > a.header.maxZoom || x>>z > 0 || y>>z > 0 {
		return nil, nil
	}
	id, d := TileID(z, x, y), a.root
	for range maxDepth {
		e, found := d.find(id)
		if !found {
			return nil, nil
		}
		if e.run > 0 {
			return a.read(ctx, section{a.header.tiles.offset + e.offset, e.length})
		}
		var err error
		if d, err = a.leaf(ctx, e); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: more than %d directories lead to a tile", errFormat, maxDepth)
}

func (a *Archive) leaf(ctx context.Context, e entry) (directory, error) {
	if d, ok := a.leaves.Get(e.offset); ok {
		return d, nil
	}
	stored, err := a.read(ctx, section{a.header.leaves.offset + e.offset, e.length})
	if err != nil {
		return nil, err
	}
	d, err := parseDirectory(stored, a.header.internal)
	if err == nil {
		a.leaves.Add(e.offset, d)
	}
	return d, err
}
