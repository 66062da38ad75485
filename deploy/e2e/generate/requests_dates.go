package generate

import (
	"fmt"
	"slices"
	"strings"

	"litfass/deploy/e2e/model"
	"litfass/deploy/e2e/reference"
)

// dateFields returns the fields of a date of an event.
func (q *Requests) dateFields(who *model.Person, event model.Object) model.Object {
	d := object(q.date(&reference.Event{}))
	delete(d, "uuid")
	d["venue_uuid"], d["space_uuid"] = q.placed(who, 15)
	d["series_part_uuid"] = q.partOfSeries(event)
	if q.chance(20) {
		d["ticket_link"] = q.address()
	}
	if q.chance(15) && d["all_day"] == false {
		d["entry_time"] = pick(q.random, []string{"00:00", "18:00"})
	}
	return d
}

func (q *Requests) newDates(who *model.Person) (model.Request, bool) {
	r, e := q.about(who, model.Event, "POST /event/:eventId/date")
	if e == nil {
		return r, false
	}
	r.Body = q.dateFields(who, e.Fields)
	if q.chance(60) {
		r.Body["release_status"] = "inherited"
	}
	if q.chance(60) && len(model.Parts(e.Fields, "date_rules")) < 3 {
		q.repeat(r.Body)
	}
	return r, true
}

// repeat adds to a date a rule that is daily or weekly.
func (q *Requests) repeat(body model.Object) {
	first := body["start_date"].(string)
	frequency, step := "DAILY", 1
	if q.chance(60) {
		frequency, step = "WEEKLY", 7
	}
	rule := "FREQ=" + frequency
	if q.chance(25) {
		rule, step = rule+";INTERVAL=2", 2*step
	}
	count := q.between(2, 6)
	if q.chance(50) {
		rule += fmt.Sprintf(";COUNT=%d", count)
	} else {
		rule += ";UNTIL=" + strings.ReplaceAll(shifted(first, step*count), "-", "")
	}
	body["rrule"] = rule
	if q.chance(30) {
		body["exdate"] = []any{shifted(first, step*q.IntN(count))}
	}
	if q.chance(30) {
		more := shifted(first, q.between(1, 99))
		if body["all_day"] == false && q.chance(40) {
			more += "T15:00"
		}
		body["rdate"] = []any{more}
	}
}

// aboutDate returns a request to a date, mostly of a rule, and with a scope then.
func (q *Requests) aboutDate(who *model.Person, do string) (r model.Request, d model.Object, drawn bool) {
	var e *model.Entity
	ofRule := q.chance(65)
	if ofRule {
		r, e = q.aboutOneWith(who, do, "date_rules")
	}
	if e == nil {
		ofRule = false
		if r, e = q.aboutOneWith(who, do, "dates"); e == nil {
			return r, nil, false
		}
	}
	dates := model.Parts(e.Fields, "dates")
	if ofRule {
		dates = slices.DeleteFunc(dates, func(d model.Object) bool { return d["rule_uuid"] == nil })
	}
	d = pick(q.random, dates)
	r.Part = q.one(d)
	if d["rule_uuid"] != nil {
		r.Query = pick(q.random, []string{"", "scope=this", "scope=following", "scope=following", "scope=all"})
	} else if q.chance(4) {
		r.Query = "scope=all"
	}
	return r, d, true
}

func (q *Requests) changedDates(who *model.Person) (model.Request, bool) {
	r, d, drawn := q.aboutDate(who, "PUT /event/:eventId/date/:dateId")
	if !drawn {
		return r, false
	}
	event := model.Object{}
	if e := q.world.Find(model.Event, r.ID); e != nil {
		event = e.Fields
	}
	r.Body = q.dateEdit(who, event, d)
	return r, true
}

// dateEdit returns an edit of a date of an event.
func (q *Requests) dateEdit(who *model.Person, event, d model.Object) model.Object {
	fields := q.dateFields(who, event)
	switch n := q.IntN(11); {
	case n == 0:
		return model.Object{"ticket_link": q.address(), "accessibility_info": q.text(), "status_note": q.text()}
	case n == 1: // as it was read
		return object(d)
	case n == 2:
		return fields
	case n == 3:
		return model.Object{"release_status": fields["release_status"], "status_note": q.text()}
	case n == 4:
		return model.Object{"venue_uuid": fields["venue_uuid"], "space_uuid": fields["space_uuid"]}
	case n == 6:
		return model.Object{"availability": fields["availability"], "remaining_places": fields["remaining_places"]}
	case n == 7:
		return model.Object{"series_part_uuid": fields["series_part_uuid"]}
	case n == 8:
		return model.Object{"tariffs": fields["tariffs"]}
	case n == 5 && d["all_day"] == false:
		return model.Object{"start_time": pick(q.random, clocks)}
	default:
		return q.moved(d)
	}
}

// moved moves a date by some days, mostly with its end.
func (q *Requests) moved(d model.Object) model.Object {
	days := q.between(-9, 9)
	body := model.Object{"start_date": shifted(d["start_date"].(string), days)}
	if end, has := d["end_date"].(string); has && q.chance(80) {
		body["end_date"] = shifted(end, days+q.IntN(2))
	}
	return body
}

func (q *Requests) deletedDates(who *model.Person) (model.Request, bool) {
	r, _, drawn := q.aboutDate(who, "DELETE /event/:eventId/date/:dateId")
	return r, drawn
}
