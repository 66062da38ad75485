package page

import (
	"context"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"litfass/services/site/internal/client"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// builderFields are the parameters of the filter for which the builder has fields. It carries the
// others on.
var builderFields = []string{"search", "city", "categories", "event_types", "limit"}

// builder composes what another website shows, and the code for it.
func (d Deps) builder(ctx context.Context, api *client.Reads, r *Request) (view.Page, error) {
	filter := r.Filter(append(look, "offset", "last_event_start_at", "last_event_date_uuid")...)
	shown := view.Builder{
		Shown: d.shown(r), Filter: filter, Snippet: d.snippet(r, filter), Carried: r.carried(filter),
	}
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		shown.Preview, err = d.embedded(reading, api, r.inLanguage(shown.Snippet.Lang), filter)
		return err
	})
	named := url.Values{"lang": {r.Text.Code}}
	reads.Go(func() error { return api.List(reading, "/api/choosable-categories", named, &shown.Categories) })
	reads.Go(func() error { return api.List(reading, "/api/choosable-event-types", named, &shown.EventTypes) })
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return view.BuilderPage(shown), nil
}

// snippet returns what the code for another website is written from.
func (d Deps) snippet(r *Request, filter url.Values) view.Snippet {
	rows, _ := strconv.Atoi(r.Parameters.Get("rows")) // checkLook refuses others
	return view.Snippet{
		Public: d.Brand.Public, Filter: filter, View: r.Parameters.Get("view"), Heading: strings.TrimSpace(r.Parameters.Get("heading")),
		Theme: r.Parameters.Get("theme"), Lang: r.Parameters.Get("embed_lang"), Rows: rows,
	}
}

// inLanguage returns the request as if it named another language; "" is its own.
func (r *Request) inLanguage(lang string) *Request {
	if lang == "" {
		return r
	}
	other := *r
	other.Text = text.Of(lang)
	return &other
}

// oneID matches the value of a filter that a field with one choice can show.
var oneID = regexp.MustCompile(`^\d*$`)

// carried returns the filters that the form has no fields for, each with the address without it.
func (r *Request) carried(filter url.Values) []view.Carried {
	var carried []view.Carried
	for _, name := range slices.Sorted(maps.Keys(filter)) {
		value := strings.Join(filter[name], ",")
		if slices.Contains(builderFields, name) && (name != "event_types" || oneID.MatchString(value)) {
			continue
		}
		without := []string{name}
		if slices.Contains(circle, name) {
			without = circle
		}
		carried = append(carried, view.Carried{Name: name, Value: value, Without: r.Link(builderPath, clone(r.Parameters, without...))})
	}
	return carried
}
