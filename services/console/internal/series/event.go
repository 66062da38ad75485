package series

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// ofEvent is the series of an event, and others that it may ask for.
type ofEvent struct {
	*page.Request
	event   adminapi.Event
	tag     string
	may     bool
	choices []adminapi.SeriesChoice // those of the event first
	errors  view.Errors
}

func readOfEvent(r *page.Request) (o ofEvent, err error) {
	o.Request = r
	if o.event, o.tag, err = r.EventFor(permission.Set(0)); err != nil {
		return o, err
	}
	o.may = r.RightsTo(o.event).Has(permission.EditEvent)
	uuids := make([]string, len(o.event.Series))
	for i, of := range o.event.Series {
		uuids[i] = of.SeriesUUID
	}
	o.choices, err = r.Admin().ChoosableSeries(uuids, r.Query.Get("search"))
	return o, err
}

func (o ofEvent) show() error {
	return o.Show(view.Page{Title: o.Text.T("series.of_event") + " · " + o.event.Title, Section: o.event.OrgUUID, Content: eventPage(o)})
}

// state returns the state of the event in a series; "" if it does not ask to belong to it.
func (o ofEvent) state(series string) string {
	at := slices.IndexFunc(o.event.Series, func(of adminapi.EventSeries) bool { return of.SeriesUUID == series })
	if at < 0 {
		return ""
	}
	return o.event.Series[at].State
}

// options are the series to tick, with the state of the event.
func (o ofEvent) options() []view.Option {
	options := make([]view.Option, len(o.choices))
	for i, choice := range o.choices {
		hint, state := choice.OrgName, o.state(choice.UUID)
		if state != "" {
			hint += " · " + o.Text.T("series.state."+state)
		}
		options[i] = view.Option{Value: choice.UUID, Label: choice.Title, Hint: hint, Chosen: state != ""}
	}
	return options
}

// parts are the parts to choose for a date: those of the series that the event asks for.
func (o ofEvent) parts(date adminapi.Date) []view.Option {
	options := []view.Option{{Label: o.Text.T("series.no_part"), Chosen: date.SeriesPartUUID == ""}}
	for _, choice := range o.choices {
		if o.state(choice.UUID) == "" {
			continue
		}
		for _, part := range choice.Parts {
			options = append(options, view.Option{
				Value: part.UUID, Label: choice.Title + ": " + part.Title, Chosen: part.UUID == string(date.SeriesPartUUID),
			})
		}
	}
	return options
}

// save stores the ticked series, those of the event in its order first, and the parts of the dates.
// A date leaves the part of a series that is no longer ticked. What the person may not see stays.
func (o ofEvent) save() error {
	if !o.may {
		return page.ErrForbidden
	}
	_, err := o.Admin().PatchEvent(o.event.UUID)(o.tag, map[string]any{"series": o.typedSeries(), "dates": o.typedDates()})
	switch {
	case err == nil:
		return o.Go(page.EventPath(o.event.UUID)+"/series", "saved")
	case !view.Refusable(err, fault.Conflict):
		return err
	}
	o.errors = view.Errors{}
	for field, why := range view.Reasons(err) {
		field, _, _ = strings.Cut(field, "[")
		o.errors[field] = why
	}
	o.Status(http.StatusUnprocessableEntity)
	return o.show()
}

// whenOf writes the start of a date.
func (o ofEvent) whenOf(day, clock string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(o.Text.Day(at)+", "+clock, ", ")
}

func (o ofEvent) typedSeries() []map[string]any {
	ticked, known := o.Form.Values["series"], map[string]bool{}
	series := []map[string]any{}
	for _, choice := range o.choices {
		known[choice.UUID] = true
	}
	for _, of := range o.event.Series {
		if slices.Contains(ticked, of.SeriesUUID) || !known[of.SeriesUUID] {
			series = append(series, map[string]any{"series_uuid": of.SeriesUUID})
		}
	}
	for _, uuid := range ticked {
		if o.state(uuid) == "" {
			series = append(series, map[string]any{"series_uuid": uuid})
		}
	}
	return series
}

func (o ofEvent) typedDates() []adminapi.Date {
	seriesOf := map[string]string{} // by the part
	for _, choice := range o.choices {
		for _, part := range choice.Parts {
			seriesOf[part.UUID] = choice.UUID
		}
	}
	dates := slices.Clone(o.event.Dates)
	for i := range dates {
		part := &dates[i].SeriesPartUUID
		if typed, given := o.Form.Values["part-"+dates[i].UUID]; given && (*part == "" || seriesOf[string(*part)] != "") {
			*part = value.Text(typed[0])
		}
		if of := seriesOf[string(*part)]; of != "" && !slices.Contains(o.Form.Values["series"], of) {
			*part = ""
		}
	}
	return dates
}

// found returns the query of the page, with the words that were searched for.
func (o ofEvent) found() string {
	if words := o.Query.Get("search"); words != "" {
		return "?" + url.Values{"search": {words}}.Encode()
	}
	return ""
}
