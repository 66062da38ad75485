package litfass

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// Filter is what dates are chosen by, in searches, counts and the change feed. All that is set
// narrows the result. The parameters of the API with the same names have more to say about each.
type Filter struct {
	Start           string   `json:"start,omitempty"`         // a day, or "today"
	End             string   `json:"end,omitempty"`           // a day, or "today"
	Ongoing         bool     `json:"ongoing,omitempty"`       // Start means "ends on or after"
	NotOver         bool     `json:"not_over,omitempty"`      // leaves out dates whose end has passed
	On              string   `json:"on,omitempty"`            // a day, two of them, today, tomorrow, weekend
	StartsBefore    string   `json:"starts_before,omitempty"` // a day, or "today"
	Time            string   `json:"time,omitempty"`          // hours of the start, such as "18,2330"
	Categories      []int    `json:"categories,omitempty"`
	EventTypes      []int    `json:"event_types,omitempty"` // not together with Genres
	Genres          []int    `json:"genres,omitempty"`
	Title           string   `json:"title,omitempty"` // * stands for any characters, at either end
	Tags            []string `json:"tags,omitempty"`
	Label           []string `json:"label,omitempty"` // keys
	Availability    []string `json:"availability,omitempty"`
	Available       bool     `json:"available,omitempty"`
	Contributor     []string `json:"contributor,omitempty"` // uuids
	Portal          string   `json:"portal,omitempty"`      // a slug
	List            string   `json:"list,omitempty"`        // a slug
	Age             string   `json:"age,omitempty"`         // "8", or "6,10"
	Price           string   `json:"price,omitempty"`       // "free", "donation", or such as "20,EUR"
	PriceTypes      []string `json:"price_types,omitempty"`
	Venue           string   `json:"venue,omitempty"` // its name; * as in Title
	City            string   `json:"city,omitempty"`  // * as in Title
	PostalCode      []string `json:"postal_code,omitempty"`
	Countries       []string `json:"countries,omitempty"` // ISO 3166-1 alpha-3
	Lon             *float64 `json:"lon,omitempty"`       // of a search centre, together with Lat and Radius
	Lat             *float64 `json:"lat,omitempty"`
	Radius          *float64 `json:"radius,omitempty"`         // in metres
	GeolistRegion   string   `json:"geolist_region,omitempty"` // country_slug,state_slug,region_slug
	SpaceTypes      []string `json:"space_types,omitempty"`
	Languages       []string `json:"languages,omitempty"`
	ReleaseStatuses []string `json:"release_statuses,omitempty"`
	Accessibility   []int    `json:"accessibility,omitempty"` // bits that must all be set
	VisitorInfos    []int    `json:"visitor_infos,omitempty"` // bits that must all be set
	OrgUUIDs        []string `json:"org_uuids,omitempty"`
	VenueUUIDs      []string `json:"venue_uuids,omitempty"`
	EventUUIDs      []string `json:"event_uuids,omitempty"`
	SpaceUUIDs      []string `json:"space_uuids,omitempty"`
	SeriesUUIDs     []string `json:"series_uuids,omitempty"` // of series, or of parts of series
	Lang            string   `json:"lang,omitempty"`         // of names, such as "de"
}

// Paged are the parameters of a search that choose no dates by what they are.
type Paged struct {
	Words  string `json:"search,omitempty"` // to be found in titles, texts, tags and venues
	Sort   string `json:"sort,omitempty"`   // "start" or "changed"
	Group  string `json:"group,omitempty"`  // "event" or "series": one entry for each
	Total  bool   `json:"total,omitempty"`  // asks for EventsFound.Total
	Limit  int    `json:"limit,omitempty"`
	Offset int    `json:"offset,omitempty"`

	// The page begins after this entry, the last one of the page before.
	LastEventStartAt  string `json:"last_event_start_at,omitempty"`
	LastEventDateUUID string `json:"last_event_date_uuid,omitempty"`
}

// Search asks for dates.
type Search struct {
	Filter
	Paged
	Facets []string `json:"facets,omitempty"` // dimensions to count by, for EventsFound.Facets
}

// FacetsQuery asks for counts.
type FacetsQuery struct {
	Filter
	Paged
	By []string `json:"by,omitempty"` // dimensions, such as "city"
}

// ChangesQuery asks for changes of what a filter finds.
type ChangesQuery struct {
	Filter
	Kind  string `json:"kind,omitempty"`  // Dates, Events or another one below; "" is Dates
	After string `json:"after,omitempty"` // the position to go on from; "" begins now
	Limit int    `json:"limit,omitempty"` // of one answer
	Wait  int    `json:"wait,omitempty"`  // seconds that one answer waits for a change
	Name  string `json:"name,omitempty"`  // of a venue, for the kind Venues; * as in Title
	BBox  string `json:"bbox,omitempty"`  // for the kind Venues: west,south,east,north in degrees
	// Poll asks for one answer after the other instead of a stream of events, for proxies that keep
	// those back.
	Poll bool `json:"-"`
}

// The kinds of changes.
const (
	Dates         = "dates"
	Events        = "events" // the first date of each event that is found
	Venues        = "venues"
	Organizations = "organizations" // with no filter
	Contributors  = "contributors"  // the same
	AllSeries     = "series"        // the same
)

// VenueSearch asks for venues.
type VenueSearch struct {
	Name          string   `json:"name,omitempty"` // * stands for any characters, at either end
	City          string   `json:"city,omitempty"`
	PostalCode    []string `json:"postal_code,omitempty"`
	Countries     []string `json:"countries,omitempty"`
	Lon           *float64 `json:"lon,omitempty"`
	Lat           *float64 `json:"lat,omitempty"`
	Radius        *float64 `json:"radius,omitempty"` // in metres
	GeolistRegion string   `json:"geolist_region,omitempty"`
	OrgUUIDs      []string `json:"org_uuids,omitempty"`
	Portal        string   `json:"portal,omitempty"` // a slug: venues where one of its dates takes place
	VenueUUIDs    []string `json:"venue_uuids,omitempty"`
	Accessibility []int    `json:"accessibility,omitempty"`
	Limit         int      `json:"limit,omitempty"`
	Offset        int      `json:"offset,omitempty"`
	Lang          string   `json:"lang,omitempty"`
}

// ContributorSearch asks for contributors.
type ContributorSearch struct {
	Portal string `json:"portal,omitempty"` // a slug: contributors of its dates
	Search string `json:"search"`           // a part of the name
	Limit  int    `json:"limit,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Lang   string `json:"lang,omitempty"`
}

// SeriesQuery asks for a page of the series.
type SeriesQuery struct {
	Limit  int    `json:"limit,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Cursor string `json:"cursor,omitempty"` // SeriesFound.NextCursor of the page before
	Lang   string `json:"lang,omitempty"`
}

// OrganizationSearch asks for organizations.
type OrganizationSearch struct {
	Portal string `json:"portal,omitempty"` // a slug: organizations of its dates
	Search string `json:"search"`           // a part of the name
	Limit  int    `json:"limit,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Lang   string `json:"lang,omitempty"`
}

// values returns the parameters of a query that are set, by the names in its JSON tags.
func values(query any) url.Values {
	all := url.Values{}
	addValues(all, reflect.ValueOf(query))
	return all
}

func addValues(all url.Values, query reflect.Value) {
	for i := range query.NumField() {
		field, tag := query.Field(i), query.Type().Field(i)
		name, _, _ := strings.Cut(tag.Tag.Get("json"), ",")
		switch {
		case tag.Anonymous:
			addValues(all, field)
		case name != "-" && !field.IsZero():
			all.Set(name, text(field))
		}
	}
}

// text returns a value as a parameter has it: a list with commas.
func text(value reflect.Value) string {
	switch v := value.Interface().(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ",")
	case []int:
		numbers := make([]string, len(v))
		for i, number := range v {
			numbers[i] = strconv.Itoa(number)
		}
		return strings.Join(numbers, ",")
	case *float64:
		return strconv.FormatFloat(*v, 'f', -1, 64)
	default: // a number or a boolean
		encoded, _ := json.Marshal(v) // these types cannot fail
		return string(encoded)
	}
}
