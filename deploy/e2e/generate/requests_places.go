package generate

import (
	"fmt"

	"litfass/deploy/e2e/model"
	"litfass/deploy/e2e/reference"
)

// object returns a value by the keys of its JSON.
func object(value any) model.Object { return model.Plain(value).(model.Object) }

// organizationFields returns fields of an organization. Its name ends with a number of its own.
func (q *Requests) organizationFields() model.Object {
	q.names++
	o := object(q.organization(q.names))
	o["description"], o["contact_email"], o["nonprofit"] = q.text(), "post@example.org", q.chance(50)
	return o
}

func (q *Requests) newOrganization(*model.Person) (model.Request, bool) {
	body := q.organizationFields()
	delete(body, "uuid")
	return model.Request{Do: "PUT /organization", Body: body}, true
}

func (q *Requests) changedOrganization(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Organization, "PUT /organization/:organizationId")
	if e == nil {
		return r, false
	}
	r.Body = q.groups(q.organizationFields(), []string{"name"}, []string{"web_link", "city", "country"},
		[]string{"description"}, []string{"contact_email", "nonprofit"}, []string{"contact_phone"})
	if q.chance(15) {
		r.Body["holding_org_uuid"] = q.home(who)
		if r.Body["holding_org_uuid"] == e.UUID() {
			r.Body["holding_org_uuid"] = nil
		}
	}
	return r, true
}

func (q *Requests) deletedOrganization(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Organization, "DELETE /organization/:organizationId")
	for _, o := range q.Organizations[:q.kept] {
		if e == nil || o.UUID == e.UUID() {
			return r, false
		}
	}
	return q.confirmed(r, who), true
}

func (q *Requests) venueFields() model.Object {
	v := object(q.venue(&reference.Organization{}))
	v["summary"], v["opened_at"], v["opening_hours"] = q.text(), "1900-01-01", "Mo–Fr\n10–18"
	if v["hours"] = nil; q.chance(50) {
		v["hours"] = model.Plain(object(&reference.Date{Hours: q.hours("2026-11-20")})["hours"])
	}
	v["use"] = []string{"open", "ask", "closed"}[q.between(0, 2)]
	return v
}

func (q *Requests) newVenue(who *model.Person) (model.Request, bool) {
	body := q.venueFields()
	delete(body, "uuid")
	body["org_uuid"] = q.home(who)
	return model.Request{Do: "PUT /venue", Body: body}, true
}

func (q *Requests) changedVenue(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Venue, "PUT /venue/:venueId")
	if e == nil {
		return r, false
	}
	r.Body = q.groups(q.venueFields(), []string{"name"}, []string{"street", "house_number"},
		[]string{"postal_code", "city", "state", "country", "timezone"}, []string{"lat", "lon"},
		[]string{"accessibility_flags"}, []string{"summary", "opened_at", "opening_hours"}, []string{"hours"}, []string{"use"}, []string{"wikidata_id", "osm_id"})
	if q.chance(15) {
		r.Body["org_uuid"] = q.home(who)
	}
	return r, true
}

// deletedVenue keeps the last venue: events are drawn at one of the venues.
func (q *Requests) deletedVenue(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Venue, "DELETE /venue/:venueId")
	return q.confirmed(r, who), e != nil && len(q.Venues) > 1
}

func (q *Requests) spaceFields() model.Object {
	s := object(q.space(&reference.Venue{}))
	s["description"], s["total_capacity"], s["building_level"] = q.text(), float64(q.between(0, 500)), -1.0
	return s
}

func (q *Requests) newSpace(who *model.Person) (model.Request, bool) {
	venue := q.target(who, model.Venue)
	if venue == nil {
		return model.Request{}, false
	}
	body := q.spaceFields()
	delete(body, "uuid")
	body["venue_uuid"] = venue.UUID()
	return model.Request{Do: "PUT /space", Body: body}, true
}

func (q *Requests) changedSpace(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Space, "PUT /space/:spaceId")
	if e == nil {
		return r, false
	}
	r.Body = q.groups(q.spaceFields(), []string{"name"}, []string{"space_type"}, []string{"accessibility_flags"},
		[]string{"description", "total_capacity", "building_level"})
	if venue := q.target(who, model.Venue); venue != nil && q.chance(20) {
		r.Body["venue_uuid"] = venue.UUID()
	}
	return r, true
}

func (q *Requests) deletedSpace(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Space, "DELETE /space/:spaceId")
	return q.confirmed(r, who), e != nil
}

// placed returns the place of an event or date, in percent of a hundred cases: a venue that the
// person mostly sees, often with one of its spaces.
func (q *Requests) placed(who *model.Person, percent int) (venue, space any) {
	at := q.target(who, model.Venue)
	if all := q.world.Of(model.Venue, ""); q.chance(15) { // also of those whom the person does not know
		at = pick(q.random, all)
	}
	if at == nil || !q.chance(percent) {
		return nil, nil
	}
	if spaces := q.spacesOf[at.UUID()]; len(spaces) > 0 && q.chance(75) {
		return at.UUID(), pick(q.random, spaces).UUID
	}
	if len(q.Spaces) > 0 && q.chance(3) {
		return at.UUID(), pick(q.random, q.Spaces).UUID
	}
	return at.UUID(), nil
}

// address returns the address of a link.
func (q *Requests) address() string {
	return fmt.Sprintf("https://example.org/%d?a=1&b=2", q.IntN(1000))
}
