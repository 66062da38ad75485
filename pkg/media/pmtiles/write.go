package pmtiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Tile is a tile to write. Its content is a vector tile, not compressed.
type Tile struct {
	Z       uint8
	X, Y    uint32
	Content []byte
}

// Write writes an archive of tiles with the bounds of its detail: west, south, east and north in
// degrees. The same input gives the same bytes.
func Write(w io.Writer, tiles []Tile, bounds [4]float64, m Metadata) error {
	if len(tiles) == 0 {
		return errors.New("an archive has at least one tile")
	}
	metadata, err := json.Marshal(m)
	if err != nil {
		return err
	}
	metadata = pack(metadata)
	entries, contents := place(tiles)
	root, leaves := tree(entries)
	h := header{internal: Gzip, tile: Gzip, minZoom: maxZoom, bounds: bounds}
	for _, t := range tiles {
		h.minZoom, h.maxZoom = min(h.minZoom, t.Z), max(h.maxZoom, t.Z)
	}
	h.centerZoom = (h.minZoom + h.maxZoom) / 2
	h.addressed, h.entries = uint64(len(tiles)), uint64(len(entries))
	at := uint64(headerLength)
	parts := [][]byte{nil, root, metadata, leaves, contents}
	for i, s := range []*section{&h.root, &h.metadata, &h.leaves, &h.tiles} {
		*s = section{at, uint64(len(parts[i+1]))}
		at += s.length
	}
	if err := h.check(); err != nil {
		return err
	}
	parts[0] = h.bytes()
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write an archive of tiles: %w", err)
		}
	}
	return nil
}

// place returns the entries of tiles and their contents one after the other, each only once.
func place(tiles []Tile) (entries directory, contents []byte) {
	sorted := slices.Clone(tiles)
	id := func(t Tile) uint64 { return TileID(t.Z, t.X, t.Y) }
	slices.SortFunc(sorted, func(a, b Tile) int {
		if id(a) < id(b) {
			return -1
		}
		return 1
	})
	known := map[string]section{}
	for _, t := range sorted {
		at, stored := known[string(t.Content)]
		if !stored {
			content := pack(t.Content)
			at = section{uint64(len(contents)), uint64(len(content))}
			known[string(t.Content)] = at
			contents = append(contents, content...)
		}
		last := len(entries) - 1
		if last >= 0 && entries[last].offset == at.offset && entries[last].id+entries[last].run == id(t) {
			entries[last].run++
			continue
		}
		entries = append(entries, entry{id: id(t), offset: at.offset, length: at.length, run: 1})
	}
	return entries, contents
}

// tree returns the root directory and, where the entries do not fit into it, the directories that
// it leads to.
func tree(entries directory) (root, leaves []byte) {
	root = entries.bytes()
	for size := 4096; headerLength+len(root) > rootLength; size *= 2 {
		var upper directory
		leaves = nil
		for part := range slices.Chunk(entries, size) {
			content := part.bytes()
			upper = append(upper, entry{id: part[0].id, offset: uint64(len(leaves)), length: uint64(len(content))})
			leaves = append(leaves, content...)
		}
		root = upper.bytes()
	}
	return root, leaves
}
