package publicapi

import "litfass/pkg/contracts/value"

// Events is the data of the event search (RULES.md, Responses). The cursor is null when there are
// no entries.
type Events struct {
	Events            []Listed   `json:"events"`
	LastEventDateUUID value.Text `json:"last_event_date_uuid"`
	LastEventStartAt  value.Text `json:"last_event_start_at"`
	// Total is the number of dates on all pages, with group=event of events, where total=true asked
	// for it.
	Total *int `json:"total_event_count,omitempty"`
	// Hints is there when nothing was found from the first entry on.
	Hints *Hints `json:"hints,omitempty"`
	// Facets are there where the parameter facets asked for them.
	Facets *Facets `json:"facets,omitempty"`
}

// Listed is one entry of a page of the event search.
type Listed struct {
	SearchRank int `json:"search_rank"`
	// DateCount is how many dates of the event match, with group=event; else absent.
	DateCount int `json:"date_count,omitempty"`
	Entry
}

// Hints suggest changes to a search that found nothing.
type Hints struct {
	// Without says for single filters how many would be found without them, the most first.
	// Those without which nothing would be found either are left out.
	Without []Relaxed `json:"without"`
	// Search is a spelling of the words that finds something with the same filters; null when there
	// is none.
	Search value.Text `json:"search"`
}

// Relaxed is how much would be found without one filter, by the parameters that it is made of: lon,
// lat and radius are one filter.
type Relaxed struct {
	Parameters []string `json:"parameters"`
	Count      int      `json:"count"`
}

// Facets is the data of GET|POST /api/events/facets: for each dimension asked for, how many dates
// match with each of its values. The counts of a dimension leave out the filter of that dimension
// itself. With group=event all of them count events.
type Facets struct {
	Total  int                `json:"total"` // of dates or events, with all filters
	Facets map[string][]Facet `json:"facets"`
}

// Facet is one value of a dimension, as the search's parameter takes it.
type Facet struct {
	Value string `json:"value"`
	Name  string `json:"name,omitempty"` // in the asked language, where the value is an id
	Count int    `json:"count"`
}

// The kinds of suggestions.
const (
	SuggestedEvent        = "event"
	SuggestedVenue        = "venue"
	SuggestedOrganization = "organization"
	SuggestedCity         = "city"
	SuggestedTag          = "tag"
	SuggestedContributor  = "contributor"
)

// Suggestions is the data of GET /api/suggest, the best first.
type Suggestions struct {
	Suggestions []Suggestion `json:"suggestions"`
}

// Suggestion completes what a visitor types. Filter holds the parameters of the event search that
// it stands for.
type Suggestion struct {
	Kind   string            `json:"kind"`
	Text   string            `json:"text"`
	Detail string            `json:"detail"` // such as the city of a venue; "" for none
	UUID   value.Text        `json:"uuid"`   // of the venue, organization, contributor or event; several events of one name have none
	Filter map[string]string `json:"filter"`
	// Count is the number of events that this search finds of what is not over.
	Count int `json:"count"`
}
