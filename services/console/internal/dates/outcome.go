package dates

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
)

// maxWarned is how many warnings are shown one by one.
const maxWarned = 5

// outcome is the result of a write, for the section that is drawn after it.
type outcome struct {
	focus    string // uuid of the date to go to, or onHeading; "" leaves the focus where it is
	done     string // the success, in words; "" for none
	sent     string // id of the form that has arrived: the browser drops its copy of the input
	problem  string // why something was not done
	warnings []dateWarning
	open     templ.Component // a form that is open in the section; nil for none
}

// onHeading is the focus on the heading of the section.
const onHeading = "heading"

// dateWarning is a warning of the admin service about a date.
type dateWarning struct {
	code  string
	date  adminapi.Date
	event string // the other event; "" for none, as of a warning about the venue
}

// warning is a warning as it is shown, with the title of the other event.
type warning struct {
	text  string
	title string // of the other event; "" when the person may not see it
	event string
}

// warnedOf returns the warnings of a write about its dates.
func warnedOf(warnings []adminapi.Warning, dates []adminapi.Date) (all []dateWarning) {
	for _, w := range warnings {
		if i := placeIn(w.Field); i >= 0 && i < len(dates) {
			other := string(w.UUID)
			if w.Code == adminapi.WarnVenueNotApproved { // which names the venue
				other = ""
			}
			all = append(all, dateWarning{w.Code, dates[i], other})
		}
	}
	return all
}

// placeIn returns which date a field such as dates[3] names; -1 for another field.
func placeIn(field string) int {
	inner, found := strings.CutPrefix(field, "dates[")
	number, _, closed := strings.Cut(inner, "]")
	place, err := strconv.Atoi(number)
	if !found || !closed || err != nil {
		return -1
	}
	return place
}

// address is where people without scripts see the outcome.
func (o outcome) address(event string) string {
	query := url.Values{}
	for _, w := range o.warnings[:min(len(o.warnings), maxWarned)] {
		query.Add("warned", w.code+"."+w.date.UUID+"."+w.event)
	}
	address, fragment := pathOf(event), "#dates"
	if o.focus != "" && o.focus != onHeading {
		fragment = "#date-" + o.focus
		query.Set("from", o.focus)
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address + fragment
}

// warningsOfQuery returns the warnings that the address names.
func warningsOfQuery(r *page.Request, e adminapi.Event) (all []dateWarning) {
	for _, text := range r.Query["warned"] {
		parts := strings.Split(text, ".")
		if len(parts) != 3 || len(all) == maxWarned {
			continue
		}
		event, _ := value.UUIDv7(parts[2])
		if d, found := (parent{event: e}).find(parts[1]); found {
			all = append(all, dateWarning{parts[0], d, event})
		}
	}
	return all
}

// describe writes warnings for people. The other event is named only if the person may see it.
func describe(r *page.Request, warnings []dateWarning) (all []warning, err error) {
	titles := map[string]string{}
	for _, w := range warnings[:min(len(warnings), maxWarned)] {
		if !slices.Contains(warningCodes, w.code) {
			continue
		}
		if _, known := titles[w.event]; !known && w.event != "" {
			if titles[w.event], err = titleOf(r, w.event); err != nil {
				return nil, err
			}
		}
		all = append(all, warning{
			text: r.Text.With("dates.warning."+w.code, "Date", fullText(r.Text, w.date)), title: titles[w.event], event: w.event,
		})
	}
	if more := len(warnings) - maxWarned; more > 0 {
		all = append(all, warning{text: r.Text.Count("dates.warning.more", more)})
	}
	return all, nil
}

// warningCodes are the codes of warnings that have a message.
var warningCodes = []string{adminapi.WarnDatePast, adminapi.WarnSpaceTaken, adminapi.WarnVenueTaken, adminapi.WarnVenueNotApproved}

// titleOf returns the title of another event, "" for one that the person may not see.
func titleOf(r *page.Request, uuid string) (string, error) {
	e, _, err := r.Admin().Event(uuid)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return "", nil
	}
	return e.Title, err
}
