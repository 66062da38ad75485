package basemap

import (
	"bytes"
	"context"
	_ "embed" // of the archive
	"fmt"
	"html"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/paulmach/orb/encoding/mvt"

	"litfass/pkg/media/pmtiles"
)

// Map is an archive of vector tiles in the schema of Protomaps: the layers earth, water, roads,
// boundaries and places. It may be used concurrently.
type Map struct {
	archive *pmtiles.Archive
	far     bool
}

// europe is made by the command deploy/basemap.
//
//go:embed europe.pmtiles
var europe []byte

// Embedded returns the map of the program: Central and Northern Europe, and coarser land around it.
var Embedded = sync.OnceValue(func() *Map {
	m, err := Open(context.Background(), pmtiles.FromReader(bytes.NewReader(europe)))
	if err != nil {
		panic("the map in the program: " + err.Error()) // a test opens it
	}
	m.far = true
	return m
})

// Open opens the map of an operator.
func Open(ctx context.Context, source pmtiles.Source) (*Map, error) {
	archive, err := pmtiles.Open(ctx, source)
	if err != nil {
		return nil, err
	}
	return &Map{archive: archive}, nil
}

// farZoom is the greatest zoom of the coarser land around the detailed part, in the layers
// world_earth, world_boundaries and world_places.
const farZoom = 4

// FarZoom returns the greatest zoom of the land around what the map shows in detail; 0 when it has
// none.
func (m *Map) FarZoom() uint8 {
	if !m.far {
		return 0
	}
	return farZoom
}

// MaxZoom is the greatest zoom with tiles; maps enlarge them for greater ones.
func (m *Map) MaxZoom() uint8 {
	_, greatest := m.archive.Zooms()
	return greatest
}

// Address returns the address of the map's tiles, with {z}, {x} and {y}. It changes with the map.
func (m *Map) Address() string { return "/map/tiles/" + m.archive.Version() + "/{z}/{x}/{y}" }

// Credit names whom the map is from, as text.
func (m *Map) Credit() string {
	text := bluemonday.StrictPolicy().Sanitize(m.archive.Metadata().Attribution)
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// Tile returns a tile and whether it is compressed by gzip; nil where the map has none.
func (m *Map) Tile(ctx context.Context, z uint8, x, y uint32) (content []byte, gzipped bool, err error) {
	content, err = m.archive.Tile(ctx, z, x, y)
	return content, m.archive.Compression() == pmtiles.Gzip, err
}

// layers returns the content of a tile; nil where the map has none.
func (m *Map) layers(ctx context.Context, z uint8, x, y uint32) (mvt.Layers, error) {
	stored, err := m.archive.Tile(ctx, z, x, y)
	if err != nil || stored == nil {
		return nil, err
	}
	content, err := pmtiles.Unpack(stored, m.archive.Compression())
	if err != nil {
		return nil, err
	}
	layers, err := mvt.Unmarshal(content)
	if err != nil {
		return nil, fmt.Errorf("read the tile %d/%d/%d: %w", z, x, y, err)
	}
	return layers, nil
}
