package model

import "net/http"

// Sell is the operation by which a box office states the availability of a date.
const Sell = "PUT /date/:dateId/availability"

// sell judges a statement of a box office, which takes no right to release.
func (t *trial) sell() {
	e, at := t.Find(Event, t.ID), -1
	if e != nil && t.Who.Sees(text(e.Fields, "org_uuid")) {
		at = part(Parts(e.Fields, "dates"), t.Part)
	}
	if at < 0 {
		t.refuse(http.StatusNotFound, "the date is unknown to the sender")
		return
	}
	if !t.Who.may(editEvent, text(e.Fields, "org_uuid")) {
		t.refuse(http.StatusForbidden, "the sender may not state availabilities")
	}
	after := e.copy()
	was, is := Parts(e.Fields, "dates")[at], Parts(after.Fields, "dates")[at]
	assign(is, blankDate, t.Body)
	t.keepNewer(was, is, t.Body)
	followPlaces(was, is)
	if wrongPlaces(is) {
		t.refuse(http.StatusBadRequest, "there are places, but it is sold out")
	}
	countAvailabilities(e.Fields, after.Fields)
	t.verdict.Changes = []Change{{e, after}}
}

// keepNewer leaves out the availability of a body that is older than the stored one.
func (t *trial) keepNewer(was, is, body Object) {
	version, given := body["availability_version"].(float64)
	stored := was["availability_version"].(float64)
	switch {
	case given && version > stored:
		t.refuse(http.StatusBadRequest, "the availability has had no such version")
	case given && version < stored:
		is["availability"], is["remaining_places"] = was["availability"], was["remaining_places"]
	}
	is["availability_version"] = stored
}

// refuseVersion: a new date has no version from its sender.
func (t *trial) refuseVersion(date Object) {
	if date["availability_version"] != nil {
		t.refuse(http.StatusBadRequest, "the version of an availability is the service's")
	}
}

// followPlaces lets places follow an availability that is stated without changing them.
func followPlaces(was, is Object) {
	left, given := is["remaining_places"].(float64)
	if !given || is["remaining_places"] != was["remaining_places"] || is["availability"] == was["availability"] {
		return
	}
	if left > 0 && soldOut(is) {
		is["remaining_places"] = 0.0
	}
	if left == 0 && soldOut(was) && !soldOut(is) {
		is["remaining_places"] = nil
	}
}

func soldOut(d Object) bool {
	return d["availability"] == "sold_out" || d["availability"] == "waiting_list"
}

func wrongPlaces(d Object) bool {
	left, _ := d["remaining_places"].(float64)
	return left > 0 && soldOut(d)
}

// countAvailabilities gives each date whose availability an edit changes the next version of it,
// and new dates the first.
func countAvailabilities(was, is Object) {
	before := Parts(was, "dates")
	for _, d := range Parts(is, "dates") {
		at := part(before, text(d, "uuid"))
		if at < 0 {
			d["availability_version"] = 1.0
			continue
		}
		d["availability_version"] = before[at]["availability_version"]
		if d["availability"] != before[at]["availability"] || d["remaining_places"] != before[at]["remaining_places"] {
			d["availability_version"] = before[at]["availability_version"].(float64) + 1
		}
	}
}
