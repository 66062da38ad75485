package generate

import "litfass/deploy/e2e/model"

// soldDate states the availability of a date, as a box office does.
func (q *Requests) soldDate(who *model.Person) (model.Request, bool) {
	r, e := q.aboutOneWith(who, model.Sell, "dates")
	if e == nil {
		return r, false
	}
	r.IfMatch = "" // that of the availability would be another one
	d := pick(q.random, model.Parts(e.Fields, "dates"))
	r.Part, r.Body = q.one(d), q.places(who)
	if q.chance(30) {
		r.Body["availability_version"] = q.seenVersion(d)
	}
	return r, true
}

// places are those of a date, with its availability.
func (q *Requests) places(who *model.Person) model.Object {
	fields := q.dateFields(who, model.Object{})
	return model.Object{"availability": fields["availability"], "remaining_places": fields["remaining_places"]}
}

// seenVersion is the version of the availability of a date that a client has read, mostly the
// present one or an older one.
func (q *Requests) seenVersion(d model.Object) float64 {
	version := d["availability_version"].(float64)
	switch n := q.IntN(100); {
	case n < 5:
		return version + 1
	case n < 50:
		return max(1, version-1)
	default:
		return version
	}
}

// returnedDates sends all dates of an event back, some of them as they were before a sale.
func (q *Requests) returnedDates(who *model.Person) (model.Request, bool) {
	r, e := q.aboutOneWith(who, "PATCH /event/:eventId", "dates")
	if e == nil {
		return r, false
	}
	r.Body = wholeEvent(e, q.eventFields()["title"])
	for _, date := range r.Body["dates"].([]any) {
		if d := date.(model.Object); q.chance(60) {
			d["availability_version"] = q.seenVersion(d)
			places := q.places(who)
			d["availability"], d["remaining_places"] = places["availability"], places["remaining_places"]
		}
	}
	return r, true
}

// Race returns a sale and an edit of the event that sends its dates back as they are now, which may
// be sent at once: the same comes of them in either order. None is drawn without an event that has
// dates.
func (q *Requests) Race() (sale, edit model.Request, drawn bool) {
	q.Catalogue = q.world.Places()
	q.indexSpaces()
	who := pick(q.random, q.crowd)
	sale, drawn = q.soldDate(who)
	e := q.world.Find(model.Event, sale.ID)
	if !drawn || e == nil {
		return sale, edit, false
	}
	delete(sale.Body, "availability_version")
	edit = model.Request{Who: who, Do: "PATCH /event/:eventId", ID: sale.ID, Body: wholeEvent(e, q.eventFields()["title"])}
	sale.Who = who
	return sale, edit, true
}

// wholeEvent is an edit of the title of an event that sends its dates back.
func wholeEvent(e *model.Entity, title any) model.Object {
	return model.Object{"title": title, "dates": model.Plain(e.Fields["dates"])}
}
