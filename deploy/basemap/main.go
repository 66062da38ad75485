// Command basemap draws the map that the site shows without an extract of an operator: coasts,
// lakes, borders and towns of Central and Northern Europe, and coarser land of the rest of the
// world, as an archive of vector tiles. Its data come from npm packages by their lock file. The
// same packages give the same bytes.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"litfass/pkg/contracts/town"
	"litfass/pkg/media/pmtiles"
	"litfass/pkg/ui/bundle"
)

// detailed is the part of the world that is drawn in detail: from Ireland to Finland, and from the
// Alps to the North Cape.
var detailed = orb.Bound{Min: orb.Point{-10.8, 45.8}, Max: orb.Point{31.6, 71.4}}

func main() {
	packages := flag.String("packages", filepath.Join("deploy", "basemap"), "folder of the lock file of npm")
	target := flag.String("to", filepath.Join("services", "site", "internal", "basemap", "europe.pmtiles"), "the archive")
	flag.Parse()
	if err := run(context.Background(), *packages, *target); err != nil {
		fmt.Fprintln(os.Stderr, "basemap:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, packages, target string) error {
	if err := bundle.Install(ctx, packages); err != nil {
		return err
	}
	s, err := read(filepath.Join(packages, "node_modules"))
	if err != nil {
		return err
	}
	archive, err := draw(s, town.All())
	if err != nil {
		return err
	}
	return os.WriteFile(target, archive, 0o644)
}

// read reads the packages.
func read(modules string) (s sphere, err error) {
	coasts, err := readGeoMap(filepath.Join(modules, "@geo-maps", "earth-lands-100m", "map.geo.json"), detailed)
	if err != nil {
		return s, err
	}
	lakes, err := readGeoMap(filepath.Join(modules, "@geo-maps", "earth-waterbodies-100m", "map.geo.json"), detailed)
	if err != nil {
		return s, err
	}
	// The sea is the one with all coasts as holes, which the land already draws.
	lakes = slices.DeleteFunc(lakes, func(p orb.Polygon) bool { return len(p) > 1000 })
	s.land, s.water = shapesOf(coasts), joined(lakes)
	land, err := readTopology(filepath.Join(modules, "world-atlas", "land-50m.json"))
	if err != nil {
		return s, err
	}
	polygons, err := land.polygons("land")
	if err != nil {
		return s, err
	}
	polygons = unrolled(polygons)
	countries, err := readTopology(filepath.Join(modules, "world-atlas", "countries-10m.json"))
	if err != nil {
		return s, err
	}
	borders, err := countries.borders("countries")
	s.border = clip.MultiLineString(detailed, borders.Clone())
	for _, side := range around(detailed) {
		s.farLand = append(s.farLand, shapesOf(clipped(polygons.Clone(), side))...)
		s.farBorder = append(s.farBorder, clip.MultiLineString(side, borders.Clone())...)
	}
	return s, err
}

// draw returns the archive of a map.
func draw(s sphere, towns []town.Town) ([]byte, error) {
	var tiles []pmtiles.Tile
	for z := range uint8(finest + 1) {
		more, err := tilesOf(z, s, towns)
		if err != nil {
			return nil, err
		}
		tiles = append(tiles, more...)
	}
	var archive bytes.Buffer
	err := pmtiles.Write(&archive, tiles, [4]float64{detailed.Left(), detailed.Bottom(), detailed.Right(), detailed.Top()}, pmtiles.Metadata{
		Name:        "Central and Northern Europe",
		Attribution: "© OpenStreetMap contributors (ODbL), " + town.Attribution + ", Natural Earth",
	})
	return archive.Bytes(), err
}
