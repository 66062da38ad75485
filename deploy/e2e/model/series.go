package model

import (
	"bytes"
	"net/http"
	"slices"
)

// decideSeries is the operation of a series on an event that asks to belong to it.
const decideSeries = "PUT /series/:seriesId/event/:eventOfSeries"

// maxSeries is the number of series that an event may have.
const maxSeries = 5

// addSeries judges a new series.
func (t *trial) addSeries() {
	parts := Parts(t.Body, "parts")
	t.add(Series)
	setParts(t.verdict.Changes[0].After.Fields, "parts", partsOf(parts, nil))
}

// editSeries judges an edit of a series. Dates lose a part that is gone.
func (t *trial) editSeries() {
	t.edit(Series, func(e *Entity) {
		stored := Parts(e.Fields, "parts")
		t.assign(e)
		if t.Body["parts"] != nil {
			setParts(e.Fields, "parts", partsOf(Parts(t.Body, "parts"), stored))
		}
	})
	if t.verdict.Accepted() {
		series := t.verdict.Changes[0]
		t.leaveParts(series.Before, Parts(series.After.Fields, "parts"), func(*Entity) {})
	}
}

// partsOf completes the parts of a body. One without a uuid is the stored one of its kind and title
// that the body does not name.
func partsOf(bodies, stored []Object) []Object {
	parts := make([]Object, len(bodies))
	for i, body := range bodies {
		parts[i] = made(blankPart, body)
	}
	left := slices.DeleteFunc(slices.Clone(stored), func(known Object) bool { return part(parts, text(known, "uuid")) >= 0 })
	for _, p := range parts {
		same := func(known Object) bool { return known["kind"] == p["kind"] && known["title"] == p["title"] }
		if at := slices.IndexFunc(left, same); text(p, "uuid") == "" && at >= 0 {
			p["uuid"] = left[at]["uuid"]
			left = slices.Delete(left, at, at+1)
		}
	}
	return parts
}

// leaveParts notes the changes of the events with dates in parts of a series that it does not have
// any more, and further ones.
func (t *trial) leaveParts(series *Entity, left []Object, further func(*Entity)) {
	for _, e := range t.Of(Event, "") {
		after := e.copy()
		dates := Parts(after.Fields, "dates")
		for _, d := range dates {
			uuid := text(d, "series_part_uuid")
			if uuid != "" && part(Parts(series.Fields, "parts"), uuid) >= 0 && part(left, uuid) < 0 {
				d["series_part_uuid"] = nil
			}
		}
		setParts(after.Fields, "dates", dates)
		further(after)
		if !bytes.Equal(encode(e.Fields), encode(after.Fields)) {
			t.verdict.Changes = append(t.verdict.Changes, Change{e, after})
		}
	}
}

// deleteSeries judges the deletion of a series, which its events leave.
func (t *trial) deleteSeries() {
	t.delete(Series)
	if !t.verdict.Accepted() {
		return
	}
	gone := t.verdict.Changes[0].Before
	t.leaveParts(gone, nil, func(e *Entity) {
		setParts(e.Fields, "series", slices.DeleteFunc(Parts(e.Fields, "series"), func(of Object) bool {
			return of["series_uuid"] == gone.UUID()
		}))
	})
}

// decide judges the decision of a series on an event.
func (t *trial) decide() {
	series := t.reach(Series, editOrganization)
	if series == nil {
		return
	}
	e := t.Find(Event, t.Part)
	if e == nil || stateIn(e, t.ID) == "" {
		t.refuse(http.StatusNotFound, "the event does not ask to belong to the series")
		return
	}
	state := "refused"
	if t.Body["accepted"] == true {
		state = "accepted"
	}
	after := e.copy()
	all := Parts(after.Fields, "series")
	for _, of := range all {
		if of["series_uuid"] == t.ID {
			of["state"] = state
		}
	}
	t.verdict.Changes = []Change{{e, after}}
}

// stateIn returns the state of an event in a series; "" if it does not name it.
func stateIn(e *Entity, series string) string {
	if e != nil {
		for _, of := range Parts(e.Fields, "series") {
			if of["series_uuid"] == series {
				return text(of, "state")
			}
		}
	}
	return ""
}

// settleSeries gives an event its state in each of its series: the one that it has, not that of a
// body, or else that of asking, which its own organization accepts at once. One that moves to
// another organization keeps only a refusal.
func (t *trial) settleSeries(before *Entity, is Object) {
	members := Parts(is, "series")
	if len(members) > maxSeries {
		t.refuse(http.StatusBadRequest, "there are too many series")
	}
	seen := map[string]bool{}
	for i, of := range members {
		uuid := text(of, "series_uuid")
		series, state := t.Find(Series, uuid), stateIn(before, uuid)
		if before != nil && before.Fields["org_uuid"] != is["org_uuid"] && state != "refused" {
			state = "" // it asks again
		}
		switch {
		case seen[uuid]:
			t.refuse(http.StatusBadRequest, "a series is given twice")
			continue
		case series == nil, stateIn(before, uuid) == "" && series.Fields["public"] != true && !t.Who.Sees(text(series.Fields, "org_uuid")):
			t.refuse(http.StatusNotFound, "a series is unknown to the sender")
			continue
		case state != "":
		case series.Fields["org_uuid"] == is["org_uuid"]:
			state = "accepted"
		default:
			state = "asked"
		}
		seen[uuid] = true
		members[i] = Object{"series_uuid": uuid, "state": state}
	}
	setParts(is, "series", members)
}

// isPart reports whether the part of a date is one of the series of its event.
func (w *World) isPart(event, date Object) bool {
	uuid := text(date, "series_part_uuid")
	return uuid == "" || slices.ContainsFunc(Parts(event, "series"), func(of Object) bool {
		series := w.Find(Series, text(of, "series_uuid"))
		return series != nil && part(Parts(series.Fields, "parts"), uuid) >= 0
	})
}

// judgeSeries judges the new state of a series.
func (t *trial) judgeSeries(s *Entity) {
	start, end := text(s.Fields, "start_date"), text(s.Fields, "end_date")
	switch {
	case text(s.Fields, "title") == "" || text(s.Fields, "slug") == "":
		t.refuse(http.StatusBadRequest, "the title or the slug is missing")
	case end != "" && end < start, end != "" && start == "":
		t.refuse(http.StatusBadRequest, "the days are not in order")
	}
	if image, _ := s.Fields["image"].(Object); (image["focus_x"] == nil) != (image["focus_y"] == nil) {
		t.refuse(http.StatusBadRequest, "half a focus point")
	}
	textsOf("images", s.Fields, func(images Object) {
		image, _ := s.Fields["image"].(Object)
		for uuid := range images {
			if uuid != text(image, "uuid") {
				t.refuse(http.StatusBadRequest, "there is a translation of an image that the series does not have")
			}
		}
	})
	t.judgeOriginal(s.Fields)
	for _, other := range t.Of(Series, "") {
		if other.Fields["slug"] == s.Fields["slug"] && other.UUID() != s.UUID() {
			t.refuse(http.StatusConflict, "the slug is taken")
		}
	}
}
