package venue

import (
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/page"
)

// Query selects venues where the person may place events.
type Query struct {
	Words  string     // of the name and the address
	Near   *geo.Point // nil: anywhere
	Org    string     // whose venues come first
	Offset int
	Limit  int
}

// maxOffset is the highest offset that a search takes.
const maxOffset = 1_000_000

// ParseQuery reads a search from the query of an address. An invalid point is ignored.
func ParseQuery(query url.Values, org string, limit int) Query {
	q := Query{Words: strings.TrimSpace(query.Get("search")), Org: org, Limit: limit}
	q.Near = geo.ParsePoint(query.Get("lat"), query.Get("lon"))
	if offset, err := strconv.Atoi(query.Get("offset")); err == nil {
		q.Offset = min(max(offset, 0), maxOffset)
	}
	return q
}

// Values are the parameters of the search, which the console and the API name alike.
func (q Query) Values() url.Values {
	values := url.Values{}
	if q.Words != "" {
		values.Set("search", q.Words)
	}
	if q.Near != nil {
		values.Set("lat", geo.FormatDegrees(q.Near.Lat))
		values.Set("lon", geo.FormatDegrees(q.Near.Lon))
	}
	if q.Offset > 0 {
		values.Set("offset", strconv.Itoa(q.Offset))
	}
	return values
}

// Search returns a page of the venues that a query selects.
func Search(r *page.Request, q Query) (adminapi.FoundVenues, error) {
	values := q.Values()
	values.Set("limit", strconv.Itoa(q.Limit))
	if q.Org != "" {
		values.Set("org_uuid", q.Org)
	}
	return r.Admin().FindVenues(values)
}

// maxCandidates is how many venues of a name are read to find a certain one.
const maxCandidates = 100

// Choosable returns a venue by its uuid with its address and spaces; nil when the person may not
// choose it for events of an organization. The search knows no uuids, so it needs the name.
func Choosable(r *page.Request, org, uuid, name string) *adminapi.FoundVenue {
	found, err := Search(r, Query{Words: name, Org: org, Limit: maxCandidates})
	if err != nil {
		return nil
	}
	for i := range found.Venues {
		if found.Venues[i].UUID == uuid {
			return &found.Venues[i]
		}
	}
	return nil
}

// Address returns the address of a venue in one line; "" for none.
func Address(v adminapi.FoundVenue) string {
	return geo.AddressLine(string(v.Street), string(v.HouseNumber), string(v.PostalCode), string(v.City))
}
