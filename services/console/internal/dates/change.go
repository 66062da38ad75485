package dates

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// changeForm is the form that changes a date.
type changeForm struct {
	parent
	formState
	date   adminapi.Date // as it is stored
	values values
	scope  string
	move   bool // the date is about to be moved to another day
	choices
	conflicts []view.Difference
	changed   string // who has stored the other version, and when, as a question; "" if that is not known
}

// ask shows the form of a date.
func (p pages) ask(r *page.Request) error {
	l, d, err := loadDate(r, load)
	if err != nil {
		return err
	}
	f := changeForm{
		parent: l, date: d, values: valuesOf(d), scope: scopeThis, move: r.Query.Has("move"), formState: formState{base: base(d)},
	}
	if f.move && l.mayEdit() {
		f.values.status = adminapi.StatusRescheduled
	}
	return p.showChange(r, f)
}

// loadDate reads the event and the date that the address names. The error is NotFound for a date
// that the event does not have. read is load or loadToEdit.
func loadDate(r *page.Request, read func(*page.Request) (parent, error)) (parent, adminapi.Date, error) {
	uuid, err := r.UUID("date")
	if err != nil {
		return parent{}, adminapi.Date{}, err
	}
	l, err := read(r)
	if err != nil {
		return l, adminapi.Date{}, err
	}
	d, found := l.find(uuid)
	if !found {
		return l, d, errGone
	}
	return l, d, nil
}

// showChange shows the form with its choices.
func (p pages) showChange(r *page.Request, f changeForm) (err error) {
	if f.choices, err = readChoices(r, f.event, f.values.place); err != nil {
		return err
	}
	f.script = r.Script
	refused := len(f.errors) > 0 || f.problem != "" || len(f.conflicts) > 0
	return form(r, f.parent, fullText(r.Text, f.date), changeDate(r.Text, f), refused)
}

// change stores a date, and with a scope further ones of its rule.
func (p pages) change(r *page.Request) error {
	l, d, err := loadDate(r, loadToEdit)
	if errors.Is(err, errGone) {
		return p.gone(r, readValues(r.Text, r.Form))
	}
	if err != nil {
		return err
	}
	f := changeForm{
		parent: l, date: d, values: readValues(r.Text, r.Form), scope: readScope(r.Form), formState: formState{base: r.Form.Get("base")},
	}
	if f.errors = f.values.check(r.Text); len(f.errors) > 0 {
		return p.showChange(r, f)
	}
	var written adminapi.WrittenDates
	err = l.write(r, unchanged(d.UUID, f.base), func(admin client.Admin) (err error) {
		written, err = admin.ChangeDates(l.event.UUID, d.UUID, l.tag, f.scope, f.body(r.Text))
		return err
	})
	if err != nil {
		return p.changeFailed(r, f, err)
	}
	return shown(r, l.event.UUID, outcome{
		focus: d.UUID, sent: changeFormOf(d), done: r.Text.Count("dates.changed.done", len(written.Dates)),
		warnings: warnedOf(written.Warnings, written.Dates),
	})
}

// body is the body of the request, with a status only if the form had one.
func (f changeForm) body(t *text.Texts) map[string]any {
	d := f.values.fields(t)
	body := map[string]any{
		"start_date": d.StartDate, "start_time": d.StartTime, "end_date": d.EndDate, "end_time": d.EndTime,
		"entry_time": d.EntryTime, "all_day": d.AllDay, "venue_uuid": d.VenueUUID, "space_uuid": d.SpaceUUID,
		"ticket_link": d.TicketLink, "accessibility_info": d.AccessibilityInfo, "hours": d.Hours,
		"on_sale_from": d.OnSaleFrom, "on_sale_until": d.OnSaleUntil, "previous_start": d.PreviousStart,
	}
	if f.values.tickets.statesPlaces() {
		body["availability"], body["remaining_places"] = d.Availability, d.RemainingPlaces
	}
	if f.values.tariffs.given {
		body["tariffs"] = d.Tariffs
	}
	if f.values.status != "" {
		body["release_status"], body["status_note"] = f.values.status, d.StatusNote
	}
	return body
}

// changeFailed shows the form again with why the date was not stored.
func (p pages) changeFailed(r *page.Request, f changeForm, err error) error {
	switch {
	case errors.Is(err, errGone):
		return p.gone(r, f.values)
	case errors.Is(err, version.ErrChanged):
		return p.conflict(r, f)
	}
	refused, message, shown := refusal(err)
	if !shown {
		return err
	}
	f.errors, f.problem = refused, message
	return p.showChange(r, f)
}

// conflict shows the version of another person next to the input. Sent again, the form stores the
// input.
func (p pages) conflict(r *page.Request, f changeForm) (err error) {
	if f.parent, err = load(r); err != nil {
		return err
	}
	stored, found := f.find(f.date.UUID)
	if !found {
		return p.gone(r, f.values)
	}
	f.date, f.base = stored, base(stored)
	if f.choices, err = readChoices(r, f.event, f.values.place); err != nil {
		return err
	}
	mine := f.values.fields(r.Text)
	mine.ReleaseStatus = cmp.Or(mine.ReleaseStatus, stored.ReleaseStatus)
	if !f.values.tickets.statesPlaces() {
		mine.DateAvailability = stored.DateAvailability
	}
	if !f.values.tariffs.given {
		mine.Tariffs = stored.Tariffs
	}
	f.conflicts = f.differences(r, mine, stored.DateFields)
	if len(f.conflicts) == 0 { // both have typed the same
		return shown(r, f.event.UUID, outcome{focus: stored.UUID, sent: changeFormOf(stored), done: r.Text.Count("dates.changed.done", 1)})
	}
	f.changed = version.ChangedBy(r, f.event.UUID, version.HasItem("dates", stored.UUID))
	return p.showChange(r, f)
}

// differences are the fields in which two versions of a date differ.
func (f changeForm) differences(r *page.Request, mine, theirs adminapi.DateFields) (all []view.Difference) {
	t := r.Text
	status := func(s string) string { return cmp.Or(statusText(t, s), t.T("dates.status.inherited")) }
	for _, field := range []struct{ label, mine, theirs string }{
		{"dates.when", fullText(t, adminapi.Date{DateFields: mine}), fullText(t, adminapi.Date{DateFields: theirs})},
		{"dates.entry_time", string(mine.EntryTime), string(theirs.EntryTime)},
		{"dates.place", f.placeText(mine), f.placeText(theirs)},
		{"dates.ticket_link", string(mine.TicketLink), string(theirs.TicketLink)},
		{"dates.on_sale_from", momentText(t, mine.OnSaleFrom), momentText(t, theirs.OnSaleFrom)},
		{"dates.on_sale_until", momentText(t, mine.OnSaleUntil), momentText(t, theirs.OnSaleUntil)},
		{"dates.places", placesText(t, mine.DateAvailability), placesText(t, theirs.DateAvailability)},
		{"dates.tariffs", tariffText(t, mine), tariffText(t, theirs)},
		{"dates.previous", momentText(t, mine.PreviousStart), momentText(t, theirs.PreviousStart)},
		{"dates.accessibility", string(mine.AccessibilityInfo), string(theirs.AccessibilityInfo)},
		{"dates.hours", hoursText(t, mine.Hours), hoursText(t, theirs.Hours)},
		{"dates.status", status(mine.ReleaseStatus), status(theirs.ReleaseStatus)},
		{"dates.status_note", string(mine.StatusNote), string(theirs.StatusNote)},
	} {
		if field.mine != field.theirs {
			all = append(all, view.Difference{
				Label: t.T(field.label), Mine: cmp.Or(field.mine, "–"), Theirs: cmp.Or(field.theirs, "–"),
			})
		}
	}
	return all
}

// placeText writes the place of a version.
func (f changeForm) placeText(d adminapi.DateFields) string {
	key := placeKey(string(d.VenueUUID), string(d.SpaceUUID))
	at := slices.IndexFunc(f.places, func(o view.Option) bool { return o.Value == key })
	if at < 0 {
		return key
	}
	return f.places[at].Label
}

// refuse shows the section with why something was not done.
func (p pages) refuse(r *page.Request, l parent, problem string) error {
	return p.refuseWith(r, l, outcome{problem: problem, focus: onHeading})
}

// refuseWith shows the section after something was not done.
func (p pages) refuseWith(r *page.Request, l parent, o outcome) error {
	content, err := drawn(r, l, o)
	if err != nil {
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	if r.Script {
		r.Header("HX-Retarget", "#dates")
		r.Header("HX-Reswap", "outerHTML")
		return r.ShowPart(content)
	}
	return p.whole(r, l.event.UUID, "dates", content)
}

// statuses are offered by the form of a date, including its current one.
func statuses(present string) []string {
	offered := []string{
		adminapi.StatusInherited, adminapi.StatusCancelled, adminapi.StatusDeferred, adminapi.StatusRescheduled,
	}
	if present != "" && !slices.Contains(offered, present) {
		offered = append(offered, present)
	}
	return offered
}
