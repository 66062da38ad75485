package model

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// createEvent judges a new event with its dates and links. Its status must be one that may follow
// a draft.
func (t *trial) createEvent() {
	e := &Entity{Kind: Event, Fields: made(blanks[Event], t.Body)}
	for key, blank := range map[string]Object{"dates": blankDate, "event_links": blankLink} {
		parts := Parts(e.Fields, key)
		for i, body := range parts {
			t.refuseVersion(body)
			parts[i] = made(blank, body)
		}
		setParts(e.Fields, key, parts)
	}
	t.verdict.Status = http.StatusCreated
	t.insert(e)
}

// insert judges a new event.
func (t *trial) insert(e *Entity) {
	t.demand(text(e.Fields, "org_uuid"), addEvent, chooseOrganization)
	t.store(nil, e)
}

// judgeEvent judges the new version of an event: before is nil for a new event.
func (t *trial) judgeEvent(before, after *Entity) {
	was := Object{"release_status": "draft", "org_uuid": after.Fields["org_uuid"]}
	if before != nil {
		was = before.Fields
	}
	t.derivePrices(before, after.Fields)
	t.settleSeries(before, after.Fields)
	if before != nil {
		t.noteChanges(was, after.Fields)
	}
	countAvailabilities(was, after.Fields)
	t.judgeTextsOfDates(was, after.Fields)
	from, to := text(was, "release_status"), text(after.Fields, "release_status")
	if from != to && !slices.Contains(moves[from], to) {
		t.refuse(http.StatusConflict, "no event that is "+from+" becomes "+to)
	}
	if isPublic(from) && !t.waits(was) && isPublic(to) && t.waits(after.Fields) {
		t.refuse(http.StatusConflict, "a public event would vanish until its release date")
	}
	for _, fault := range t.faults(after.Fields) {
		t.refuse(http.StatusBadRequest, fault)
	}
	t.judgeOriginal(after.Fields)
	t.judgePlaces(was, after.Fields)
	if needsRelease(was, after.Fields) {
		for _, org := range []string{text(was, "org_uuid"), text(after.Fields, "org_uuid")} {
			if t.Who.Sees(org) && !t.Who.may(releaseEvent, org) {
				t.refuse(http.StatusForbidden, "the sender may not release events")
			}
		}
	}
}

// judgeOriginal: no translation is in the language of the original.
func (t *trial) judgeOriginal(entity Object) {
	if texts, _ := entity["texts"].(Object); texts[text(entity, "text_language")] != nil {
		t.refuse(http.StatusBadRequest, "there is a translation into the language of the original")
	}
}

// judgeTextsOfDates: translations go with their dates, and are of dates that the event has.
func (t *trial) judgeTextsOfDates(was, is Object) {
	textsOf("dates", is, func(dates Object) {
		for uuid := range dates {
			switch gone := part(Parts(is, "dates"), uuid) < 0; {
			case gone && part(Parts(was, "dates"), uuid) >= 0:
				delete(dates, uuid)
			case gone && !strings.HasPrefix(uuid, "date "): // which a duplicate has
				t.refuse(http.StatusBadRequest, "there is a translation of a date that the event does not have")
			}
		}
	})
}

// moves are the statuses that follow one another (RULES.md, Release status).
var moves = map[string][]string{
	"draft":       {"review", "released"},
	"review":      {"released", "draft"},
	"released":    {"cancelled", "deferred", "rescheduled", "draft"},
	"cancelled":   {"released", "draft"},
	"deferred":    {"released", "draft"},
	"rescheduled": {"released", "draft"},
}

// waits reports whether the release date of an event is in the future.
func (t *trial) waits(event Object) bool {
	at, err := time.Parse(time.RFC3339, text(event, "release_date"))
	return err == nil && at.After(time.Now())
}

func isPublic(status string) bool {
	return slices.Contains([]string{"released", "cancelled", "deferred", "rescheduled"}, status)
}

// needsRelease: every change of a public event takes the right to release, and every move of a
// status except between draft and review.
func needsRelease(was, is Object) bool {
	return isPublic(text(was, "release_status")) || isPublic(text(is, "release_status"))
}

// judgePlaces: an event that comes to a venue, or takes its venues to another organization, needs
// the right to choose the venue where that belongs to others and is not open.
func (t *trial) judgePlaces(was, is Object) {
	settled := []string{}
	if text(was, "org_uuid") == text(is, "org_uuid") {
		settled = venuesOf(was)
	}
	for _, uuid := range venuesOf(is) {
		if slices.Contains(settled, uuid) {
			continue
		}
		venue := t.Find(Venue, uuid)
		switch {
		case venue == nil:
			t.demand("")
		case text(venue.Fields, "org_uuid") == text(is, "org_uuid"):
			t.demand(text(is, "org_uuid"))
		case slices.Contains([]string{"ask", "closed"}, text(venue.Fields, "use")) && !t.Who.may(chooseVenue, text(venue.Fields, "org_uuid")):
			t.refuse(http.StatusForbidden, "the venue is closed to the sender, or its owner has accepted no request")
		}
	}
}

// venuesOf returns the uuids of the venues of an event and its dates.
func venuesOf(event Object) []string {
	var venues []string
	for _, at := range append(Parts(event, "dates"), event) {
		if venue := text(at, "venue_uuid"); venue != "" {
			venues = append(venues, venue)
		}
	}
	return venues
}

// duplicateEvent judges the copy of an event: a draft with images of its own, whose dates are
// shifted or left out and have no status of their own.
func (t *trial) duplicateEvent() {
	shift, _ := t.Body["shift_days"].(float64)
	leaveOut, _ := t.Body["leave_out_dates"].(bool)
	t.verdict.Status = http.StatusCreated
	original := t.reach(Event, "")
	if leaveOut && shift != 0 {
		t.refuse(http.StatusBadRequest, "dates are left out and shifted at once")
	}
	if original == nil {
		return
	}
	e := &Entity{Kind: Event, Fields: Plain(original.Fields).(Object)}
	fields := e.Fields
	fields["uuid"], fields["release_status"], fields["release_date"], fields["status_note"] = "", "draft", nil, nil
	fields["date_rules"], fields["labels"], fields["status_changed_at"] = []any{}, []any{}, nil
	notes := Object{}
	for language := range fields["texts"].(Object) {
		notes[language] = Object{"status_note": nil}
	}
	fields["texts"] = merged(fields["texts"], notes)
	t.duplicateTexts(fields, leaveOut)
	links, images, dates := Parts(fields, "event_links"), Parts(fields, "images"), Parts(fields, "dates")
	for _, part := range slices.Concat(links, images) {
		part["uuid"] = ""
	}
	if leaveOut {
		dates = nil
	}
	for _, date := range dates {
		duplicateDate(date, int(shift))
	}
	setParts(fields, "event_links", links)
	setParts(fields, "images", images)
	setParts(fields, "dates", dates)
	t.insert(e)
}

// duplicateTexts names the translations of the texts of dates of a duplicate by the places of the
// dates, until their uuids are known. There are none of status notes.
func (t *trial) duplicateTexts(fields Object, leaveOut bool) {
	textsOf("dates", fields, func(dates Object) {
		for i, d := range Parts(fields, "dates") {
			if text, _ := dates[d["uuid"].(string)].(Object); text["accessibility_info"] != nil && !leaveOut {
				dates[place(i)] = Object{"accessibility_info": text["accessibility_info"]}
			}
			delete(dates, d["uuid"].(string))
		}
	})
}

// place names a date whose uuid is not known by its place.
func place(i int) string { return "date " + strconv.Itoa(i) }

// labelEvent judges an edit of labels, which takes a platform administrator.
func (t *trial) labelEvent() {
	before := t.reach(Event, "")
	if before == nil {
		return
	}
	if !t.Who.Platform {
		t.refuse(http.StatusForbidden, "labels are the operator's")
	}
	keys := []any{}
	given, _ := t.Body["labels"].([]any)
	for _, key := range given {
		if name, _ := key.(string); !slices.Contains(t.Labels, name) {
			t.refuse(http.StatusBadRequest, "there is no such label")
		}
		keys = append(keys, key)
	}
	after := before.copy()
	after.Fields["labels"] = keys
	t.update(before, after)
}

// nameContributors judges an edit of contributors, each of which everyone may name.
func (t *trial) nameContributors() {
	before := t.reach(Event, editEvent)
	if before == nil {
		return
	}
	list, seen := []any{}, map[[2]string]bool{}
	given, _ := t.Body["contributors"].([]any)
	for _, one := range given {
		p, _ := one.(Object)
		uuid, known := t.Contributors[text(p, "uuid")]
		if !known {
			t.refuse(http.StatusNotFound, "there is no such contributor")
		}
		key := [2]string{uuid, text(p, "role")}
		if seen[key] {
			t.refuse(http.StatusBadRequest, "a contributor is named twice in a role")
		}
		seen[key] = true
		list = append(list, Object{"uuid": uuid, "role": key[1]})
	}
	after := before.copy()
	after.Fields["contributors"] = list
	t.update(before, after)
}

func duplicateDate(date Object, shift int) {
	date["uuid"], date["release_status"], date["status_note"] = "", "inherited", nil
	for _, key := range []string{
		"availability", "remaining_places", "on_sale_from", "on_sale_until", "previous_start", "status_changed_at",
	} {
		date[key] = nil
	}
	date["start_date"] = addDays(text(date, "start_date"), shift)
	if end := text(date, "end_date"); end != "" {
		date["end_date"] = addDays(end, shift)
	}
	if rule := text(date, "rule_uuid"); rule != "" {
		date["rule_uuid"] = newRule(rule)
		date["recurrence_id"] = shiftID(text(date, "recurrence_id"), shift)
	}
}

// editEvents judges the edits of several events, which are all made or none.
func (t *trial) editEvents() {
	refused := 0
	for _, element := range Parts(t.Body, "events") {
		one := &trial{World: t.World, Request: t.Request, verdict: Verdict{Refusals: map[int]string{}}}
		one.ID, one.IfMatch = text(element, "uuid"), text(element, "if_match")
		one.Body = Plain(element).(Object)
		delete(one.Body, "uuid")
		delete(one.Body, "if_match")
		one.edit(Event, one.assign)
		for status, why := range one.verdict.Refusals {
			t.refuse(status, one.ID+": "+why)
		}
		if !one.verdict.Accepted() {
			refused++
		}
		t.verdict.Changes = append(t.verdict.Changes, one.verdict.Changes...)
	}
	if _, forbidden := t.verdict.Refusals[http.StatusForbidden]; !forbidden && (refused > 1 || len(t.verdict.Refusals) > 1) {
		t.refuse(http.StatusBadRequest, "events are refused for different reasons")
	}
}

// patchEvent judges a merge patch, which replaces the lists of dates and links whole.
func (t *trial) patchEvent() {
	t.edit(Event, func(e *Entity) {
		dates, links := Parts(e.Fields, "dates"), Parts(e.Fields, "event_links")
		t.assign(e)
		t.replaceParts(e, "dates", blankDate, dates)
		t.replaceParts(e, "event_links", blankLink, links)
	})
}

// replaceParts completes the parts of a body: a stored one keeps what identifies it.
func (t *trial) replaceParts(e *Entity, list string, blank Object, stored []Object) {
	if t.Body[list] == nil {
		return
	}
	parts := Parts(e.Fields, list)
	for i, body := range parts {
		parts[i] = made(blank, body)
		if text(body, "uuid") == "" {
			t.refuseVersion(body)
			continue
		}
		at := part(stored, text(body, "uuid"))
		if at < 0 {
			t.refuse(http.StatusBadRequest, "the event has no such part")
			continue
		}
		for _, key := range []string{"rule_uuid", "recurrence_id"} {
			if was, has := stored[at][key]; has {
				parts[i][key] = was
			}
		}
		if list == "dates" {
			t.keepNewer(stored[at], parts[i], body)
		}
	}
	setParts(e.Fields, list, parts)
}

// addLink judges a new link of an event.
func (t *trial) addLink() {
	t.verdict.Status = http.StatusCreated
	t.edit(Event, func(e *Entity) {
		setParts(e.Fields, "event_links", append(Parts(e.Fields, "event_links"), made(blankLink, t.Body)))
	})
}

func (t *trial) editLink() {
	t.edit(Event, func(e *Entity) {
		links := Parts(e.Fields, "event_links")
		if at := part(links, t.Part); at >= 0 {
			assign(links[at], blankLink, t.Body)
			return
		}
		t.refuse(http.StatusNotFound, "the event has no such link")
	})
}

func (t *trial) deleteLink() {
	t.edit(Event, func(e *Entity) {
		links := Parts(e.Fields, "event_links")
		if at := part(links, t.Part); at >= 0 {
			setParts(e.Fields, "event_links", slices.Delete(links, at, at+1))
			return
		}
		t.refuse(http.StatusNotFound, "the event has no such link")
	})
}
