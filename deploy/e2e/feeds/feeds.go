// Package feeds reads the public feeds with parsers that share no code with the service that writes
// them, as far as tests need it: which dates a feed holds, and where it goes on.
package feeds

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-ical"
	"github.com/mmcdole/gofeed"
	"github.com/mmcdole/gofeed/atom"
)

// Formats are the endings of the addresses of the feeds to subscribe to.
var Formats = []string{"ics", "rss", "atom", "json", "geojson", "jsonld"}

// All are the endings of all feeds, tables, too.
var All = slices.Concat(Formats, []string{"csv", "xlsx"})

// urn stands before a uuid where a format asks for an address as an id.
const urn = "urn:uuid:"

// IDs returns the uuids of the dates that a feed of a format holds, in their order; of the venues,
// where it holds these. The result is never nil. A feed that its parser cannot read is an error,
// and so is a date without an id.
func IDs(format string, feed []byte) (ids []string, err error) {
	switch format {
	case "ics":
		ids, err = calendar(feed)
	case "rss", "atom", "json":
		ids, err = news(format, feed)
	case "geojson":
		ids, err = features(feed)
	case "jsonld":
		ids, err = linked(feed)
	case "csv":
		ids, err = table(feed)
	case "xlsx":
		ids, err = sheet(feed)
	default:
		err = fmt.Errorf("%q is no format of feeds", format)
	}
	for _, id := range ids {
		if len(id) != len("01920000-0000-7000-8000-000000000000") && err == nil {
			err = fmt.Errorf("%s: %q is no uuid", format, id)
		}
	}
	return append([]string{}, ids...), err
}

// Next returns the address of the next page of a feed; "" where it says none, as in formats that
// have no pages.
func Next(format string, feed []byte) (address string, err error) {
	switch format {
	case "atom":
		parsed, err := (&atom.Parser{}).Parse(bytes.NewReader(feed))
		if err != nil {
			return "", err
		}
		for _, link := range parsed.Links {
			if link.Rel == "next" {
				return link.Href, nil
			}
		}
	case "json":
		var parsed struct {
			Next string `json:"next_url"`
		}
		err = json.Unmarshal(feed, &parsed)
		return parsed.Next, err
	case "geojson":
		var parsed struct {
			Links []struct{ Rel, Href string }
		}
		err = json.Unmarshal(feed, &parsed)
		for _, link := range parsed.Links {
			if link.Rel == "next" {
				address = link.Href
			}
		}
	}
	return address, err
}

// series are the times of openings, which follow the uuid of their date.
var series = regexp.MustCompile(`-\d{4}-\d{4}$`)

func calendar(feed []byte) (ids []string, err error) {
	parsed, err := ical.NewDecoder(bytes.NewReader(feed)).Decode()
	if err != nil {
		return nil, err
	}
	for _, event := range parsed.Events() {
		id, err := event.Props.Text(ical.PropUID)
		if err != nil {
			return nil, err
		}
		id = series.ReplaceAllLiteralString(id, "")
		if len(ids) == 0 || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func news(format string, feed []byte) (ids []string, err error) {
	parsed, err := gofeed.NewParser().Parse(bytes.NewReader(feed))
	if err != nil {
		return nil, err
	}
	if parsed.FeedType != format {
		return nil, fmt.Errorf("a feed of the type %q, not %q", parsed.FeedType, format)
	}
	for _, item := range parsed.Items {
		ids = append(ids, strings.TrimPrefix(item.GUID, urn))
	}
	return ids, nil
}

func features(feed []byte) (ids []string, err error) {
	var parsed struct {
		Type     string
		Features []struct{ ID string }
	}
	if err := json.Unmarshal(feed, &parsed); err != nil {
		return nil, err
	}
	if parsed.Type != "FeatureCollection" || parsed.Features == nil {
		return nil, fmt.Errorf("no features: %.200s", feed)
	}
	for _, feature := range parsed.Features {
		ids = append(ids, feature.ID)
	}
	return ids, nil
}

func linked(feed []byte) (ids []string, err error) {
	var parsed struct {
		Context string `json:"@context"`
		Graph   []struct {
			Type       string `json:"@type"`
			Identifier string
		} `json:"@graph"`
	}
	if err := json.Unmarshal(feed, &parsed); err != nil {
		return nil, err
	}
	if parsed.Context != "https://schema.org" || parsed.Graph == nil {
		return nil, fmt.Errorf("no graph: %.200s", feed)
	}
	for _, event := range parsed.Graph {
		if event.Type != "Festival" && !strings.HasSuffix(event.Type, "Event") {
			return nil, fmt.Errorf("a node of the type %q", event.Type)
		}
		ids = append(ids, event.Identifier)
	}
	return ids, nil
}

// table returns the values of the column date_uuid, by the names in the first row.
func table(feed []byte) (ids []string, err error) {
	rows, err := csv.NewReader(bytes.NewReader(feed)).ReadAll()
	if err != nil {
		return nil, err
	}
	return columnOf(rows)
}

func columnOf(rows [][]string) (ids []string, err error) {
	if len(rows) == 0 {
		return nil, errors.New("no names of columns")
	}
	at := slices.Index(rows[0], "date_uuid")
	for _, row := range rows[1:] {
		if at < 0 || at >= len(row) {
			return nil, errors.New("no date_uuid")
		}
		ids = append(ids, row[at])
	}
	return ids, nil
}

// sheet reads the sheet of a workbook, whose cells of text stand in the place that they name.
func sheet(feed []byte) (ids []string, err error) {
	archive, err := zip.NewReader(bytes.NewReader(feed), int64(len(feed)))
	if err != nil {
		return nil, err
	}
	part, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		return nil, err
	}
	var parsed struct {
		Rows []struct {
			Cells []struct {
				Place string `xml:"r,attr"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(part).Decode(&parsed); err != nil {
		return nil, err
	}
	var rows [][]string
	places := map[string]int{} // of columns, by their letters
	for _, row := range parsed.Rows {
		texts := make([]string, len(parsed.Rows[0].Cells))
		for n, cell := range row.Cells {
			letters := strings.TrimRight(cell.Place, "0123456789")
			if len(rows) == 0 {
				places[letters] = n
			}
			texts[places[letters]] = cell.Text
		}
		rows = append(rows, texts)
	}
	return columnOf(rows)
}
