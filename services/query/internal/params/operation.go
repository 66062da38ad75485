package params

import (
	"maps"
	"net/url"
	"slices"

	"litfass/pkg/contracts/language"
)

// byOperation is the table by operation and name.
var byOperation = rowsByOperation()

// extended are the operations with the parameters of another one and rows of their own.
var extended = map[Operation]Operation{EventSearch: Events, EventFeeds: Events, VenueFeeds: Venues, Week: Events}

func rowsByOperation() map[Operation]map[string]parameter {
	rows := map[Operation]map[string]parameter{}
	for operation := Operation(1); operation&every != 0; operation <<= 1 {
		names := map[string]parameter{}
		for _, from := range []Operation{extended[operation], operation} {
			for _, row := range table {
				if row.of&from != 0 {
					names[row.name] = row
				}
			}
		}
		rows[operation] = names
	}
	return rows
}

// Names returns the names of the operation's parameters in alphabetical order.
func (o Operation) Names() []string { return slices.Sorted(maps.Keys(byOperation[o])) }

// FromURL reads the query string of a GET, still percent-encoded. today is the day that the word
// "today" means. The error is an Invalid fault that names every bad parameter, and for an unknown
// one a similar known name.
func (o Operation) FromURL(rawQuery string, today Day) (Query, error) {
	r := newReader(o, today, maxURLItems)
	return r.readAll(r.splitURL(rawQuery))
}

// FromJSON reads the body of a POST: an object with the same keys, lists as arrays. It returns the
// errors of FromURL; a body that is not a JSON object is named as the field "body".
func (o Operation) FromJSON(body []byte, today Day) (Query, error) {
	r := newReader(o, today, maxBodyItems)
	return r.readAll(r.splitJSON(body))
}

func newReader(o Operation, today Day, maxItems int) *reader {
	r := &reader{
		takes: byOperation[o], post: o&(searches|EventSearch) != 0, today: today, maxItems: maxItems,
		query: Query{Lang: language.Default, Langs: language.Codes, Limit: defaultLimit},
	}
	if o == Suggest {
		r.query.Limit = defaultSuggested
	}
	if o == AllLists {
		r.query.Limit = defaultLists
	}
	if o&changes != 0 {
		r.query.Limit, r.query.Kind = defaultChanges, KindDates
	}
	if o&(EventFeeds|VenueFeeds|Week) != 0 {
		r.query.Limit = 0
	}
	if o == Images {
		r.variant = url.Values{}
	}
	return r
}
