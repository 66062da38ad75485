package generate

import (
	"slices"
	"strings"

	"litfass/deploy/e2e/model"
)

var linkTypes = []string{"website", "tickets", "pdf", "mastodon"}

// eventFields returns the fields of an event without dates and place.
func (q *Requests) eventFields() model.Object {
	e := object(q.event(1))
	for _, key := range []string{"uuid", "org_uuid", "venue_uuid", "space_uuid", "images", "labels", "contributors", "dates", "series", "release_status", "release_date"} {
		delete(e, key)
	}
	e["participation_info"], e["meeting_point"], e["source_link"] = q.text(), q.text(), q.address()
	e["ticket_flags"] = model.Plain(some(q.random, []string{"ticket_required", "presale_fee_applies", "advance_ticket"}, 2))
	e["max_attendees"], e["occasion"], e["online_link"] = float64(q.between(1, 999)), float64(q.IntN(3)), nil
	if q.chance(30) {
		e["online_link"] = q.address()
	}
	if e["video_link"] = nil; q.chance(30) {
		e["video_link"] = pick(q.random, []string{"https://youtu.be/dQw4w9WgXcQ", "https://vimeo.com/76979871"})
	}
	q.vary(e["texts"].(model.Object))
	return e
}

// vary makes translations an edit of others: some texts, or all of a language, are cleared. Those
// of images and dates are left out: these have uuids that they do not know.
func (q *Requests) vary(texts model.Object) {
	for _, language := range textLanguages {
		text, _ := texts[language].(model.Object)
		delete(text, "images")
		delete(text, "dates")
		switch {
		case text == nil && q.chance(20):
			texts[language] = nil
		case text != nil && q.chance(20):
			text[pick(q.random, []string{"title", "subtitle", "summary", "description", "status_note"})] = nil
		}
	}
}

// translateDates adds translations of texts of dates that an event has, now and then of one that it
// does not have.
func (q *Requests) translateDates(texts model.Object, e *model.Entity) {
	dates := model.Parts(e.Fields, "dates")
	for _, language := range textLanguages {
		text, _ := texts[language].(model.Object)
		if text == nil || len(dates) == 0 || !q.chance(60) {
			continue
		}
		changed := model.Object{}
		for _, d := range some(q.random, dates, 2) {
			one := model.Object{"status_note": q.text(), "accessibility_info": "Rampe"}
			switch q.IntN(4) {
			case 0:
				delete(one, "status_note")
			case 1:
				one["accessibility_info"] = nil
			}
			changed[q.one(d)] = one
		}
		text["dates"] = changed
	}
}

func (q *Requests) linkFields() model.Object {
	link := model.Object{"type": pick(q.random, linkTypes), "url": q.address(), "label": nil}
	if q.chance(60) {
		link["label"] = q.text()
	}
	return link
}

// optional are fields of an event that no other one needs.
var optional = strings.Fields(`title subtitle summary description categories event_types languages tags min_age max_age
	text_language texts ticket_flags visitor_info_flags participation_info meeting_point max_attendees occasion source_link video_link release_date status_note
	event_links`)

func (q *Requests) newEvent(who *model.Person) (model.Request, bool) {
	body := q.eventFields()
	body["org_uuid"] = q.home(who)
	body["venue_uuid"], body["space_uuid"] = q.placed(who, 85)
	body["release_status"] = pick(q.random, []string{"draft", "draft", "draft", "review", "released", "released", "released", "cancelled"})
	body["release_date"] = q.releaseDate()
	body["series"] = q.askedSeries(body)
	dates, links := []any{}, []any{}
	for range q.between(1, 4) - q.IntN(2) {
		dates = append(dates, q.dateFields(who, body))
	}
	for range q.IntN(3) {
		links = append(links, q.linkFields())
	}
	body["dates"], body["event_links"] = dates, links
	for _, key := range some(q.random, optional, 4) {
		delete(body, key)
	}
	return model.Request{Do: "POST /event/create", Body: body}, true
}

func (q *Requests) releaseDate() any {
	if !q.chance(15) {
		return nil
	}
	return pick(q.random, []string{"2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z"})
}

// eventParts are the operations on parts of an event with the groups of fields that they write.
var eventParts = []struct {
	name   string
	groups [][]string
}{
	{"place", [][]string{{"venue_uuid", "space_uuid"}, {"online_link"}, {"space_uuid"}}},
	{"header", [][]string{{"title"}, {"subtitle"}, {"source_link"}, {"video_link"}}},
	{"description", [][]string{{"description"}}},
	{"summary", [][]string{{"summary"}}},
	{"types", [][]string{{"categories"}, {"event_types"}}},
	{"tags", [][]string{{"tags"}}},
	{"languages", [][]string{{"languages"}}},
	{"texts", [][]string{{"text_language"}, {"texts"}, {"text_language", "texts"}}},
	{"participation-infos", [][]string{
		{"participation_info"}, {"meeting_point"}, {"min_age"}, {"max_age"}, {"max_attendees"}, {"price_type"},
		{"min_price", "max_price", "currency"}, {"min_price", "currency"}, {"tariffs"}, {"price_type", "tariffs", "min_price", "max_price", "currency"}, {"ticket_flags"}, {"visitor_info_flags"}, {"occasion"},
	}},
}

// labelledEvent replaces the labels of an event: those of an operator by some that exist, in order.
func (q *Requests) labelledEvent(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "PUT /event/:eventId/labels")
	if e == nil {
		return r, false
	}
	keys := []any{}
	for _, key := range slices.Sorted(slices.Values(some(q.random, labels, 3))) {
		keys = append(keys, key)
	}
	if q.chance(5) {
		keys = append(keys, "unknown")
	}
	r.Body = model.Object{"labels": keys}
	return r, true
}

// namedEvent replaces the contributors of an event by some that exist, one of them merged or
// unknown now and then.
func (q *Requests) namedEvent(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "PUT /event/:eventId/contributors")
	if e == nil {
		return r, false
	}
	list := []any{}
	for _, p := range q.participants() {
		list = append(list, model.Object{"uuid": p.UUID, "role": p.Role})
	}
	switch {
	case q.chance(5):
		list = append(list, model.Object{"uuid": unknownContributor, "role": "dj"})
	case q.chance(10):
		list = append(list, model.Object{"uuid": formerContributor, "role": "dj"})
	}
	r.Body = model.Object{"contributors": list}
	return r, true
}

func (q *Requests) changedEvent(who *model.Person) (model.Request, bool) {
	part := pick(q.random, eventParts)
	if q.chance(25) {
		part = eventParts[0] // the place, which depends on the most other entities
	}
	r, e := q.about(who, model.Event, "PUT /event/:eventId/"+part.name)
	if e == nil {
		return r, false
	}
	fields := q.eventFields()
	fields["venue_uuid"], fields["space_uuid"] = q.placed(who, 85)
	if part.name == "texts" {
		q.translateDates(fields["texts"].(model.Object), e)
	}
	r.Body = q.groups(fields, part.groups...)
	if part.name == "header" && q.chance(25) {
		r.Body["org_uuid"] = q.home(who)
	}
	if q.chance(5) { // what it is already
		for key := range r.Body {
			r.Body[key] = e.Fields[key]
		}
	}
	return r, true
}

// patchedEvent changes fields of several parts of an event at once, and its lists of dates and
// links.
func (q *Requests) patchedEvent(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "PATCH /event/:eventId")
	if e == nil {
		return r, false
	}
	fields := q.eventFields()
	fields["venue_uuid"], fields["space_uuid"] = q.placed(who, 90)
	fields["dates"] = q.listed(e, "dates", func() model.Object { return q.dateFields(who, e.Fields) })
	fields["event_links"] = q.listed(e, "event_links", q.linkFields)
	r.Body = q.groups(fields, []string{"title"}, []string{"summary"}, []string{"texts"}, []string{"tags"}, []string{"venue_uuid", "space_uuid"},
		[]string{"min_price", "currency"}, []string{"tariffs"}, []string{"dates"}, []string{"event_links"})
	if q.chance(50) {
		q.joinSeries(r.Body, e)
	}
	if q.chance(30) {
		r.Body["release_status"] = q.status(e)
	}
	if q.chance(5) {
		r.Body["org_uuid"] = q.home(who)
	}
	return r, true
}

// listed returns a list of the parts of an event: most of the stored ones, some of them changed,
// and perhaps a new one; now and then one that the event does not have.
func (q *Requests) listed(e *model.Entity, list string, draw func() model.Object) []any {
	all := []any{}
	for _, stored := range model.Parts(e.Fields, list) {
		one := stored
		if q.chance(30) {
			one = draw()
			one["uuid"] = q.one(stored)
		}
		if q.chance(80) {
			all = append(all, model.Plain(one))
		}
	}
	if q.chance(40) {
		all = append(all, draw())
	}
	return all
}

// follows are statuses that may follow one another.
var follows = map[string][]string{
	"draft": {"review", "released", "released"}, "review": {"released"},
	"released": {"cancelled", "deferred", "rescheduled", "draft"},
}

// status returns a release status for an event, mostly one that may follow.
func (q *Requests) status(e *model.Entity) string {
	now, _ := e.Fields["release_status"].(string)
	if q.chance(25) {
		return pick(q.random, []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"})
	}
	if next := follows[now]; next != nil {
		return pick(q.random, next)
	}
	return pick(q.random, []string{"released", "released", "draft"})
}

func (q *Requests) released(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "PUT /event/:eventId/release-status")
	if e == nil {
		return r, false
	}
	r.Body = model.Object{"release_status": q.status(e)}
	if q.chance(30) {
		r.Body["release_date"] = q.releaseDate()
	}
	return r, true
}

func (q *Requests) duplicated(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "POST /event/:eventId/duplicate")
	if q.chance(70) {
		r.Body = model.Object{"shift_days": float64(q.between(-20, 40))}
	}
	if q.chance(20) {
		r.Body = model.Object{"leave_out_dates": true}
		if q.chance(20) {
			r.Body["shift_days"] = 1.0
		}
	}
	return r, e != nil
}

func (q *Requests) deletedEvent(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "DELETE /event/:eventId")
	return q.confirmed(r, who), e != nil
}

// changedEvents edits several events at once.
func (q *Requests) changedEvents(who *model.Person) (model.Request, bool) {
	var elements []any
	seen := map[string]bool{}
	for range q.between(1, 5) {
		e := q.target(who, model.Event)
		if e == nil || seen[e.UUID()] {
			continue
		}
		seen[e.UUID()] = true
		fields := q.eventFields()
		fields["venue_uuid"], fields["space_uuid"] = q.placed(who, 90)
		fields["release_status"], fields["release_date"] = q.status(e), q.releaseDate()
		element := model.Object{}
		for _, group := range sample(q.random, [][]string{
			{"release_status", "status_note"}, {"release_date"}, {"categories"}, {"event_types"}, {"tags"}, {"venue_uuid", "space_uuid"}, {"online_link"},
		}, q.between(1, 3)) {
			for _, key := range group {
				element[key] = fields[key]
			}
		}
		element["uuid"] = e.UUID()
		if tag := q.version(e); tag != "" {
			element["if_match"] = tag
		}
		elements = append(elements, element)
	}
	return model.Request{Do: "PUT /events/bulk", Body: model.Object{"events": elements}}, len(elements) > 0
}

func (q *Requests) newLink(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "PUT /event/:eventId/link")
	r.Body = q.linkFields()
	return r, e != nil
}

func (q *Requests) changedLink(who *model.Person) (model.Request, bool) {
	r, drawn := q.aboutPart(who, "PUT /event/:eventId/link/:linkId", "event_links")
	r.Body = q.groups(q.linkFields(), []string{"type"}, []string{"url"}, []string{"label"})
	return r, drawn
}

func (q *Requests) deletedLink(who *model.Person) (model.Request, bool) {
	return q.aboutPart(who, "DELETE /event/:eventId/link/:linkId", "event_links")
}

// aboutPart returns a request to a part of an event that has one, now and then to one that does not
// exist.
func (q *Requests) aboutPart(who *model.Person, do, list string) (model.Request, bool) {
	r, e := q.aboutOneWith(who, do, list)
	if e == nil {
		return r, false
	}
	r.Part = q.one(pick(q.random, model.Parts(e.Fields, list)))
	return r, true
}

// one returns the uuid of a part, now and then one that does not exist.
func (q *Requests) one(part model.Object) string {
	if q.chance(3) {
		return q.uuid()
	}
	return part["uuid"].(string)
}

// aboutOneWith returns a request to an event that has parts of a kind; nil when none is found.
func (q *Requests) aboutOneWith(who *model.Person, do, list string) (model.Request, *model.Entity) {
	for range 20 {
		r, e := q.about(who, model.Event, do)
		if e == nil || len(model.Parts(e.Fields, list)) > 0 {
			return r, e
		}
	}
	return model.Request{}, nil
}
