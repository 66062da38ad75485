package place

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

const (
	// pageOfFound is how many venues one page of a search shows.
	pageOfFound = 20
	// mostFound is how many are read to find one that is known.
	mostFound = 100
)

// question is what is searched for.
type question struct {
	Words  string // of the name and the address
	Near   *point // nil: anywhere
	Org    string // whose venues come first
	Offset int
	limit  int
}

// questionOf reads a search from the query of the address. What is no point is none.
func questionOf(query url.Values, org string) question {
	q := question{Words: strings.TrimSpace(query.Get("search")), Org: org, limit: pageOfFound}
	q.Near = pointOf(query.Get("lat"), query.Get("lon"))
	if offset, err := strconv.Atoi(query.Get("offset")); err == nil {
		q.Offset = min(max(offset, 0), 1_000_000)
	}
	return q
}

// values are the parameters of the search, as the console and the API name them.
func (q question) values() url.Values {
	values := url.Values{}
	if q.Words != "" {
		values.Set("search", q.Words)
	}
	if q.Near != nil {
		values.Set("lat", degrees(q.Near.Lat))
		values.Set("lon", degrees(q.Near.Lon))
	}
	if q.Offset > 0 {
		values.Set("offset", strconv.Itoa(q.Offset))
	}
	return values
}

// search returns the venues where the person may place events.
func search(r *page.Request, q question) (found adminapi.FoundVenues, err error) {
	values := q.values()
	values.Set("limit", strconv.Itoa(q.limit))
	if q.Org != "" {
		values.Set("org_uuid", q.Org)
	}
	_, err = r.Get("/api/admin/venues", values, &found)
	return found, err
}

// find shows the venues that a search finds, for an event that is looking for one.
func (p pages) find(r *page.Request) error {
	e, err := readToEdit(r)
	if err != nil {
		return err
	}
	s := shownOf(r, e, r.Rights(e.OrgUUID))
	s.asked = questionOf(r.Query, s.event.OrgUUID)
	s.choice.Base = cmp.Or(r.Query.Get("base"), s.choice.Base)
	found, err := search(r, s.asked)
	if err != nil && !fault.Is(err, fault.Invalid) { // words without a letter or digit find nothing
		return err
	}
	s.found = &found
	if r.Script {
		return r.ShowPart(results(s))
	}
	return r.Show(view.Page{Title: r.Text.T("place.find"), Section: s.event.OrgUUID, Content: finderPage(s)})
}

// readEvent reads the event of the path, and its ETag.
func readEvent(r *page.Request) (e adminapi.Event, tag string, err error) {
	uuid, err := r.UUID("uuid")
	if err != nil {
		return e, "", err
	}
	tag, err = r.Get("/api/admin/event/"+uuid, nil, &e)
	return e, tag, err
}

// readToEdit reads the event of the path. The error is Forbidden for people who may not edit it.
func readToEdit(r *page.Request) (adminapi.Event, error) {
	e, _, err := readEvent(r)
	if err != nil {
		return e, err
	}
	return e, r.Require(e.OrgUUID, permission.EditEvent)
}

// mayAdd reports whether the person may add a venue to any organization.
func (s shown) mayAdd() bool {
	_, err := s.Allowed(permission.AddVenue, s.event.OrgUUID)
	return err == nil
}

// at returns the address of the search from another point, or of another page of it. It names what
// the person has seen as the place of the event, which others may have changed since.
func (s shown) at(q question) string {
	query := q.values()
	query.Set("base", s.choice.Base)
	return s.address("") + "?" + query.Encode()
}

// near returns the search around a venue.
func (s shown) near(v adminapi.FoundVenue) string {
	return s.at(question{Near: &point{*v.Lat, *v.Lon}})
}

// chart returns the map of the venues that were found; nil when none has a point.
func (s shown) chart() *chart {
	var marks []mark
	for _, v := range s.found.Venues {
		if v.Lat != nil && v.Lon != nil {
			marks = append(marks, mark{point{*v.Lat, *v.Lon}, v.Name, "#found-" + v.UUID})
		}
	}
	return chartOf(marks, s.asked.Near, s.Tiles())
}
