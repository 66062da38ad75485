package venue

import (
	"net/url"
	"slices"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/page"
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
				UUID: v.UUID, Name: v.Name, OrgName: v.OrgName, OrgUUID: v.OrgUUID, Distance: v.Distance,
				Address: geo.AddressLine(string(v.Street), string(v.HouseNumber), string(v.PostalCode), string(v.City)),
			})
		}
	}
	for _, v := range choosable {
		if !slices.ContainsFunc(d.similar, func(c candidate) bool { return c.UUID == v.UUID }) {
			d.similar = append(d.similar, candidate{
				UUID: v.UUID, Name: v.Name, OrgName: v.OrgName, OrgUUID: v.OrgUUID, Address: Address(v),
			})
		}
	}
	d.similar = d.similar[:min(len(d.similar), maxSimilar)]
	for i := range d.similar {
		d.findUse(&d.similar[i], choosable)
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
	switch {
	case d.event != nil:
		return d.event.OrgUUID
	case d.first:
		return d.text("org_uuid")
	default:
		return ""
	}
}

// findUse finds out whether the person may place the event there, or ask for that: whether a search
// for its name finds it.
func (d *draft) findUse(c *candidate, known []adminapi.FoundVenue) {
	if d.event == nil && !d.first {
		return
	}
	same := func(v adminapi.FoundVenue) bool { return v.UUID == c.UUID }
	i := slices.IndexFunc(known, same)
	if i < 0 {
		found, err := Search(d.Request, Query{Words: c.Name, Org: d.orgOfEvent(), Limit: maxCandidates})
		if err != nil {
			return
		}
		known, i = found.Venues, slices.IndexFunc(found.Venues, same)
	}
	if i >= 0 {
		c.Choosable, c.Asks = !known[i].Asks, known[i].Asks
	}
}

// pathOf returns the page of a candidate: in the console for members of its organization, else the
// one that visitors see.
func (d *draft) pathOf(c candidate) string {
	if d.Rights(c.OrgUUID) != 0 {
		return Path(c.UUID)
	}
	return "/venue/" + url.PathEscape(c.UUID)
}

// askPath is the search of the event's page for a candidate, where it can be asked for.
func (d *draft) askPath(c candidate) string {
	return page.EventPath(d.event.UUID) + "/place?" + url.Values{"search": {c.Name}}.Encode()
}
