// Package town is a gazetteer: the towns of Europe with at least 1,000 inhabitants, and the cities
// of the world with at least 15,000, each with its position. The data is that of GeoNames
// (https://www.geonames.org, CC BY 4.0), which pages that show it credit; deploy/towns makes the
// file.
package town

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the towns
	"encoding/csv"
	"fmt"
	"strconv"
	"sync"
)

// Attribution is the credit that the licence of the data asks for.
const Attribution = "GeoNames (CC BY 4.0)"

//go:embed towns.tsv.gz
var file []byte

// Town is a town or city.
type Town struct {
	Name       string // mostly in its own language
	Country    string // ISO 3166-1 alpha-3
	Lat, Lon   float64
	Population int
}

// All returns all towns, the largest first. The slice is shared: callers must not change it.
var All = sync.OnceValue(func() []Town {
	towns, err := read(file)
	if err != nil {
		panic(fmt.Sprintf("the embedded towns: %v", err)) // a test reads them
	}
	return towns
})

// Columns are the names of the columns of the file.
var Columns = []string{"name", "country", "lat", "lon", "population"}

func read(file []byte) ([]Town, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	table := csv.NewReader(unpacked)
	table.Comma, table.FieldsPerRecord, table.LazyQuotes, table.ReuseRecord = '\t', len(Columns), true, true
	rows, err := table.ReadAll()
	if err != nil {
		return nil, err
	}
	towns := make([]Town, 0, len(rows))
	for _, row := range rows[1:] {
		lat, err1 := strconv.ParseFloat(row[2], 64)
		lon, err2 := strconv.ParseFloat(row[3], 64)
		population, err3 := strconv.Atoi(row[4])
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("the row of %s", row[0])
		}
		towns = append(towns, Town{row[0], row[1], lat, lon, population})
	}
	return towns, nil
}
