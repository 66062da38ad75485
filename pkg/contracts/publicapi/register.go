package publicapi

import "litfass/pkg/contracts/value"

// RegisterPages returns the addresses of the pages of a venue in public registers, by its ids
// there: of Wikidata, then of OpenStreetMap, as far as it has them.
func RegisterPages(wikidata, osm value.Text) (pages []string) {
	if wikidata != "" {
		pages = append(pages, "https://www.wikidata.org/wiki/"+string(wikidata))
	}
	if osm != "" {
		pages = append(pages, "https://www.openstreetmap.org/"+string(osm))
	}
	return pages
}
