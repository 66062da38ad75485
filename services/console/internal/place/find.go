package place

import (
	"cmp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/venue"
	"litfass/services/console/internal/view"
)

// pageOfFound is how many venues one page of a search shows.
const pageOfFound = 20

// find shows the venues that a search finds, for an event that is looking for one.
func (p pages) find(r *page.Request) error {
	e, _, err := r.EventFor(permission.EditEvent)
	if err != nil {
		return err
	}
	s := viewOf(r, e, r.RightsTo(e))
	s.asked = venue.ParseQuery(r.Query, s.event.OrgUUID, pageOfFound)
	s.choice.Base = cmp.Or(r.Query.Get("base"), s.choice.Base)
	found, err := venue.Search(r, s.asked)
	if err != nil && !fault.Is(err, fault.Invalid) { // words without a letter or digit find nothing
		return err
	}
	s.found = &found
	s.readRequests()
	if r.Script {
		return r.ShowPart(results(s))
	}
	return r.Show(view.Page{Title: r.Text.T("place.find"), Section: s.event.OrgUUID, Content: finderPage(s)})
}

// mayAdd reports whether the person may add a venue to any organization.
func (s sectionView) mayAdd() bool {
	_, err := s.Allowed(permission.AddVenue, s.event.OrgUUID)
	return err == nil
}

// at returns the address of the search from another point, or of another page of it. It has the
// digest of the place that the person has seen, which others may have changed since.
func (s sectionView) at(q venue.Query) string {
	query := q.Values()
	query.Set("base", s.choice.Base)
	return s.address("") + "?" + query.Encode()
}

// near returns the search around a venue.
func (s sectionView) near(v adminapi.FoundVenue) string {
	return s.at(venue.Query{Near: &geo.Point{Lat: *v.Lat, Lon: *v.Lon}})
}

// chart returns the map of the venues that were found; nil when none has a point.
func (s sectionView) chart() *geo.Map {
	var marks []geo.Mark
	for _, v := range s.found.Venues {
		if v.Lat != nil && v.Lon != nil {
			marks = append(marks, geo.Mark{
				Point: geo.Point{Lat: *v.Lat, Lon: *v.Lon}, Name: v.Name, Link: "#found-" + v.UUID,
			})
		}
	}
	return geo.NewMap(marks, s.asked.Near, s.Tiles())
}
