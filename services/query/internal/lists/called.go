package lists

import (
	"cmp"
	"context"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
)

// SetsOfDimensions are the value sets of the dimensions of the event search.
var SetsOfDimensions = map[string]string{
	"categories": change.LookupCategories, "event_types": change.LookupEventTypes, "genres": change.LookupEventGenres,
	"price_type": change.LookupPriceTypes, "languages": change.LookupLanguages,
	"accessibility": change.LookupAccessibilityFlags, "visitor_infos": change.LookupVisitorInfoFlags,
	"space_types": change.LookupSpaceTypes, "countries": change.LookupCountries,
	"release_statuses": change.LookupReleaseStatuses, "label": change.LookupLabels,
	"availability": change.LookupAvailabilities,
}

// Called returns the names of the values of dimensions in one language.
type Called struct {
	reader  *Reader
	lang    string
	texts   string // language of texts; "" for the original
	version string
	names   map[string]map[string]string // by dimension and value
}

// Called returns the names in lang of the values of some dimensions. The titles of series are in
// textLang as far as they exist in it; "" for the original.
func (r *Reader) Called(ctx context.Context, lang, textLang string, dimensions []string) (*Called, error) {
	sets, version, err := r.VersionedSets(ctx)
	if err != nil {
		return nil, err
	}
	c := &Called{reader: r, lang: lang, texts: textLang, version: version, names: make(map[string]map[string]string, len(dimensions))}
	for _, dimension := range dimensions {
		items := sets[SetsOfDimensions[dimension]].Items
		names := make(map[string]string, len(items))
		for _, item := range items {
			names[item.ID] = nameIn(item, lang)
		}
		c.names[dimension] = names
	}
	return c, nil
}

// Version names the languages and the value sets.
func (c *Called) Version() string { return c.lang + " " + c.texts + " " + c.version }

// Of returns the name of a value of a dimension; "" when it has none.
func (c *Called) Of(dimension, value string) string { return c.names[dimension][value] }

// Records returns the names of all venues, organizations, series or contributors by uuid, to be
// read only. The error is the engine's.
func (c *Called) Records(ctx context.Context, index string) (map[string]string, error) {
	if index != document.Series {
		return c.reader.namesOf[index].Get(ctx)
	}
	all, err := c.reader.seriesTitles.Get(ctx)
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(all))
	for uuid, titles := range all {
		names[uuid] = cmp.Or(titles[c.texts], titles[""])
	}
	return names, nil
}
