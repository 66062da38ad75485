// Package embed holds the pages for other websites: the list, week or month that they show in a
// frame, and the builder of the code that shows it.
package embed

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	embedPath   = "/embed"
	builderPath = "/embed/builder"
	// defaultDates is the number of dates in a list for other websites.
	defaultDates = "10"
	// maxDates is the number of dates in one answer of the API.
	maxDates = 200
	// maxRows is the number of rows that the element can reserve space for.
	maxRows = 50
)

// look are the parameters of pages for other websites, besides the filter.
var look = []string{"view", "heading", "heading_level", "theme", "format", "rows", "embed_lang"}

// parts are the parameters that select and order a part of the result.
var parts = []string{"limit", "offset", "last_event_start_at", "last_event_date_uuid", "group", "sort"}

// lookChoices are the parameters of the look that take one of a few values, or none.
var lookChoices = []struct {
	name   string
	values []string
}{
	{"view", []string{viewList, viewWeek, viewMonth}},
	{"heading_level", []string{"2", "3", "4", "5"}},
	{"theme", []string{"light", "dark", "auto"}},
	{"format", []string{"html", "fragment"}},
	{"embed_lang", language.Codes},
}

// Mount adds the page for frames and the builder of their code.
func Mount(r page.Router) {
	r.Page(embedPath, show)
	r.Page(builderPath, showBuilder)
}

// Framed is the page that other websites may show in a frame.
var Framed = page.FramePage{Path: embedPath, Failure: func(r *page.Request, f web.Failure) view.Page {
	return view.Page{Bare: true, Content: EmbedFailure(r.Text, f, isFragment(r))}
}}

// show answers the page for frames of other websites, or the same as a fragment of HTML.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	embed, err := read(ctx, api, r, r.Filter(look...))
	if err != nil {
		return view.Page{}, err
	}
	if isFragment(r) {
		return view.Page{Bare: true, NoIndex: true, Content: EmbedFragment(embed)}, nil
	}
	embed.Frame = true
	if embed.View != viewList {
		embed.Earlier, embed.Later = stepTo(r, embed.First.AddDate(0, 0, -1)), stepTo(r, embed.Last.AddDate(0, 0, 1))
	}
	return view.Page{Bare: true, NoIndex: true, Content: EmbedDocument(embed, r.Parameters.Get("theme"))}, nil
}

// isFragment reports whether HTML without a document is asked for.
func isFragment(r *page.Request) bool {
	return r.Path == embedPath && r.Parameters.Get("format") == "fragment"
}

// stepTo returns the address of the same page with the days around another one.
func stepTo(r *page.Request, day time.Time) string {
	parameters := page.Clone(r.Parameters, page.DayParameters...)
	parameters.Set("on", day.Format(time.DateOnly))
	return r.Link(embedPath, parameters)
}

// read reads what other websites show of a filter. The error is an Invalid fault when a
// parameter of its look has no value of those it takes, else the API's.
func read(ctx context.Context, api *client.Reads, r *page.Request, filter url.Values) (Embed, error) {
	embed := Embed{
		Scope: r.Scope(), Public: r.Brand.Public, Heading: r.Parameters.Get("heading"), Level: 2, View: viewList,
	}
	if err := checkLook(r); err != nil {
		return embed, err
	}
	if level, err := strconv.Atoi(r.Parameters.Get("heading_level")); err == nil {
		embed.Level = level
	}
	if view := r.Parameters.Get("view"); view != "" {
		embed.View = view
	}
	var err error
	if embed.View == viewList {
		err = embed.readList(ctx, api, r, fromTodayOn(r, filter))
	} else {
		embed.First, embed.Last = period(embed.View, around(r))
		err = embed.readDays(ctx, api, during(filter, embed.First, embed.Last))
	}
	embed.Filter = page.Clone(filter, parts...)
	embed.Feed = page.Clone(page.WithPast(fromTodayOn(r, filter)), parts...)
	return embed, err
}

// readList reads the dates of a list: those that begin on its first day or later, followed by those
// that began before as far as there is room.
func (e *Embed) readList(ctx context.Context, api *client.Reads, r *page.Request, query url.Values) error {
	var answer, before publicapi.Events
	begin, runs, split := r.Split(query)
	if err := api.Data(ctx, "/api/events", begin, &answer); err != nil {
		return err
	}
	e.Entries = answer.Events
	limit, _ := strconv.Atoi(query.Get("limit")) // the API has refused others
	left := limit - len(e.Entries)
	if !split || left <= 0 || !r.IsFirstPage() {
		return nil
	}
	runs.Set("limit", strconv.Itoa(left))
	err := api.Data(ctx, "/api/events", runs, &before)
	e.Entries = append(e.Entries, before.Events...)
	return err
}

// readDays reads the dates of a week or month, and takes the runs apart that began before it.
func (e *Embed) readDays(ctx context.Context, api *client.Reads, query url.Values) error {
	var answer publicapi.Events
	if err := api.Data(ctx, "/api/events", query, &answer); err != nil {
		return err
	}
	e.Cut = len(answer.Events) == maxDates
	for _, entry := range answer.Events {
		if when := view.WhenOf(entry.Entry); when.Several() && when.Start().Before(e.First) {
			e.Runs = append(e.Runs, entry)
		} else {
			e.Entries = append(e.Entries, entry)
		}
	}
	return nil
}

// checkLook returns an Invalid fault that names the parameters of the look that cannot be read.
func checkLook(r *page.Request) error {
	var violations fault.Violations
	for _, choice := range lookChoices {
		if given := r.Parameters.Get(choice.name); given != "" && !slices.Contains(choice.values, given) {
			violations.Add(choice.name, reason.NotOneOf(choice.values))
		}
	}
	if rows := r.Parameters.Get("rows"); rows != "" {
		if n, err := strconv.Atoi(rows); err != nil || n < 1 || n > maxRows {
			violations.Add("rows", reason.NotIntegerBetween(1, maxRows))
		}
	}
	return violations.Err("", "the look is not valid")
}

// around returns the day that the address names first, else today.
func around(r *page.Request) time.Time {
	for _, name := range []string{"on", "start"} {
		value := r.Parameters.Get(name)
		if day, err := time.Parse(time.DateOnly, value[:min(len(value), len(time.DateOnly))]); err == nil {
			return day
		}
	}
	return r.Day()
}

// period returns the first and the last day of the week or month that a day is in.
func period(kind string, day time.Time) (first, last time.Time) {
	if kind == viewWeek {
		first = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // weeks begin on Monday
		return first, first.AddDate(0, 0, 6)
	}
	first = day.AddDate(0, 0, 1-day.Day())
	return first, first.AddDate(0, 1, -1)
}

// fromTodayOn returns the parameters of a list: from today on unless the filter selects days.
func fromTodayOn(r *page.Request, filter url.Values) url.Values {
	query := page.FromTodayOf(r, filter)
	if slices.ContainsFunc(page.DayParameters, filter.Has) && !query.Has(page.NotOver) {
		query = page.Clone(filter)
	}
	if !query.Has("limit") {
		query.Set("limit", defaultDates)
	}
	return query
}

// during returns the parameters of the dates that run on at least one of these days.
func during(filter url.Values, first, last time.Time) url.Values {
	question := page.Clone(filter, slices.Concat(page.DayParameters, parts)...)
	question.Set("on", first.Format(time.DateOnly)+","+last.Format(time.DateOnly))
	question.Set("limit", strconv.Itoa(maxDates))
	return question
}
