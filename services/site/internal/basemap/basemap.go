package basemap

import (
	"bytes"
	"context"
	_ "embed" // of the archive
	"fmt"
	"html"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/paulmach/orb/encoding/mvt"

	"litfass/pkg/media/pmtiles"
)

// Map is an archive of vector tiles in the schema of Protomaps: the layers earth, water, roads,
// boundaries and places. It may be used concurrently.
type Map struct {
	archive *pmtiles.Archive
	far     bool
	under   *Map // is shown where the archive has no tiles, or they cannot be read; nil for none
}

// europe is made by the command deploy/basemap.
//
//go:embed europe.pmtiles
var europe []byte

// Embedded returns the map of the program: Central and Northern Europe, and coarser land around it.
var Embedded = sync.OnceValue(func() *Map {
	archive, err := pmtiles.Open(context.Background(), pmtiles.FromReader(bytes.NewReader(europe)))
	if err != nil {
		panic("the map in the program: " + err.Error()) // a test opens it
	}
	return &Map{archive: archive, far: true}
})

// Open opens the map of an operator. Elsewhere than in its region, that of the program is shown.
func Open(ctx context.Context, source pmtiles.Source) (*Map, error) {
	archive, err := pmtiles.Open(ctx, source)
	if err != nil {
		return nil, err
	}
	return &Map{archive: archive, under: Embedded()}, nil
}

// HasStreets reports whether the map is that of an operator: the one of the program has none.
func (m *Map) HasStreets() bool { return m.under != nil }

// farZoom is the greatest zoom of the coarser land around the detailed part, in the layers
// world_earth, world_boundaries and world_places.
const farZoom = 4

// Attributes returns those of an element whose script shows the map: the addresses of its tiles
// and of those below them, and their greatest zooms.
func (m *Map) Attributes() templ.Attributes {
	attributes := templ.Attributes{
		"data-tiles": m.Address(), "data-zoom": strconv.Itoa(int(m.MaxZoom())), "data-far": strconv.Itoa(farZoom),
	}
	if m.under != nil {
		attributes["data-base"], attributes["data-base-zoom"] = m.under.Address(), strconv.Itoa(int(m.under.MaxZoom()))
	}
	return attributes
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
	credit := strings.Join(strings.Fields(html.UnescapeString(text)), " ")
	if m.under == nil || credit == m.under.Credit() {
		return credit
	}
	return strings.TrimPrefix(credit+" · "+m.under.Credit(), " · ")
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
