package llm

// tool is a row of the table of tools: an operation of the public API under a name of its own.
type tool struct {
	name, title string
	operation   string // operationId of the description
	// described is where the parameters are described in words, if not at the operation: the bodies of
	// searches refer to the parameters of the same search by GET.
	described   string
	description string
}

// tools lists all tools. Their parameters and answers are those of their operations, as the
// description has them.
var tools = []tool{
	{
		name: "search_events", title: "Search for events", operation: "postEvents", described: "getEvents",
		description: "Finds dates of cultural events: concerts, theatre, exhibitions, festivals, markets and so on. " +
			"All parameters narrow the result. Pass start=today for dates from today on; without start, past dates are found too. " +
			"Pass group=event for one entry per event instead of one per date, and total=true for the number of all that match. " +
			"For the next page repeat the call with last_event_start_at and last_event_date_uuid of the answer before. " +
			"An answer without events has hints: filters to leave out, and another spelling.",
	},
	{
		name: "count_events", title: "Count events by city, kind, day and so on", operation: "postEventsFacets", described: "getEventsFacets",
		description: "Counts the dates that search_events finds with the same parameters, by the values of each dimension in by, " +
			"such as city, categories, event_types, tags, venue_uuids or day. Values can be passed to search_events as they are. " +
			"Use it to see what there is before searching, or to answer how many.",
	},
	{
		name: "get_event", title: "Read an event", operation: "getEvent",
		description: "Returns a whole event by its uuid: description, organization, contributors, prices, links, images and all its dates.",
	},
	{
		name: "search_venues", title: "Search for venues", operation: "getVenues",
		description: "Finds venues by name, city, postal code, country or distance from a point. " +
			"The uuid of a venue can be passed to search_events as an item of venue_uuids.",
	},
	{
		name: "get_venue", title: "Read a venue", operation: "getVenue",
		description: "Returns a venue by its uuid: address, opening hours, accessibility and spaces.",
	},
	{
		name: "search_organizations", title: "Search for organizations", operation: "getOrganizations",
		description: "Finds organizations, which run events, by a part of their name. " +
			"The uuid of one can be passed to search_events as an item of org_uuids.",
	},
	{
		name: "get_organization", title: "Read an organization", operation: "getOrganization",
		description: "Returns an organization by its uuid: description, address and contact.",
	},
	{
		name: "search_contributors", title: "Search for performers and other contributors", operation: "getContributors",
		description: "Finds the persons and groups that take part in events, by a part of their name. " +
			"The uuid of one can be passed to search_events as an item of contributor.",
	},
	{
		name: "get_contributor", title: "Read a contributor", operation: "getContributor",
		description: "Returns a person or group that takes part in events by its uuid: name, description, link and Wikidata id.",
	},
	{
		name: "list_series", title: "List festivals and other series", operation: "getAllSeries",
		description: "Returns festivals, runs and programmes, to which events of several organizations may belong, by title. " +
			"The uuid of one, or of one of its parts, can be passed to search_events as an item of series_uuids.",
	},
	{
		name: "get_series", title: "Read a series", operation: "getSeries",
		description: "Returns a festival, run or programme by its slug or uuid: description, days, and its parts, which are stages or days.",
	},
	{
		name: "suggest", title: "Complete a name", operation: "getSuggest",
		description: "Finds the events, venues, cities, tags, organizations and contributors with dates to come that a few typed words may mean, " +
			"forgiving typos, each with the parameters of search_events that select it. Use it when a name is uncertain.",
	},
	{
		name: "list_event_types", title: "List types and genres of events", operation: "getEventTypeGenreLookup",
		description: "Returns the ids and names of all types and genres, which search_events takes as event_types and genres.",
	},
	{
		name: "list_regions", title: "List regions", operation: "getGeolistRegions",
		description: "Returns the regions that search_events and search_venues take as geolist_region.",
	},
}
