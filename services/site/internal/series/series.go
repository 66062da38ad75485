// Package series is the page of a series, such as a festival: its programme by day and part.
package series

import (
	"bytes"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/detail"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/view"
)

const (
	prefix = "/series/"
	// gone is the code of a series that is not there.
	gone = "series_gone"
	// maxDates is the number of dates in one answer of the API. The page links to the others.
	maxDates = 200
)

// Mount adds the page of a series.
func Mount(r page.Router) { r.Page(prefix+":slug", show) }

// Path returns the path of the page of a series.
func Path(slug string) string { return prefix + url.PathEscape(slug) }

// data is the data of the page of a series.
type data struct {
	publicapi.ShownSeries
	Names detail.Names
	Days  []day
	Over  bool // all dates are over
	More  bool // than the page shows
}

// day is a day of the programme.
type day struct {
	Date  string // 2026-11-20
	Parts []part
}

// part is a part of the series on a day; Title is "" for dates in none.
type part struct {
	publicapi.SeriesPart
	Dates []publicapi.Listed
}

// show answers the page of a series with its dates that are not over, or else all.
func show(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	slug, err := url.PathUnescape(strings.TrimPrefix(r.Path, prefix))
	if err != nil {
		return view.Page{}, detail.Missing(gone)
	}
	d := data{}
	err = api.Data(ctx, "/api/series/"+url.PathEscape(slug), nil, &d.ShownSeries)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Invalid) {
		return view.Page{}, detail.Missing(gone)
	}
	if err != nil {
		return view.Page{}, err
	}
	var events publicapi.Events
	var structured []byte
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		events, d.Over, err = readDates(reading, api, d.ShownSeries)
		return err
	})
	reads.Go(func() (err error) {
		// The API writes no "<"; a page does not depend on it. The escape means the same in JSON.
		text, err := api.Text(reading, "/api/series/"+url.PathEscape(d.Slug)+".jsonld", nil)
		structured = bytes.ReplaceAll(text, []byte("<"), []byte(`\u003c`))
		return err
	})
	detail.LookUp(reading, reads, api, r.Text.Code, &d.Names, detail.Needs{Licenses: d.Image != nil && d.Image.License != ""})
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	d.Days, d.More = programme(d.Parts, events.Events), len(events.Events) == maxDates
	s, err := detail.Scope(ctx, api, r, events.Events)
	if err != nil {
		return view.Page{}, err
	}
	return view.Page{
		Title: d.Title, Description: view.Describe(d.Subtitle + "\n\n" + d.Description), Canonical: Path(d.Slug),
		Image: d.shareImage(events.Events), HasFeed: true, Feed: d.feed(r.Text.Code), Structured: structured,
		NoIndex: len(events.Events) == 0, Content: series(s, d),
	}, nil
}

// imageID is the name of the image of the series, for the methods of view.Images.
func (d data) imageID() string { return view.Versioned(d.Image.UUID, d.Image.Path) }

// shareImage returns the path of the image of the series, or else of the first of its events.
func (d data) shareImage(events []publicapi.Listed) string {
	if d.Image == nil {
		return detail.ShareImageOf(events)
	}
	return view.ShareImage(d.imageID())
}

// readDates reads the dates of a series that are not over, and if there are none, all.
func readDates(
	ctx context.Context, api *client.Reads, of publicapi.ShownSeries,
) (events publicapi.Events, over bool, err error) {
	asked := url.Values{"series_uuids": {of.UUID}, "limit": {strconv.Itoa(maxDates)}, page.NotOver: {"true"}}
	if err = api.Data(ctx, "/api/events", asked, &events); err != nil || len(events.Events) > 0 || of.Dates == 0 {
		return events, false, err
	}
	asked.Del(page.NotOver)
	return events, true, api.Data(ctx, "/api/events", asked, &events)
}

// programme puts dates, which are by start, under their days, and these under their parts in order;
// dates in none come first.
func programme(parts []publicapi.SeriesPart, dates []publicapi.Listed) (days []day) {
	for len(dates) > 0 {
		same := 1
		for same < len(dates) && dates[same].StartDate == dates[0].StartDate {
			same++
		}
		one := day{Date: dates[0].StartDate}
		for _, p := range append([]publicapi.SeriesPart{{}}, parts...) {
			in := part{SeriesPart: p}
			for _, date := range dates[:same] {
				if string(date.SeriesPartUUID) == p.UUID {
					in.Dates = append(in.Dates, date)
				}
			}
			if len(in.Dates) > 0 {
				one.Parts = append(one.Parts, in)
			}
		}
		days, dates = append(days, one), dates[same:]
	}
	return days
}

// when returns the days of the series, which without a last one has no end.
func (d data) when() view.When {
	w := view.When{StartDate: string(d.StartDate), EndDate: d.EndDate, AllDay: true}
	if d.EndDate == "" {
		w.Opening = hours.Hours{Weekly: []hours.Weekly{{}}} // only periods with hours have no end
	}
	return w
}

// filter returns the parameters that find the dates of the series.
func (d data) filter() url.Values { return url.Values{"series_uuids": {d.UUID}} }

// inPart returns those that find the dates of a part.
func inPart(p publicapi.SeriesPart) url.Values { return url.Values{"series_uuids": {p.UUID}} }

// feed returns the query of the feeds of the series in a language.
func (d data) feed(lang string) string {
	return "?" + url.Values{"series_uuids": {d.UUID}, page.NotOver: {"true"}, "lang": {lang}}.Encode()
}

// in returns the attribute of an element with a text of the series.
func (d data) in(s view.Scope, translation func(publicapi.SeriesText) string) templ.Attributes {
	return view.SeriesIn(s.Text, d.Series, translation)
}

func subtitle(t publicapi.SeriesText) string { return t.Subtitle }

func description(t publicapi.SeriesText) string { return t.Description }

// original is for the texts of parts, which have no translations.
func original(publicapi.SeriesText) string { return "" }

// dayOf returns the time of a day of the programme.
func dayOf(d day) view.When { return view.When{StartDate: d.Date, AllDay: true} }
