package params

import (
	"maps"
	"slices"
)

// shape says how the values of a parameter are written.
type shape int

const (
	scalar shape = iota // one value
	tuple               // one value of parts parted by commas; a JSON array of the parts is read too
	list                // any number of values: parted by commas, repeated, or a JSON array
)

// parameter is one row of the table: what a parameter looks like and how it is read into a Query.
type parameter struct {
	shape shape
	json  jsonKind                     // the JSON types it is written in, besides null
	read  func(r *reader, text string) // of scalar and tuple
	items func(r *reader, items []string)
}

// table holds every parameter of every operation.
var table = map[string]parameter{
	"categories":  integers(1, 6, func(q *Query) *[]int { return &q.Categories }),
	"event_types": integers(1, maxID, func(q *Query) *[]int { return &q.EventTypes }),
	"genres":      integers(1, maxID, func(q *Query) *[]int { return &q.Genres }),

	"accessibility": integers(0, 63, func(q *Query) *[]int { return &q.Accessibility }),
	"visitor_infos": integers(0, 63, func(q *Query) *[]int { return &q.VisitorInfos }),

	"org_uuids":   uuids(func(q *Query) *[]string { return &q.OrgUUIDs }),
	"venue_uuids": uuids(func(q *Query) *[]string { return &q.VenueUUIDs }),
	"event_uuids": uuids(func(q *Query) *[]string { return &q.EventUUIDs }),

	"tags":        {shape: list, json: jsonString, items: (*reader).tags},
	"space_types": {shape: list, json: jsonString, items: (*reader).spaceTypes},
	"countries":   {shape: list, json: jsonString, items: (*reader).countries},

	"title":       pattern(func(q *Query) **Pattern { return &q.Title }),
	"venue":       pattern(func(q *Query) **Pattern { return &q.Venue }),
	"postal_code": pattern(func(q *Query) **Pattern { return &q.PostalCode }),
	"city":        pattern(func(q *Query) **Pattern { return &q.City }),
	"name":        pattern(func(q *Query) **Pattern { return &q.Name }),
	"search":      {shape: scalar, json: jsonString, read: (*reader).search},

	"start":   {shape: scalar, json: jsonString, read: func(r *reader, s string) { r.query.Start = r.day(s) }},
	"end":     {shape: scalar, json: jsonString, read: func(r *reader, s string) { r.query.End = r.day(s) }},
	"ongoing": {shape: scalar, json: jsonBool | jsonString, read: (*reader).ongoing},
	"time":    {shape: tuple, json: jsonString | jsonNumber, read: (*reader).time},

	"age":   {shape: tuple, json: jsonString | jsonNumber, read: (*reader).age},
	"price": {shape: tuple, json: jsonString | jsonNumber, read: (*reader).price},

	"lon":            decimal(-180, 180, func(r *reader) *float64 { return &r.circle.Lon }),
	"lat":            decimal(-90, 90, func(r *reader) *float64 { return &r.circle.Lat }),
	"radius":         decimal(0, maxRadius, func(r *reader) *float64 { return &r.circle.Radius }),
	"geolist_region": {shape: tuple, json: jsonString, read: (*reader).region},

	"limit":                {shape: scalar, json: jsonString | jsonNumber, read: (*reader).limit},
	"offset":               {shape: scalar, json: jsonString | jsonNumber, read: (*reader).offset},
	"sort":                 {shape: scalar, json: jsonString, read: (*reader).sort},
	"last_event_start_at":  {shape: scalar, json: jsonString, read: (*reader).cursorStart},
	"last_event_date_uuid": {shape: scalar, json: jsonString, read: (*reader).cursorUUID},
}

const (
	maxID     = 1<<31 - 1
	maxRadius = 1e9 // metres; the farthest point of the earth is 2e7 away, so this only keeps out nonsense

	maxOffset    = 10_000
	maxLimit     = 200
	defaultLimit = 20
)

func integers(low, high int, field func(*Query) *[]int) parameter {
	return parameter{shape: list, json: jsonString | jsonNumber, items: func(r *reader, items []string) {
		*field(&r.query) = r.integers(items, low, high)
	}}
}

func uuids(field func(*Query) *[]string) parameter {
	return parameter{shape: list, json: jsonString, items: func(r *reader, items []string) {
		*field(&r.query) = r.uuids(items)
	}}
}

func pattern(field func(*Query) **Pattern) parameter {
	return parameter{shape: scalar, json: jsonString, read: func(r *reader, text string) {
		*field(&r.query) = r.pattern(text)
	}}
}

func decimal(low, high float64, field func(*reader) *float64) parameter {
	return parameter{shape: scalar, json: jsonString | jsonNumber, read: func(r *reader, text string) {
		*field(r) = r.decimal(text, low, high)
	}}
}

// Operation is the set of parameters that one operation takes.
type Operation struct {
	names []string
	post  bool // it takes a POST, too
}

// The operations whose parameters this package reads. Events serves the event search and the type summary.
var (
	Events = Operation{names: sorted(allBut("name")...), post: true}
	Venues = operation("name", "city", "postal_code", "countries", "lon", "lat", "radius", "geolist_region",
		"org_uuids", "venue_uuids", "accessibility", "limit", "offset")
)

func operation(names ...string) Operation { return Operation{names: sorted(names...)} }

func sorted(names ...string) []string {
	slices.Sort(names)
	return names
}

func allBut(name string) []string {
	return slices.DeleteFunc(slices.Collect(maps.Keys(table)), func(known string) bool { return known == name })
}

// Names returns the names of the operation's parameters in alphabetical order.
func (o Operation) Names() []string { return slices.Clone(o.names) }

func (o Operation) takes(name string) bool {
	_, found := slices.BinarySearch(o.names, name)
	return found
}
