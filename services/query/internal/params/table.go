package params

// Operation is a set of public operations with parameters, usually of one.
type Operation uint

// The operations by their parameters.
const (
	Events              Operation = 1 << iota // the type summary, by GET and by POST, and what else selects dates
	EventSearch                               // the event search, by GET and by POST
	Facets                                    // the counts of the search, by GET and by POST
	Venues                                    // the venue search
	Organizations                             // the search of organizations, or of contributors, by name
	TypesByLang                               // the lookup of types and genres
	GenresOfType                              // the choosable genres
	StatesOf                                  // the choosable states
	GeoStates                                 // the states that have regions
	GeoRegions                                // the regions
	Images                                    // the images of events
	Suggest                                   // suggestions for a typed text
	EventFeeds                                // the event search as a feed
	VenueFeeds                                // the venue search as a feed
	Week                                      // seven days of the event search
	Changes                                   // the changes of dates, or of events
	VenueChanges                              // the changes of venues
	OrganizationChanges                       // the changes of organizations, contributors or series
	AllSeries                                 // the pages of series
	AllLists                                  // the pages of lists
	SeriesFeed                                // a series with its dates for search engines
	Named                                     // every other: nothing but the language of names

	every = 1<<iota - 1

	searches = Events | Facets
	filters  = searches | Changes    // what chooses dates, but for words
	ofVenues = Venues | VenueChanges // what chooses venues
	changes  = Changes | VenueChanges | OrganizationChanges
)

// shape is the format of a parameter's values.
type shape int

const (
	scalar shape = iota // one value
	tuple               // one value of parts separated by commas; a JSON array of the parts is read too
	list                // any number of values: separated by commas, repeated, or a JSON array
)

// parameter is a row of the table: the operations that take it, its format, and how it is read into
// a Query.
type parameter struct {
	name     string
	of       Operation
	shape    shape
	json     jsonKind                     // the JSON types it accepts, besides null
	read     func(r *reader, text string) // of scalar and tuple
	items    func(r *reader, items []string)
	required bool
}

// table holds every parameter of every operation. A name with several meanings has a row for each.
var table = []parameter{
	integers("categories", filters, 1, 6, func(q *Query) *[]int { return &q.Categories }),
	integers("event_types", filters, 1, maxID, func(q *Query) *[]int { return &q.EventTypes }),
	integers("genres", filters, 1, maxID, func(q *Query) *[]int { return &q.Genres }),

	integers("accessibility", filters|ofVenues, 0, 63, func(q *Query) *[]int { return &q.Accessibility }),
	integers("visitor_infos", filters, 0, 63, func(q *Query) *[]int { return &q.VisitorInfos }),

	uuids("org_uuids", filters|ofVenues, func(q *Query) *[]string { return &q.OrgUUIDs }),
	uuids("venue_uuids", filters|ofVenues, func(q *Query) *[]string { return &q.VenueUUIDs }),
	uuids("event_uuids", filters, func(q *Query) *[]string { return &q.EventUUIDs }),
	uuids("series_uuids", filters, func(q *Query) *[]string { return &q.SeriesUUIDs }),
	uuids("space_uuids", filters, func(q *Query) *[]string { return &q.SpaceUUIDs }),

	texts("tags", filters, (*reader).tags),
	texts("label", filters, (*reader).labels),
	texts("availability", filters, (*reader).availabilities),
	{name: "available", of: filters, shape: scalar, json: jsonBool | jsonString, read: (*reader).available},
	uuids("contributor", filters, func(q *Query) *[]string { return &q.Contributors }),
	texts("space_types", filters, (*reader).spaceTypes),
	texts("countries", filters|ofVenues, (*reader).countries),
	texts("languages", filters, (*reader).languages),
	texts("release_statuses", filters, (*reader).releaseStatuses),
	texts("price_types", filters, (*reader).priceTypes),
	texts("postal_code", filters|ofVenues, (*reader).postalCodes),

	pattern("title", filters, func(q *Query) **Pattern { return &q.Title }),
	pattern("venue", filters, func(q *Query) **Pattern { return &q.Venue }),
	pattern("name", ofVenues, func(q *Query) **Pattern { return &q.Name }),
	pattern("city", filters|ofVenues, func(q *Query) **Pattern { return &q.City }),
	text("search", searches, (*reader).search),

	text("start", filters, func(r *reader, s string) { r.query.Start = r.day(s) }),
	text("end", filters, func(r *reader, s string) { r.query.End = r.day(s) }),
	text("starts_before", filters, func(r *reader, s string) { r.query.StartsBefore = r.day(s) }),
	{name: "on", of: filters, shape: tuple, json: jsonString, read: (*reader).on},
	{name: "ongoing", of: filters, shape: scalar, json: jsonBool | jsonString, read: (*reader).ongoing},
	{name: "not_over", of: filters, shape: scalar, json: jsonBool | jsonString, read: (*reader).notOver},
	{name: "time", of: filters, shape: tuple, json: jsonString | jsonNumber, read: (*reader).time},

	{name: "age", of: filters, shape: tuple, json: jsonString | jsonNumber, read: (*reader).age},
	{name: "price", of: filters, shape: tuple, json: jsonString | jsonNumber, read: (*reader).price},

	decimal("lon", filters|ofVenues, -180, 180, func(r *reader) *float64 { return &r.circle.Lon }),
	decimal("lat", filters|ofVenues, -90, 90, func(r *reader) *float64 { return &r.circle.Lat }),
	decimal("radius", filters|ofVenues, 0, maxRadius, func(r *reader) *float64 { return &r.circle.Radius }),
	{name: "geolist_region", of: filters | ofVenues, shape: tuple, json: jsonString, read: (*reader).region},

	text("portal", filters|Venues|VenueFeeds|Organizations|Suggest|SeriesFeed, (*reader).portal),
	text("list", filters, (*reader).list),

	number("limit", searches|Venues|Organizations|AllSeries|AllLists, 1, maxLimit, func(q *Query) *int { return &q.Limit }),
	number("limit", EventFeeds|VenueFeeds, 1, maxFeedLimit, func(q *Query) *int { return &q.Limit }),
	{name: "bbox", of: VenueFeeds | VenueChanges, shape: tuple, json: jsonString | jsonNumber, read: (*reader).box},
	number("offset", searches|Venues|Organizations|AllSeries, 0, MaxOffset, func(q *Query) *int { return &q.Offset }),
	text("cursor", AllSeries|AllLists, (*reader).place),
	number("limit", changes, 1, maxChanges, func(q *Query) *int { return &q.Limit }),
	number("limit", Suggest, 1, maxSuggested, func(q *Query) *int { return &q.Limit }),
	{name: "q", of: Suggest, shape: scalar, json: jsonString, read: (*reader).typed, required: true},
	text("sort", searches, (*reader).sort),
	text("group", searches, (*reader).group),
	{name: "total", of: searches, shape: scalar, json: jsonBool | jsonString, read: (*reader).total},
	{name: "by", of: Facets, shape: list, json: jsonString, items: (*reader).by, required: true},
	{name: "facets", of: EventSearch, shape: list, json: jsonString, items: (*reader).by},
	text("last_event_start_at", searches, (*reader).cursorStart),
	text("last_event_date_uuid", searches, (*reader).cursorUUID),
	{name: "week_start", of: Week, shape: scalar, json: jsonString, read: (*reader).weekStart, required: true},

	variantText("width"), variantText("height"), variantText("ratio"), variantText("fit"), variantText("type"),
	variantText("quality"),
	text("mode", Images, func(*reader, string) {}), // of older clients; fit replaces it

	text("kind", changes, (*reader).kind),
	text("after", changes, (*reader).changesAfter),
	number("wait", changes, 0, maxWait, func(q *Query) *int { return &q.Wait }),

	text("lang", every&^TypesByLang, (*reader).lang),
	texts("lang", TypesByLang, (*reader).langs),
	{name: "search", of: Organizations, shape: scalar, json: jsonString, read: (*reader).part, required: true},
	number("event_type", GenresOfType, 1, maxID, func(q *Query) *int { return &q.EventType }),
	text("country", StatesOf, (*reader).country),
	text("country-code", StatesOf, (*reader).country),
	text("country", GeoStates|GeoRegions, func(r *reader, s string) { r.query.Country = s }),
	text("state", GeoRegions, func(r *reader, s string) { r.query.State = s }),
}

// MaxOffset is the number of entries that a page may skip, by its offset or by a cursor in the
// order of relevance.
const MaxOffset = 10_000

const (
	maxID     = 1<<31 - 1
	maxRadius = 1e9 // metres; the farthest point of the earth is 2e7 away, so this only rejects nonsense

	maxLimit     = 200
	maxFeedLimit = 1_000 // most feed readers cannot page
	defaultLimit = 20
	defaultLists = 100

	maxChanges     = 1_000
	defaultChanges = 200
	maxWait        = 30 // seconds

	maxSuggested     = 20
	defaultSuggested = 8
)

func integers(name string, of Operation, low, high int, field func(*Query) *[]int) parameter {
	read := func(r *reader, items []string) { *field(&r.query) = r.integers(items, low, high) }
	return parameter{name: name, of: of, shape: list, json: jsonString | jsonNumber, items: read}
}

func uuids(name string, of Operation, field func(*Query) *[]string) parameter {
	return texts(name, of, func(r *reader, items []string) { *field(&r.query) = r.uuids(items) })
}

func texts(name string, of Operation, read func(r *reader, items []string)) parameter {
	return parameter{name: name, of: of, shape: list, json: jsonString, items: read}
}

func pattern(name string, of Operation, field func(*Query) **Pattern) parameter {
	return text(name, of, func(r *reader, text string) { *field(&r.query) = r.pattern(text) })
}

func text(name string, of Operation, read func(r *reader, text string)) parameter {
	return parameter{name: name, of: of, shape: scalar, json: jsonString, read: read}
}

// variantText is a parameter that imaging.Parse reads, once all are there.
func variantText(name string) parameter {
	return text(name, Images, func(r *reader, text string) { r.variant.Set(name, text) })
}

func number(name string, of Operation, low, high int, field func(*Query) *int) parameter {
	read := func(r *reader, text string) { *field(&r.query) = r.number(text, low, high) }
	return parameter{name: name, of: of, shape: scalar, json: jsonString | jsonNumber, read: read}
}

func decimal(name string, of Operation, low, high float64, field func(*reader) *float64) parameter {
	read := func(r *reader, text string) { *field(r) = r.decimal(text, low, high) }
	return parameter{name: name, of: of, shape: scalar, json: jsonString | jsonNumber, read: read}
}
