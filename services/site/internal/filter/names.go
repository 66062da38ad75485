package filter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
	"litfass/services/site/internal/page"
)

// Names are the names of a filter's values.
type Names struct {
	by    map[string]map[string]string // by parameter and value
	types publicapi.Types              // empty unless the filter has types or genres
}

// of returns the name of a value, the value itself when it has none.
func (n Names) of(parameter, value string) string {
	if name := n.by[parameter][value]; name != "" {
		return name
	}
	return value
}

// choosable are the lists that name the values of parameters.
var choosable = map[string]string{
	"categories":       "/api/choosable-categories",
	"languages":        "/api/choosable-languages",
	"label":            "/api/choosable-labels",
	"countries":        "/api/choosable-countries",
	"space_types":      "/api/choosable-space-types",
	"price_types":      "/api/choosable-price-types",
	"availability":     "/api/choosable-availabilities",
	"release_statuses": "/api/choosable-release-statuses",
	"accessibility":    "/api/accessibility/flags",
	"visitor_infos":    "/api/visitor-info/flags",
}

// records are the operations that name the values of parameters one by one.
var records = map[string]string{
	"venue_uuids": "/api/venue/", "org_uuids": "/api/organization/", "list": "/api/list/", "series_uuids": "/api/series/",
	"contributor": "/api/contributor/",
}

// maxRecords is the number of values of one parameter that are named.
const maxRecords = 5

// naming reads names. It is safe for concurrent use.
type naming struct {
	api *client.Reads
	r   *page.Request

	mu    sync.Mutex
	names Names
}

// ReadNames reads the names of the values in the address.
func ReadNames(ctx context.Context, api *client.Reads, r *page.Request) (Names, error) {
	n := &naming{api: api, r: r, names: Names{by: map[string]map[string]string{}}}
	reads, ctx := errgroup.WithContext(ctx)
	for parameter, path := range choosable {
		if r.Has(parameter) {
			reads.Go(func() error { return n.list(ctx, parameter, path) })
		}
	}
	for parameter, path := range records {
		values := r.Items(parameter)
		for _, value := range values[:min(len(values), maxRecords)] {
			reads.Go(func() error { return n.record(ctx, parameter, path, value) })
		}
	}
	if r.Has("event_types") || r.Has("genres") {
		reads.Go(func() error { return n.typesAndGenres(ctx) })
	}
	if r.Has("geolist_region") {
		reads.Go(func() error { return n.region(ctx) })
	}
	err := reads.Wait()
	return n.names, err
}

// tellApart reads the notes of those contributors that have the name of another one.
func (n *Names) tellApart(ctx context.Context, api *client.Reads, r *page.Request, contributors []publicapi.Facet) error {
	bearers := map[string]int{}
	for _, c := range contributors {
		bearers[strings.ToLower(c.Name)]++
	}
	named := &naming{api: api, r: r, names: *n}
	reads, ctx := errgroup.WithContext(ctx)
	for _, c := range contributors {
		if bearers[strings.ToLower(c.Name)] > 1 {
			reads.Go(func() error { return named.record(ctx, "contributor", records["contributor"], c.Value) })
		}
	}
	return reads.Wait()
}

func (n *naming) set(parameter, value, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names.by[parameter] == nil {
		n.names.by[parameter] = map[string]string{}
	}
	n.names.by[parameter][value] = name
}

func (n *naming) lang() url.Values { return url.Values{"lang": {n.r.Text.Code}} }

// list reads the names of a choosable list.
func (n *naming) list(ctx context.Context, parameter, path string) error {
	var items []struct {
		ID   any    `json:"id"`
		Name string `json:"name"`
	}
	if err := n.api.List(ctx, path, n.lang(), &items); err != nil {
		return err
	}
	for _, item := range items {
		n.set(parameter, fmt.Sprint(item.ID), item.Name)
	}
	return nil
}

// record reads the name of a venue, an organization, a contributor, a series or a list. One that is
// not there has none; the search refuses malformed uuids.
func (n *naming) record(ctx context.Context, parameter, path, value string) error {
	var record struct {
		Name   string            `json:"name"`
		Titles map[string]string `json:"titles"` // of a list, by language
		Title  string            `json:"title"`  // of a series
		Note   string            `json:"note"`   // of a contributor, which distinguishes it from namesakes
		Parts  []struct {
			UUID  string `json:"uuid"`
			Title string `json:"title"`
		} `json:"parts"` // of a series, of which the value may name one
	}
	err := n.api.Data(ctx, path+url.PathEscape(value), nil, &record)
	if isRefusal(err) {
		return nil
	}
	name := cmp.Or(record.Titles[n.r.Text.Code], record.Name, record.Title)
	if record.Note != "" {
		name += " (" + record.Note + ")"
	}
	for _, part := range record.Parts {
		if part.UUID == value {
			name += ", " + part.Title
		}
	}
	n.set(parameter, value, name)
	return err
}

// region reads the name of the region.
func (n *naming) region(ctx context.Context) error {
	value := n.r.Value("geolist_region")
	country, rest, _ := strings.Cut(value, ",")
	state, _, _ := strings.Cut(rest, ",")
	var answer struct {
		Regions []struct {
			Name          string `json:"name"`
			GeolistRegion string `json:"geolist_region"`
		} `json:"regions"`
	}
	err := n.api.Data(ctx, "/api/geolist/regions", url.Values{"country": {country}, "state": {state}}, &answer)
	if isRefusal(err) {
		return nil
	}
	for _, region := range answer.Regions {
		n.set("geolist_region", region.GeolistRegion, region.Name)
	}
	return err
}

// isRefusal reports whether the API rejected a request as unknown or invalid.
func isRefusal(err error) bool {
	var f *fault.Fault
	return errors.As(err, &f) && (f.Kind == fault.NotFound || f.Kind == fault.Invalid)
}

// typesAndGenres reads the names of types and genres, and which genres a type has.
func (n *naming) typesAndGenres(ctx context.Context) error {
	var byLang map[string]publicapi.Types
	if err := n.api.Data(ctx, "/api/event/type-genre-lookup", n.lang(), &byLang); err != nil {
		return err
	}
	types := byLang[n.r.Text.Code]
	for id, kind := range types.Types {
		n.set("event_types", id, kind.Name)
		for genre, name := range kind.Genres {
			n.set("genres", genre, name)
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.names.types = types
	return nil
}
