package limit

import (
	"strings"
	"time"
)

// Row is a row of the table of limits. Each operation that it applies to has a separate count for
// each client.
type Row struct {
	// Operation is a method and a route, such as "GET /api/event/:uuid". A star as the method
	// matches every method, and one at the end of the route every route with that prefix. HEAD
	// counts as GET. Of several rows the one with the longest route applies. A status instead of
	// the method matches the requests that are answered with it, see Failures.
	Operation string
	// Max is the number of requests in any time of the length Window; 0 means no limit.
	Max    int
	Window time.Duration
	// SetBy names the variables of a limit that admin counts in the database, also for each account.
	// LIMITS cannot change it.
	SetBy string
}

// Table holds the limits of all operations, unless LIMITS overrides them. The first seven are those
// of RULES.md, Limits; there POST /api/events means the search by body and the creation of an
// event, and PUT /api/venues/:id the update of a venue.
var Table = []Row{
	{Operation: "GET /api/events", Max: 60, Window: time.Minute},
	{Operation: "POST /api/events", Max: 30, Window: time.Minute},
	{Operation: "POST /api/admin/event/create", Max: 30, Window: time.Minute},
	{Operation: "GET /api/venues", Max: 100, Window: time.Minute},
	{Operation: "PUT /api/admin/venue/:venueId", Max: 20, Window: time.Minute},
	{Operation: "POST /api/login", Max: 5, Window: 5 * time.Minute, SetBy: "LOGIN_ATTEMPTS and LOGIN_WINDOW"},
	{Operation: "POST /api/signup", Max: 10, Window: 10 * time.Minute, SetBy: "SIGNUP_ATTEMPTS and SIGNUP_WINDOW"},

	{Operation: "GET /api/events.*", Max: 60, Window: time.Minute}, // its feeds
	{Operation: "GET /api/venues.geojson", Max: 100, Window: time.Minute},
	{Operation: "GET /api/events/type-summary", Max: 60, Window: time.Minute},
	{Operation: "POST /api/events/type-summary", Max: 30, Window: time.Minute},
	{Operation: "GET /api/changes", Max: 60, Window: time.Minute},  // each looks at many changes
	{Operation: "GET /api/suggest", Max: 300, Window: time.Minute}, // while a visitor types
	{Operation: "GET /api/events/facets", Max: 60, Window: time.Minute},
	{Operation: "POST /api/events/facets", Max: 30, Window: time.Minute},
	{Operation: "GET /api/image/*", Max: 600, Window: time.Minute},   // a page shows dozens of them
	{Operation: "GET /api/preview/*", Max: 600, Window: time.Minute}, // an event and its images
	{Operation: "GET /api/user/*", Max: 600, Window: time.Minute},    // avatars
	{Operation: "GET /api/*", Max: 120, Window: time.Minute},
	{Operation: "* /api/*", Max: 30, Window: time.Minute},
	{Operation: "GET /sitemap*", Max: 60, Window: time.Minute}, // long files
	{Operation: "GET /oembed", Max: 120, Window: time.Minute},
	{Operation: "POST /mcp", Max: 120, Window: time.Minute}, // messages; what they ask counts as well
	{Operation: "GET /*", Max: 300, Window: time.Minute},    // pages of the site
	{Operation: "POST /*", Max: 30, Window: time.Minute},    // forms of the site
	// The console counts addresses, which the people of an office share; admin counts each of them.
	{Operation: "GET /console/*", Max: 1200, Window: time.Minute},
	{Operation: "* /console/*", Max: 600, Window: time.Minute},

	{Operation: "POST /api/admin/refresh", Max: 60, Window: time.Minute},                             // for each address
	{Operation: "PUT /api/admin/date/:dateId/availability", Max: 6_000, Window: time.Minute},         // each ticket of a box office
	{Operation: "POST /api/admin/organization/:organizationId/import", Max: 10, Window: time.Minute}, // each of many events
	{Operation: "GET /api/admin/*", Max: 300, Window: time.Minute},
	{Operation: "* /api/admin/*", Max: 120, Window: time.Minute},
	{Operation: Unauthenticated, Max: 60, Window: time.Minute},
}

// Unauthenticated is the row of admin requests without a valid token or API key, for each address.
const Unauthenticated = "401 /api/admin/*"

const anyMethod = "*"

// rowFor returns the row of the table that applies to an operation; ok is false when there is none.
func rowFor(table []Row, method, route string) (row Row, ok bool) {
	best := -1
	for _, candidate := range table {
		if rank := candidate.rank(method, route); rank > best {
			row, best = candidate, rank
		}
	}
	return row, best >= 0
}

// rank is negative for a row that does not apply, and greater for a more specific one: with a
// longer route, then with the method.
func (r Row) rank(method, route string) int {
	rowMethod, rowRoute, _ := strings.Cut(r.Operation, " ")
	if rowMethod != anyMethod && rowMethod != method {
		return -1
	}
	begin, open := strings.CutSuffix(rowRoute, "*")
	if open && !strings.HasPrefix(route, begin) || !open && rowRoute != route {
		return -1
	}
	rank := 4 * len(begin)
	if !open {
		rank += 2
	}
	if rowMethod != anyMethod {
		rank++
	}
	return rank
}
