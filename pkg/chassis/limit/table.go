package limit

import (
	"strings"
	"time"
)

// Row is a line of the table of limits. Each operation that it applies to has a count of its own
// for each client.
type Row struct {
	// Operation is a method and a route, such as "GET /api/event/:uuid". A star as the method
	// stands for every method, and one at the end of the route for every route that begins so.
	// HEAD counts as GET. Of several rows the one with the longest route applies. A status in place
	// of the method means the requests that are answered with it, see Failures.
	Operation string
	// Most is how many requests are let through in any time of the length Window. 0 means no limit.
	Most   int
	Window time.Duration
	// SetBy names the variables of a limit that the admin service counts in the database, for each
	// account too, and which LIMITS cannot change.
	SetBy string
}

// Table are the limits of all operations, as far as LIMITS does not override them. The first seven
// are those of RULES.md, Limits; there POST /api/events means the search by body and the creation
// of an event, and PUT /api/venues/:id the update of a venue.
var Table = []Row{
	{Operation: "GET /api/events", Most: 60, Window: time.Minute},
	{Operation: "POST /api/events", Most: 30, Window: time.Minute},
	{Operation: "POST /api/admin/event/create", Most: 30, Window: time.Minute},
	{Operation: "GET /api/venues", Most: 100, Window: time.Minute},
	{Operation: "PUT /api/admin/venue/:venueId", Most: 20, Window: time.Minute},
	{Operation: "POST /api/login", Most: 5, Window: 5 * time.Minute, SetBy: "LOGIN_ATTEMPTS and LOGIN_WINDOW"},
	{Operation: "POST /api/signup", Most: 10, Window: 10 * time.Minute, SetBy: "SIGNUP_ATTEMPTS and SIGNUP_WINDOW"},

	{Operation: "GET /api/events.*", Most: 60, Window: time.Minute}, // its feeds
	{Operation: "GET /api/venues.geojson", Most: 100, Window: time.Minute},
	{Operation: "GET /api/events/type-summary", Most: 60, Window: time.Minute},
	{Operation: "POST /api/events/type-summary", Most: 30, Window: time.Minute},
	{Operation: "GET /api/suggest", Most: 300, Window: time.Minute}, // while a visitor types
	{Operation: "GET /api/events/facets", Most: 60, Window: time.Minute},
	{Operation: "POST /api/events/facets", Most: 30, Window: time.Minute},
	{Operation: "GET /api/image/*", Most: 600, Window: time.Minute},   // a page shows dozens of them
	{Operation: "GET /api/preview/*", Most: 600, Window: time.Minute}, // an event and its images
	{Operation: "GET /api/user/*", Most: 600, Window: time.Minute},    // avatars
	{Operation: "GET /api/*", Most: 120, Window: time.Minute},
	{Operation: "* /api/*", Most: 30, Window: time.Minute},
	{Operation: "GET /sitemap*", Most: 60, Window: time.Minute}, // long files
	{Operation: "GET /oembed", Most: 120, Window: time.Minute},
	{Operation: "GET /*", Most: 300, Window: time.Minute}, // pages of the site
	{Operation: "POST /*", Most: 30, Window: time.Minute}, // forms of the site
	// The console counts addresses, which the people of an office share; admin counts each of them.
	{Operation: "GET /console/*", Most: 1200, Window: time.Minute},
	{Operation: "* /console/*", Most: 600, Window: time.Minute},

	{Operation: "POST /api/admin/refresh", Most: 60, Window: time.Minute},                             // for each address
	{Operation: "POST /api/admin/organization/:organizationId/import", Most: 10, Window: time.Minute}, // each of many events
	{Operation: "GET /api/admin/*", Most: 300, Window: time.Minute},
	{Operation: "* /api/admin/*", Most: 120, Window: time.Minute},
	{Operation: Unauthenticated, Most: 60, Window: time.Minute},
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

// rank is negative for a row that does not apply, and greater the more closely a row describes the
// operation: by the length of its route, then by naming the method.
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
