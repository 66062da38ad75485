// Package params parses the parameters of requests: the query string of a GET or the JSON body of a
// POST becomes a Query, or a fault that names every bad parameter (RULES.md, Search). It is pure:
// it uses no HTTP framework, no engine and no clock.
package params

import (
	"cmp"

	"litfass/pkg/media/imaging"
)

// Query holds the valid parameters of a request. The zero value of a field means that it was not
// given.
type Query struct {
	Categories []int
	EventTypes []int
	Genres     []int

	Start   Day // the date starts on or after it; with Ongoing: ends on or after it
	End     Day // the date ends on or before it
	Ongoing bool
	// StartsBefore: the date starts on or before it.
	StartsBefore Day
	NotOver      bool // the date is not over, see EndsAfter
	// EndsAfter is set where NotOver is: the date ends after this time, in Unix seconds. It is the
	// last end of a date before the present moment, for equal queries to be equal until the next end.
	// EndsOn takes its place where the index lacks the times: the date ends on or after the day.
	EndsAfter int64
	EndsOn    Day
	On        *Days // the date runs on at least one of them, or with opening hours opens
	Time      *TimeRange
	// ByPeriod leaves opening hours out, where the index lacks them: dates run on all days of their
	// periods, and those with opening hours at no time.
	ByPeriod bool

	Title       *Pattern
	Venue       *Pattern
	PostalCodes []Pattern // one of them
	City        *Pattern
	Name        *Pattern // of venues only

	Tags   []string // any case
	Labels []string // keys
	// Availabilities are keys, each of availabilities. Available: there are places, see Bookable.
	Availabilities []string
	Available      bool
	// Contributors are uuids, also of contributors that were merged into others.
	Contributors []string
	SpaceTypes   []string // keys
	Countries    []string // upper case
	Languages    []string // lower case
	// ReleaseStatuses are effective ones, each of releaseStatuses.
	ReleaseStatuses []string
	Search          string // words separated by single spaces, free of the engine's operators; see words

	Age        *AgeRange
	Price      *Price
	PriceTypes []string // each of priceTypes

	Accessibility []int // bits
	VisitorInfos  []int // bits

	Portal string // slug
	List   string // slug

	Circle *Circle // only when lon, lat and radius were all given
	Region *Region
	Box    *Box // of venues only

	OrgUUIDs    []string // lower case, as all uuids here
	VenueUUIDs  []string
	EventUUIDs  []string
	SpaceUUIDs  []string
	SeriesUUIDs []string // of series and of their parts

	Lang      string   // of names: one of language.Codes, always
	TextLang  string   // of the texts of events: Lang where it was given; "" for the original
	Langs     []string // distinct ones of language.Codes; all of them when none was given
	Part      string   // of an organization's name
	EventType int
	Country   string // depending on the operation: a code in upper case, or a slug
	State     string // a slug

	Variant imaging.Variant // of an image

	Limit  int // 0 of a feed: as many as its format shows
	Offset int
	Sort   Sort
	// Total asks for the number of all dates, or events, next to the page.
	Total    bool
	Grouped  bool    // group=event: one entry per event
	BySeries bool    // group=series: one entry per series, and per date of none
	After    *Cursor // the entry after which the answer begins

	Place *Place // after which a page of lists or series begins; nil for the first page

	Kind  Kind      // of changes
	Since *Position // after which changes are asked for; nil: none are, but the present position
	Wait  int       // seconds, for a change

	Week   Days     // seven days, of the operation Week
	By     []string // distinct ones of Dimensions to count by; of the search, next to its page
	Window Days     // that the dimension day counts, when it is among By
}

// Sort is an order that a request asks for; "" is that of the list it names, else by relevance with
// words, else by start.
type Sort string

// The orders by name.
const (
	SortByStart  Sort = "start"
	SortByChange Sort = "changed" // the latest change first
	SortByList   Sort = "list"    // of the editor of the list that the query names
)

// ByStart reports whether the entries are ordered by their start.
func (q Query) ByStart() bool {
	return q.Sort == SortByStart || q.Sort == "" && q.Search == "" && q.List == ""
}

// ByList reports whether the entries are in the order of the list that the query names.
func (q Query) ByList() bool { return q.Sort == SortByList || q.Sort == "" && q.List != "" }

// TimeRange is a range of minutes of the day, both ends included. From > To wraps past midnight.
type TimeRange struct{ From, To int }

// AgeRange is the ages that must all be welcome; From <= To.
type AgeRange struct{ From, To int }

// Price is free, donation, or at most Amount in Currency (upper case).
type Price struct {
	Type     string // "free" or "donation"; "" for an amount
	Amount   float64
	Currency string
}

// Circle is a search radius in metres around a point (WGS84 degrees).
type Circle struct{ Lon, Lat, Radius float64 }

// Box is the area between two meridians and two parallels, inclusive (WGS84 degrees). It goes from
// west to east, across the antimeridian if West > East.
type Box struct{ West, South, East, North float64 }

// Region names a region by its three slugs.
type Region struct{ Country, State, Region string }

// Cursor is the place of an entry in the order by start.
type Cursor struct {
	StartKey int64 // 202611201930
	DateUUID string
}

// Compare returns -1 if c comes before other, 1 if it comes after it, and 0 if they are equal.
func (c Cursor) Compare(other Cursor) int {
	return cmp.Or(cmp.Compare(c.StartKey, other.StartKey), cmp.Compare(c.DateUUID, other.DateUUID))
}

// Pattern is a text with an asterisk before it, after it, both or none; case is ignored.
type Pattern struct {
	Text      string
	OpenStart bool // "*text": anything may precede
	OpenEnd   bool // "text*": anything may follow
}
