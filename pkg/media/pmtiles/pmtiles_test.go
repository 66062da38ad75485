package pmtiles_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"litfass/pkg/media/pmtiles"
)

// TestTileIDs: the numbers of the specification's examples and of its reference implementation.
func TestTileIDs(t *testing.T) {
	for _, c := range []struct {
		z    uint8
		x, y uint32
		want uint64
	}{{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 1, 2}, {1, 1, 1, 3}, {1, 1, 0, 4}, {2, 0, 0, 5}, {12, 3423, 1763, 19078479}} {
		if got := pmtiles.TileID(c.z, c.x, c.y); got != c.want {
			t.Errorf("%d/%d/%d is %d, want %d", c.z, c.x, c.y, got, c.want)
		}
	}
}

var bounds = [4]float64{9, 53, 12, 56}

// write writes an archive.
func write(t *testing.T, tiles []pmtiles.Tile) []byte {
	t.Helper()
	var archive bytes.Buffer
	if err := pmtiles.Write(&archive, tiles, bounds, pmtiles.Metadata{Attribution: "© Kiel"}); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

// ranges is a source that notes what is read.
type ranges struct {
	content []byte
	read    [][2]int64
}

func (r *ranges) ReadRange(_ context.Context, offset, length int64) ([]byte, error) {
	r.read = append(r.read, [2]int64{offset, length})
	size := int64(len(r.content))
	return r.content[min(offset, size):min(offset+length, size)], nil
}

// large are the tiles of an archive whose entries do not fit into its root directory.
func large() []pmtiles.Tile {
	random := rand.New(rand.NewPCG(1, 2))
	tiles := []pmtiles.Tile{{Z: 0, Content: []byte("world")}}
	for x := range uint32(128) {
		for y := range uint32(128) {
			content := []byte("sea")
			if random.IntN(3) > 0 {
				content = fmt.Appendf(nil, "tile %d %d %d", x, y, random.Uint64())
			}
			tiles = append(tiles, pmtiles.Tile{Z: 9, X: x * 3, Y: y, Content: content})
		}
	}
	return tiles
}

// TestTilesAreReadAsWritten: each by at most two further ranges, in any order of writing.
func TestTilesAreReadAsWritten(t *testing.T) {
	tiles := large()
	archive := write(t, tiles)
	shuffled := slices.Clone(tiles)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if !bytes.Equal(archive, write(t, shuffled)) {
		t.Error("the order of the tiles changes the archive")
	}
	source := &ranges{content: archive}
	a, err := pmtiles.Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if least, greatest := a.Zooms(); least != 0 || greatest != 9 || a.Bounds() != bounds || a.Metadata().Attribution != "© Kiel" {
		t.Errorf("zooms %d to %d, bounds %v, %+v", least, greatest, a.Bounds(), a.Metadata())
	}
	for _, want := range tiles {
		source.read = nil
		stored, err := a.Tile(t.Context(), want.Z, want.X, want.Y)
		if err != nil {
			t.Fatal(err)
		}
		content, err := pmtiles.Unpack(stored, a.Compression())
		if err != nil || !bytes.Equal(content, want.Content) {
			t.Fatalf("%d/%d/%d is %q, %v", want.Z, want.X, want.Y, content, err)
		}
		if len(source.read) > 2 {
			t.Fatalf("%d/%d/%d needed the ranges %v", want.Z, want.X, want.Y, source.read)
		}
	}
	for _, none := range [][3]uint32{{9, 1, 0}, {9, 511, 511}, {5, 0, 0}, {9, 512, 0}, {10, 0, 0}, {9, 0, 1 << 31}} {
		if stored, err := a.Tile(t.Context(), uint8(none[0]), none[1], none[2]); stored != nil || err != nil {
			t.Errorf("%v is %q, %v", none, stored, err)
		}
	}
}

// TestVersionsNameTheContent: the same archive has the same version, another one another.
func TestVersionsNameTheContent(t *testing.T) {
	version := func(content string) string {
		a, err := pmtiles.Open(t.Context(), &ranges{content: write(t, []pmtiles.Tile{{Content: []byte(content)}})})
		if err != nil {
			t.Fatal(err)
		}
		return a.Version()
	}
	one, again, another := version("one"), version("one"), version("another")
	if one != again || one == another {
		t.Errorf("versions %s, %s and %s", one, again, another)
	}
}

// readAll opens an archive and reads all of its tiles.
func readAll(t *testing.T, content []byte) error {
	a, err := pmtiles.Open(t.Context(), &ranges{content: content})
	if err != nil {
		return err
	}
	for x := range uint32(8) {
		stored, err := a.Tile(t.Context(), 3, x, x)
		if err != nil {
			return err
		}
		if _, err := pmtiles.Unpack(stored, a.Compression()); stored != nil && err != nil {
			return err
		}
	}
	return nil
}

// small is an archive of the diagonal of zoom 3.
func small(t *testing.T) []byte {
	var tiles []pmtiles.Tile
	for x := range uint32(8) {
		tiles = append(tiles, pmtiles.Tile{Z: 3, X: x, Y: x, Content: fmt.Appendf(nil, "tile %d", x)})
	}
	return write(t, tiles)
}

func TestCutArchivesAreRefused(t *testing.T) {
	archive := small(t)
	if err := readAll(t, archive); err != nil {
		t.Fatal(err)
	}
	for length := range archive {
		if err := readAll(t, archive[:length]); err == nil {
			t.Fatalf("the first %d of %d bytes are read", length, len(archive))
		}
	}
}

// TestDamagedArchivesDoNoHarm: bytes changed at random give an error or other tiles.
func TestDamagedArchivesDoNoHarm(t *testing.T) {
	archive := small(t)
	random := rand.New(rand.NewPCG(5, 6))
	for range 5_000 {
		damaged := slices.Clone(archive)
		for range 1 + random.IntN(4) {
			damaged[random.IntN(len(damaged))] = byte(random.Uint32())
		}
		_ = readAll(t, damaged)
	}
}

// TestHostileArchivesAreRefused: numbers that would need memory, time or places beyond the file.
func TestHostileArchivesAreRefused(t *testing.T) {
	put := func(at int, n uint64) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], n) }
	}
	set := func(at int, n byte) func([]byte) { return func(b []byte) { b[at] = n } }
	for name, damage := range map[string]func([]byte){
		"another format":            set(0, 'X'),
		"an older version":          set(7, 2),
		"a root that is far":        put(8, 1<<20),
		"a root in the header":      put(8, 5),
		"a root that ends nowhere":  put(16, 1<<63),
		"metadata of 4 GiB":         put(32, 1<<32),
		"metadata beyond the file":  put(24, 1<<40),
		"tiles beyond all files":    put(56, 1<<63),
		"images as tiles":           set(99, 2),
		"directories by brotli":     set(97, 3),
		"tiles by an unknown means": set(98, 9),
		"a zoom of 200":             set(101, 200),
		"the last zoom first":       set(100, 9),
		"bounds beyond the earth":   set(105, 0x7f),
	} {
		damaged := small(t)
		damage(damaged)
		if err := readAll(t, damaged); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	failed := errors.New("the disk is gone")
	if _, err := pmtiles.Open(t.Context(), failing{failed}); !errors.Is(err, failed) {
		t.Errorf("a source that fails: %v", err)
	}
}

type failing struct{ error }

func (f failing) ReadRange(context.Context, int64, int64) ([]byte, error) { return nil, f.error }

// TestBombsAreRefused: a few bytes must not become gigabytes.
func TestBombsAreRefused(t *testing.T) {
	a, err := pmtiles.Open(t.Context(), &ranges{content: write(t, []pmtiles.Tile{{Content: make([]byte, 40<<20)}})})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := a.Tile(t.Context(), 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := pmtiles.Unpack(stored, a.Compression()); err == nil {
		t.Errorf("%d bytes are unpacked to %d", len(stored), len(content))
	}
}
