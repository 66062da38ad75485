package venue

import (
	"net/url"
	"slices"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/geo"
)

// maxSimilar is how many venues that may be the same are shown.
const maxSimilar = 8

// findSimilar reads the venues that may be the one to add: venues near its point or at its address
// with a similar name, and venues of its name in its city. Failed reads are ignored.
func (d *draft) findSimilar() {
	choosable := d.choosable()
	query := url.Values{"name": {d.text("name")}}
	for _, key := range []string{"street", "house_number", "postal_code", "city"} {
		if text := d.text(key); text != "" {
			query.Set(key, text)
		}
	}
	if at := d.point(); at != nil {
		query.Set("lat", geo.FormatDegrees(at.Lat))
		query.Set("lon", geo.FormatDegrees(at.Lon))
	}
	if near, err := d.Admin().SimilarVenues(query); err == nil {
		for _, v := range near.Venues {
			d.similar = append(d.similar, candidate{
				UUID: v.UUID, Name: v.Name, OrgName: v.OrgName, Distance: v.Distance,
				Address: geo.AddressLine(string(v.Street), string(v.HouseNumber), string(v.PostalCode), string(v.City)),
			})
		}
	}
	for _, v := range choosable {
		if !slices.ContainsFunc(d.similar, func(c candidate) bool { return c.UUID == v.UUID }) {
			d.similar = append(d.similar, candidate{UUID: v.UUID, Name: v.Name, OrgName: v.OrgName, Address: Address(v)})
		}
	}
	d.similar = d.similar[:min(len(d.similar), maxSimilar)]
	for i := range d.similar {
		d.similar[i].Choosable = d.event != nil && d.mayChoose(d.similar[i], choosable)
	}
}

// choosable returns the venues of that name, and in that city where one is given, which the person
// may choose.
func (d *draft) choosable() []adminapi.FoundVenue {
	words := d.text("name")
	if city := d.text("city"); city != "" {
		words += " " + city
	}
	found, err := Search(d.Request, Query{Words: words, Org: d.orgOfEvent(), Limit: maxSimilar})
	if err != nil {
		return nil
	}
	return found.Venues
}

func (d *draft) orgOfEvent() string {
	if d.event == nil {
		return ""
	}
	return d.event.OrgUUID
}

// mayChoose reports whether the person may place the event there: whether a search for its name
// finds it.
func (d *draft) mayChoose(c candidate, known []adminapi.FoundVenue) bool {
	same := func(v adminapi.FoundVenue) bool { return v.UUID == c.UUID && !v.Asks }
	if slices.ContainsFunc(known, same) {
		return true
	}
	found, err := Search(d.Request, Query{Words: c.Name, Org: d.orgOfEvent(), Limit: maxCandidates})
	return err == nil && slices.ContainsFunc(found.Venues, same)
}
