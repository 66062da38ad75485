package page

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/view"
)

const (
	embedPath   = "/embed"
	builderPath = "/embed/builder"
	// embeddedDates is how many dates a list for other websites shows unless its limit says more.
	embeddedDates = "10"
	// mostDates is how many dates the API answers at once.
	mostDates = 200
	// mostRows is how many rows the element reserves a place for at most.
	mostRows = 50
)

// look are the parameters of what other websites show, besides the filter.
var look = []string{"view", "heading", "theme", "format", "rows", "embed_lang"}

// parts are the parameters that say which part of what is found is shown, and how.
var parts = []string{"limit", "offset", "last_event_start_at", "last_event_date_uuid", "group", "sort"}

// lookChoices are the parameters of the look that take one of a few values, or none.
var lookChoices = []struct {
	name   string
	values []string
}{
	{"view", []string{view.EmbedList, view.EmbedWeek, view.EmbedMonth}},
	{"theme", []string{"light", "dark", "auto"}},
	{"format", []string{"html", "fragment"}},
	{"embed_lang", language.Codes},
}

// embed is the page for frames of other websites, or the same as a fragment of HTML.
func (d Deps) embed(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	shown, err := d.embedded(ctx, api, r, r.Filter(look...))
	if err != nil {
		return view.Page{}, err
	}
	if r.fragment() {
		return view.Page{Bare: true, Content: view.EmbedFragment(shown)}, nil
	}
	shown.Frame = true
	if shown.View != view.EmbedList {
		shown.Earlier, shown.Later = r.stepTo(shown.First.AddDate(0, 0, -1)), r.stepTo(shown.Last.AddDate(0, 0, 1))
	}
	return view.Page{Bare: true, Content: view.EmbedDocument(shown, r.Parameters.Get("theme"))}, nil
}

// fragment reports whether HTML without a document is asked for.
func (r *Request) fragment() bool {
	return r.Path == embedPath && r.Parameters.Get("format") == "fragment"
}

// stepTo returns the address of the same page with the days around another one.
func (r *Request) stepTo(day time.Time) string {
	parameters := clone(r.Parameters, daysOfFilter...)
	parameters.Set("on", day.Format(time.DateOnly))
	return r.Link(embedPath, parameters)
}

// embedded reads what other websites show of a filter. The error is an Invalid fault when a
// parameter of its look has no value of those it takes, else the API's.
func (d Deps) embedded(ctx context.Context, api *client.Reads, r *Request, filter url.Values) (view.Embedded, error) {
	shown := view.Embedded{
		Shown: d.shown(r), Public: d.Brand.Public, Heading: r.Parameters.Get("heading"), View: view.EmbedList,
	}
	if err := r.checkLook(); err != nil {
		return shown, err
	}
	if asked := r.Parameters.Get("view"); asked != "" {
		shown.View = asked
	}
	question := fromTodayOn(filter)
	if shown.View != view.EmbedList {
		shown.First, shown.Last = period(shown.View, r.around())
		question = during(filter, shown.First, shown.Last)
	}
	var found publicapi.Events
	if err := api.Data(ctx, "/api/events", question, &found); err != nil {
		return shown, err
	}
	shown.Entries = found.Events
	shown.Cut = shown.View != view.EmbedList && len(found.Events) == mostDates
	shown.Filter = clone(filter, parts...)
	shown.Feed = clone(fromTodayOn(filter), parts...)
	return shown, nil
}

// checkLook returns an Invalid fault that names the parameters of the look that cannot be read.
func (r *Request) checkLook() error {
	var violations fault.Violations
	for _, choice := range lookChoices {
		if given := r.Parameters.Get(choice.name); given != "" && !slices.Contains(choice.values, given) {
			violations.Add(choice.name, "is none of %s", strings.Join(choice.values, ", "))
		}
	}
	if rows := r.Parameters.Get("rows"); rows != "" {
		if n, err := strconv.Atoi(rows); err != nil || n < 1 || n > mostRows {
			violations.Add("rows", "is no number from 1 to %d", mostRows)
		}
	}
	return violations.Err("", "the look is not valid")
}

// around returns the day that the address names first, else today.
func (r *Request) around() time.Time {
	for _, name := range []string{"on", "start"} {
		named := r.Parameters.Get(name)
		if day, err := time.Parse(time.DateOnly, named[:min(len(named), len(time.DateOnly))]); err == nil {
			return day
		}
	}
	return utc(r.Today)
}

// period returns the first and the last day of the week or month that a day is in.
func period(kind string, day time.Time) (first, last time.Time) {
	if kind == view.EmbedWeek {
		first = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // weeks begin on Monday
		return first, first.AddDate(0, 0, 6)
	}
	first = day.AddDate(0, 0, 1-day.Day())
	return first, first.AddDate(0, 1, -1)
}

// fromTodayOn returns what the API is asked for a list: from today on unless the filter says when.
func fromTodayOn(filter url.Values) url.Values {
	question := clone(filter)
	if !slices.ContainsFunc(daysOfFilter, filter.Has) {
		question.Set("start", "today")
		question.Set("ongoing", "true")
	}
	if !question.Has("limit") {
		question.Set("limit", embeddedDates)
	}
	return question
}

// during returns what the API is asked for the dates that run on at least one of these days.
func during(filter url.Values, first, last time.Time) url.Values {
	question := clone(filter, slices.Concat(daysOfFilter, parts)...)
	question.Set("on", first.Format(time.DateOnly)+","+last.Format(time.DateOnly))
	question.Set("limit", strconv.Itoa(mostDates))
	return question
}
