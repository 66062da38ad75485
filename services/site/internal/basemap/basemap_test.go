package basemap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"litfass/pkg/chassis/web"
	"litfass/pkg/media/pmtiles"
)

// landIn returns the land of a box as the console gets it.
func landIn(t *testing.T, m *Map, box string) orb.MultiPolygon {
	t.Helper()
	content, err := m.GeoJSON(t.Context(), parsed(t, box))
	if err != nil {
		t.Fatal(err)
	}
	g, err := geojson.UnmarshalGeometry(content)
	if err != nil {
		t.Fatal(err)
	}
	return g.Geometry().(orb.MultiPolygon)
}

// TestTheEmbeddedMap has the fjord of Kiel, the islands of Copenhagen, and coarser land elsewhere.
func TestTheEmbeddedMap(t *testing.T) {
	if len(europe) > 3_000_000 {
		t.Errorf("the archive has %d bytes, at most 3,000,000", len(europe))
	}
	for name, c := range map[string]struct {
		box  string
		at   orb.Point
		land bool
	}{
		"Kiel":              {"10,54.2,10.4,54.5", orb.Point{10.12, 54.32}, true},
		"its fjord":         {"10,54.2,10.4,54.5", orb.Point{10.163, 54.36}, false},
		"Laboe":             {"10,54.2,10.4,54.5", orb.Point{10.25, 54.395}, true},
		"Amager":            {"12.3,55.5,12.9,55.8", orb.Point{12.6, 55.63}, true},
		"the Sound":         {"12.3,55.5,12.9,55.8", orb.Point{12.7, 55.67}, false},
		"Saltholm":          {"12.3,55.5,12.9,55.8", orb.Point{12.76, 55.64}, true},
		"the Baltic":        {"-12,45,32,72", orb.Point{19, 56}, false},
		"Tokyo":             {"120,20,160,50", orb.Point{139.2, 36}, true},
		"the Pacific":       {"120,20,160,50", orb.Point{150, 30}, false},
		"the Norwegian Sea": {"-40,50,40,75", orb.Point{-5, 67}, false},
		"Viti Levu":         {"165,-25,195,-5", orb.Point{178, -17.8}, true},
		"east of Fiji":      {"165,-25,195,-5", orb.Point{184, -17}, false},
	} {
		if got := planar.MultiPolygonContains(landIn(t, Embedded(), c.box), c.at); got != c.land {
			t.Errorf("%s: land %t, want %t", name, got, c.land)
		}
	}
}

func TestEverySheetNamesItsTowns(t *testing.T) {
	for box, want := range map[string][]string{
		"10,54.2,10.4,54.5":   {"Kiel", "Laboe"},
		"12.3,55.5,12.9,55.8": {"København", "Dragør"},
		"-12,50,30,68":        {"Berlin", "Stockholm"},
		"-170,-60,170,70":     {"Cairo"},
	} {
		d, err := Embedded().Draw(t.Context(), parsed(t, box).Shaped(0), "de", nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, town := range d.Towns {
			names = append(names, town.Name)
		}
		for _, name := range want {
			if !slices.Contains(names, name) {
				t.Errorf("%s names %q, not %s", box, names, name)
			}
		}
		size := 0
		for _, shape := range d.Shapes {
			size += len(shape.Path)
		}
		if size == 0 || size > 120_000 {
			t.Errorf("%s is drawn by %d bytes", box, size)
		}
	}
}

// TestAPartOfATownNamesIt: up to the finest zoom a sheet names the town that it is a part of, at
// the edge in its direction, apart from taken places. One far from all towns names none.
func TestAPartOfATownNamesIt(t *testing.T) {
	for box, want := range map[string]string{
		"10.131,54.343,10.149,54.353": "Kiel", "10.05,54.33,10.08,54.35": "Kronshagen", "12.62,55.635,12.64,55.645": "København",
		"13.44,52.54,13.458,52.55": "Berlin", "6.9,54.9,6.93,54.92": "",
	} {
		for _, taken := range [][][2]float64{nil, {{0.5, 0.97}, {0.03, 0.5}}} {
			d, err := Embedded().Draw(t.Context(), parsed(t, box).Shaped(0), "de", taken)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			room := &sketch{pixels: wide}
			for _, town := range d.Towns {
				got = town.Name
				name := room.nameBound(town)
				if name.Left() < 0 || name.Right() > 1 || name.Bottom() < 0 || name.Top() > Ratio {
					t.Errorf("%s: %s does not fit", box, town.Name)
				}
				for _, at := range taken {
					if name.Contains(orb.Point{at[0], at[1] * Ratio}) {
						t.Errorf("%s: %s stands on a taken place", box, town.Name)
					}
				}
			}
			if got != want || len(d.Towns) > 1 {
				t.Errorf("%s names %v, want only %q", box, d.Towns, want)
			}
		}
	}
	for box, want := range map[string]string{
		"10.131,54.343,10.149,54.353": "middle", "10.16,54.31,10.178,54.32": "start", "10.08,54.31,10.1,54.32": "end",
	} {
		d, err := Embedded().Draw(t.Context(), parsed(t, box).Shaped(0), "de", nil)
		if err != nil || len(d.Towns) != 1 || d.Towns[0].Anchor != want || want == "middle" && d.Towns[0].Y < 0.9 {
			t.Errorf("Kiel is named at %v of %s, want the %s of its name at the edge, %v", d.Towns, box, want, err)
		}
	}
}

// TestNamesKeepAway from each other and from taken places.
func TestNamesKeepAway(t *testing.T) {
	b := parsed(t, "9,53,12,56").Shaped(0)
	free, err := Embedded().Draw(t.Context(), b, "de", nil)
	if err != nil || len(free.Towns) < 10 {
		t.Fatalf("%d towns, %v", len(free.Towns), err)
	}
	room := &sketch{pixels: wide}
	for i, one := range free.Towns {
		for _, other := range free.Towns[:i] {
			if room.nameBound(one).Intersects(room.nameBound(other)) {
				t.Errorf("%s touches %s", one.Name, other.Name)
			}
		}
	}
	first := free.Towns[0]
	taken, err := Embedded().Draw(t.Context(), b, "de", [][2]float64{{first.X, first.Y}})
	if err != nil || slices.ContainsFunc(taken.Towns, func(town Town) bool { return town.Name == first.Name }) {
		t.Errorf("%s is named at a taken place, %v", first.Name, err)
	}
}

// streets is the archive of an operator: a square of land with streets, at zoom 0.
func streets(t *testing.T) *Map {
	t.Helper()
	feature := func(g orb.Geometry, properties geojson.Properties) *geojson.Feature {
		f := geojson.NewFeature(g)
		f.Properties = properties
		return f
	}
	layer := func(name string, features ...*geojson.Feature) *mvt.Layer {
		return &mvt.Layer{Name: name, Version: 2, Extent: 4096, Features: features}
	}
	content, err := mvt.Marshal(mvt.Layers{
		layer("earth", feature(orb.Polygon{{{0, 0}, {4096, 0}, {4096, 4096}, {0, 4096}, {0, 0}}}, nil)),
		layer("roads", feature(orb.LineString{{0, 2048}, {4096, 2048}}, geojson.Properties{"kind": "highway"}),
			feature(orb.LineString{{0, 100}, {4096, 100}}, geojson.Properties{"kind": "path"}),
			feature(orb.LineString{{0, 200}, {4096, 200}}, geojson.Properties{"kind": 7})),
		layer("places", feature(orb.Point{2048, 1024}, geojson.Properties{"kind": "locality", "name": "København", "name:de": "Kopenhagen"}),
			feature(orb.Point{100, 3000}, geojson.Properties{"kind": "locality", "name": 5})),
	})
	if err != nil {
		t.Fatal(err)
	}
	return archiveOf(t, pmtiles.Tile{Content: content}, `<a href="https://x.example">Protomaps</a> &copy; <script>x</script> OpenStreetMap`)
}

// archiveOf is a map with one tile.
func archiveOf(t *testing.T, tile pmtiles.Tile, attribution string) *Map {
	t.Helper()
	var archive bytes.Buffer
	err := pmtiles.Write(&archive, []pmtiles.Tile{tile}, [4]float64{-180, -85, 180, 85}, pmtiles.Metadata{Attribution: attribution})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(t.Context(), pmtiles.FromReader(bytes.NewReader(archive.Bytes())))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWhereAPlaceIs: the box around a place shows streets where the map has some, else the towns
// around.
func TestWhereAPlaceIs(t *testing.T) {
	var content bytes.Buffer
	tile := pmtiles.Tile{Z: 14, X: 8654, Y: 5230, Content: []byte("x")}
	if err := pmtiles.Write(&content, []pmtiles.Tile{tile}, [4]float64{10, 54, 10.5, 54.5}, pmtiles.Metadata{}); err != nil {
		t.Fatal(err)
	}
	kiel, err := Open(t.Context(), pmtiles.FromReader(bytes.NewReader(content.Bytes())))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		m    *Map
		at   orb.Point
		want float64
	}{
		"of the program": {Embedded(), orb.Point{10.13, 54.32}, townWidth}, "an operator's": {kiel, orb.Point{10.13, 54.32}, streetWidth},
		"elsewhere": {kiel, orb.Point{9.43, 54.78}, townWidth}, "at a pole": {kiel, orb.Point{0, 90}, townWidth},
	} {
		box := test.m.Place(test.at)
		x, y, inside := box.At(test.at)
		if box.w != test.want || !inside || name != "at a pole" && math.Abs(x-0.5)+math.Abs(y-0.5) > 1e-6 {
			t.Errorf("%s: %v, with the place at %g, %g", name, box, x, y)
		}
	}
}

func TestAnOperatorsMap(t *testing.T) {
	m := streets(t)
	if got := m.Credit(); got != "Protomaps © OpenStreetMap · "+Embedded().Credit() {
		t.Errorf("the credit is %q", got)
	}
	d, err := m.Draw(t.Context(), World, "de", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Shapes) != 2 || d.Shapes[0].Class != earth || d.Shapes[1].Class != road || strings.Count(d.Shapes[1].Path, "M") != 1 {
		t.Errorf("drawn as %+v", d.Shapes)
	}
	if len(d.Towns) != 1 || d.Towns[0].Name != "Kopenhagen" {
		t.Errorf("the towns are %+v", d.Towns)
	}
}

// TestTheMapBelowAnExtract is the one of the program: drawn where the extract has no tiles, and
// served to scripts next to it.
func TestTheMapBelowAnExtract(t *testing.T) {
	kiel, err := Embedded().archive.Tile(t.Context(), 8, 135, 81)
	if err != nil {
		t.Fatal(err)
	}
	if kiel, err = pmtiles.Unpack(kiel, pmtiles.Gzip); err != nil {
		t.Fatal(err)
	}
	m := archiveOf(t, pmtiles.Tile{Z: 8, X: 135, Y: 81, Content: kiel}, "© Kiel")
	for box, at := range map[string]orb.Point{"12.3,55.5,12.9,55.8": {12.6, 55.63}, "120,20,160,50": {139.2, 36}} {
		if !planar.MultiPolygonContains(landIn(t, m, box), at) {
			t.Errorf("no land at %v", at)
		}
		b := parsed(t, box).Shaped(0)
		got, err := m.Draw(t.Context(), b, "de", nil)
		want, _ := Embedded().Draw(t.Context(), b, "de", nil)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is not drawn as by the map of the program: %v", box, err)
		}
	}
	within, err := m.Draw(t.Context(), parsed(t, "10.1,54.3,10.2,54.4").Shaped(0), "de", nil)
	land := slices.DeleteFunc(within.Shapes, func(s Shape) bool { return s.Class != earth })
	if err != nil || len(land) != 1 {
		t.Errorf("within the extract land is drawn %d times, %v", len(land), err)
	}
	below := fmt.Sprint(m.Attributes()["data-base"])
	if below != Embedded().Address() || below == m.Address() {
		t.Errorf("the attributes are %v", m.Attributes())
	}
	at := strings.NewReplacer("{z}", "5", "{x}", "17", "{y}", "10").Replace(below)
	if answer, content := get(t, m, at); answer.StatusCode != http.StatusOK || len(content) == 0 {
		t.Errorf("a tile below the extract: %d", answer.StatusCode)
	}
}

// TestATileThatIsNone: a damaged tile is an error, not a crash, and the map of the program is drawn
// instead.
func TestATileThatIsNone(t *testing.T) {
	m := archiveOf(t, pmtiles.Tile{Content: []byte("\xff\xff\xff not a tile")}, "")
	if d, err := m.Draw(t.Context(), World, "de", nil); err == nil || len(d.Shapes) == 0 {
		t.Errorf("drawn by %d shapes, %v", len(d.Shapes), err)
	}
	if _, err := m.GeoJSON(t.Context(), World); err == nil {
		t.Error("its land is read")
	}
}

// get asks for a tile of a map.
func get(t *testing.T, m *Map, path string, header ...string) (*http.Response, []byte) {
	t.Helper()
	app := web.New(web.Options{Service: "site", Log: slog.New(slog.DiscardHandler)})
	m.Mount(app)
	request := httptest.NewRequestWithContext(t.Context(), fiber.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := app.Test(request, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, body
}

func TestTiles(t *testing.T) {
	m := Embedded()
	at := strings.NewReplacer("{z}", "8", "{x}", "135", "{y}", "81").Replace(m.Address())
	packed, short := get(t, m, at, "Accept-Encoding", "gzip, br")
	tag := packed.Header.Get("ETag")
	if packed.StatusCode != http.StatusOK || packed.Header.Get("Content-Encoding") != "gzip" || tag == "" ||
		packed.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || packed.Header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("answered %d with %v", packed.StatusCode, packed.Header)
	}
	plain, content := get(t, m, at)
	layers, err := mvt.Unmarshal(content)
	if err != nil || len(layers) == 0 || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("not compressed: %v, %v", plain.Header, err)
	}
	if unpacked, err := pmtiles.Unpack(short, pmtiles.Gzip); err != nil || !bytes.Equal(unpacked, content) {
		t.Errorf("compressed it is another tile: %v", err)
	}
	if again, _ := get(t, m, at, "Accept-Encoding", "gzip, br", "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: %d", again.StatusCode)
	}
	for path, want := range map[string]int{
		"/map/tiles/old/8/135/81": http.StatusOK, "/map/tiles/x/8/0/0": http.StatusNoContent, "/map/tiles/x/8/256/0": http.StatusNoContent,
		"/map/tiles/x/9/0/0": http.StatusNotFound, "/map/tiles/x/-1/0/0": http.StatusNotFound, "/map/tiles/x/8/1e3/0": http.StatusNotFound,
		"/map/tiles/x/8/99999999999/0": http.StatusNotFound, "/map/tiles/x/8/0": http.StatusNotFound,
	} {
		answer, _ := get(t, m, path)
		if answer.StatusCode != want || strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %s", path, answer.StatusCode, answer.Header.Get("Cache-Control"))
		}
	}
}

// TestLandOfABoxAcrossTheAntimeridian goes on beyond 180°.
func TestLandOfABoxAcrossTheAntimeridian(t *testing.T) {
	content, err := Embedded().GeoJSON(t.Context(), parsed(t, "165,-25,195,-5"))
	var geometry struct{ Type string }
	if err != nil || json.Unmarshal(content, &geometry) != nil || geometry.Type != "MultiPolygon" {
		t.Errorf("%s, %v", content, err)
	}
}
