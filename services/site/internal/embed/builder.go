package embed

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
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

// builderFields are the parameters of the filter for which the builder has fields. It carries the
// others on.
var builderFields = []string{"search", "city", "categories", "event_types", "limit"}

// showBuilder answers the form that composes a list for another website, with its code.
func showBuilder(ctx context.Context, api *client.Reads, r *page.Request) (view.Page, error) {
	filter := r.Filter(append(look, "offset", "last_event_start_at", "last_event_date_uuid")...)
	builder := Builder{
		Scope: r.Scope(), Filter: filter, Snippet: snippetOf(r, filter), Extra: extraFilters(r, filter),
	}
	reads, reading := errgroup.WithContext(ctx)
	reads.Go(func() (err error) {
		builder.Preview, err = read(reading, api, inLanguage(r, builder.Snippet.Lang), filter)
		return err
	})
	lang := url.Values{"lang": {r.Text.Code}}
	reads.Go(func() error { return api.List(reading, "/api/choosable-categories", lang, &builder.Categories) })
	reads.Go(func() error { return api.List(reading, "/api/choosable-event-types", lang, &builder.EventTypes) })
	if err := reads.Wait(); err != nil {
		return view.Page{}, err
	}
	return builderPage(builder), nil
}

// snippetOf returns the data of the code for another website.
func snippetOf(r *page.Request, filter url.Values) Snippet {
	rows, _ := strconv.Atoi(r.Parameters.Get("rows")) // checkLook refuses others
	return Snippet{
		Public: r.Brand.Public, Filter: filter, View: r.Parameters.Get("view"), Heading: strings.TrimSpace(r.Parameters.Get("heading")),
		Theme: r.Parameters.Get("theme"), Lang: r.Parameters.Get("embed_lang"), Rows: rows,
	}
}

// inLanguage returns the request as if it named another language; "" is its own.
func inLanguage(r *page.Request, lang string) *page.Request {
	if lang == "" {
		return r
	}
	other := *r
	other.Text = text.Of(lang)
	return &other
}

// oneID matches the value of a filter that a field with one choice can show.
var oneID = regexp.MustCompile(`^\d*$`)

// extraFilters returns the filters that the form has no fields for, each with the address without
// it.
func extraFilters(r *page.Request, filter url.Values) []ExtraFilter {
	var extra []ExtraFilter
	for _, name := range slices.Sorted(maps.Keys(filter)) {
		value := strings.Join(filter[name], ",")
		if slices.Contains(builderFields, name) && (name != "event_types" || oneID.MatchString(value)) {
			continue
		}
		without := []string{name}
		if slices.Contains(page.Circle, name) {
			without = page.Circle
		}
		extra = append(extra, ExtraFilter{Name: name, Value: value, Without: r.Link(builderPath, page.Clone(r.Parameters, without...))})
	}
	return extra
}
