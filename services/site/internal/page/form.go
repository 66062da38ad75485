package page

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/text"
	"litfass/services/site/internal/view"
)

const (
	// mostCities is how many cities can be chosen from: those with the most dates.
	mostCities = 60
	// mostFiner is how many genres are linked.
	mostFiner = 12
)

// formOf returns the form of filters: what the address says, and what else there is to choose.
func formOf(r *Request, read listed) view.Form {
	f := view.Form{
		Search: r.value("search"), Start: r.value("start"), StartsBefore: r.value("starts_before"), Age: r.value("age"),
		Cities: cities(r, read.counts), Times: times(r), Prices: prices(r, read.counts),
		Groups: []view.Group{
			groupOfValues(r, read, "categories"), types(r, read),
			groupOfValues(r, read, "languages"), groupOfValues(r, read, "accessibility"),
		},
	}
	if f.Start == "today" {
		f.Start = r.Today.Format("2006-01-02")
	}
	if r.has("radius") {
		f.Radius = radii(r)
	}
	f.Hidden = hidden(r)
	f.Active = len(r.Filter(append(cursor, "search", "sort", "ongoing")...))
	return f
}

// fields are the parameters that the form shows. Those of groups are among them only while they
// have a group.
var fields = []string{"search", "city", "start", "starts_before", "time", "price", "age", "categories", "languages", "accessibility"}

// hidden returns the parameters that the form keeps without showing them.
func hidden(r *Request) (kept []view.Choice) {
	filter := r.Filter(append(cursor, fields...)...)
	filter.Del("ongoing")
	if r.has("genres") {
		filter.Del("genres")
	} else {
		filter.Del("event_types")
	}
	if r.has("radius") {
		filter.Del("radius")
	}
	for _, name := range slices.Sorted(maps.Keys(filter)) {
		for _, value := range filter[name] {
			kept = append(kept, view.Choice{Value: name, Name: value})
		}
	}
	kept = append(kept, view.Choice{Value: "ongoing", Name: "true"})
	if lang := r.Lang(); lang != "" {
		kept = append(kept, view.Choice{Value: "lang", Name: lang})
	}
	return kept
}

// cities returns the cities with the most dates, and the chosen one, by name.
func cities(r *Request, counts publicapi.Facets) (choices []view.Choice) {
	chosen := r.value("city")
	known := chosen == ""
	for i, facet := range counts.Facets["city"] {
		same := strings.EqualFold(facet.Value, chosen)
		if i < mostCities || same {
			choices = append(choices, view.Choice{Value: facet.Value, Name: facet.Value, Count: facet.Count, Chosen: same})
		}
		known = known || same
	}
	if !known {
		choices = append(choices, view.Choice{Value: chosen, Name: chosen, Chosen: true})
	}
	slices.SortFunc(choices, func(a, b view.Choice) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return choices
}

// groupOfValues returns the values of a list parameter: those that are counted, and those that are
// chosen though nothing has them.
func groupOfValues(r *Request, read listed, parameter string) view.Group {
	chosen := r.items(parameter)
	g := view.Group{Parameter: parameter, Title: r.Text.T("list.by." + parameter), Open: len(chosen) > 0 || parameter == "categories"}
	for _, facet := range read.counts.Facets[parameter] {
		g.Choices = append(g.Choices, view.Choice{
			Value: facet.Value, Name: cmp.Or(facet.Name, read.names.of(parameter, facet.Value)), Count: facet.Count,
			Chosen: slices.Contains(chosen, facet.Value),
		})
	}
	for _, value := range chosen {
		if !slices.ContainsFunc(g.Choices, func(c view.Choice) bool { return c.Value == value }) {
			g.Choices = append(g.Choices, view.Choice{Value: value, Name: read.names.of(parameter, value), Chosen: true})
		}
	}
	return g
}

// types returns the types of events with links to the genres of the chosen ones, or the genres of a
// type when genres are chosen: a search takes one of both (RULES.md, Search).
func types(r *Request, read listed) view.Group {
	if !r.has("genres") {
		g := groupOfValues(r, read, "event_types")
		for _, genre := range genresOf(read, r.items("event_types")) {
			link := r.Filter(append(cursor, "event_types")...)
			link.Set("genres", genre.Value)
			genre.Link = r.Link(r.Path, link)
			g.Finer = append(g.Finer, genre)
		}
		g.Finer = g.Finer[:min(len(g.Finer), mostFiner)]
		g.Open = g.Open || !r.has("categories")
		return g
	}
	g := groupOfValues(r, read, "genres")
	parents := typesOfGenres(read.names.types, r.items("genres"))
	g.Choices = slices.DeleteFunc(g.Choices, func(c view.Choice) bool {
		return !c.Chosen && !slices.ContainsFunc(parents, func(id string) bool { return read.names.types.Types[id].Genres[c.Value] != "" })
	})
	link := r.Filter(append(cursor, "genres")...)
	if len(parents) > 0 {
		link.Set("event_types", strings.Join(parents, ","))
	}
	g.Coarser = view.Choice{Name: coarser(r.Text, read.names.types, parents), Link: r.Link(r.Path, link)}
	return g
}

func coarser(t *text.Texts, types publicapi.Types, parents []string) string {
	named := make([]string, len(parents))
	for i, id := range parents {
		named[i] = types.Types[id].Name
	}
	if len(named) == 0 {
		return t.T("list.types.all")
	}
	return t.With("list.types.all_of", "Types", strings.Join(named, ", "))
}

// genresOf returns the counted genres of some types.
func genresOf(read listed, types []string) (genres []view.Choice) {
	for _, facet := range read.counts.Facets["genres"] {
		for _, id := range types {
			if name := read.names.types.Types[id].Genres[facet.Value]; name != "" {
				genres = append(genres, view.Choice{Value: facet.Value, Name: name, Count: facet.Count})
				break
			}
		}
	}
	return genres
}

// typesOfGenres returns the types that some genres belong to, by id.
func typesOfGenres(types publicapi.Types, genres []string) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(types.Types)) {
		if slices.ContainsFunc(genres, func(genre string) bool { return types.Types[id].Genres[genre] != "" }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// choices returns values to choose one of, with the chosen one behind them if it is another.
func choices(chosen string, offered []view.Choice, name func(string) string) []view.Choice {
	known := chosen == ""
	for i := range offered {
		offered[i].Chosen = offered[i].Value == chosen
		known = known || offered[i].Chosen
	}
	if !known {
		offered = append(offered, view.Choice{Value: chosen, Name: name(chosen), Chosen: true})
	}
	return offered
}

// times are parts of the day.
func times(r *Request) []view.Choice {
	c := chips{r: r, t: r.Text}
	return choices(r.value("time"), []view.Choice{
		{Value: "6,12", Name: r.Text.T("list.time.morning")}, {Value: "12,18", Name: r.Text.T("list.time.afternoon")},
		{Value: "18,22", Name: r.Text.T("list.time.evening")}, {Value: "22,4", Name: r.Text.T("list.time.night")},
	}, c.hours)
}

// prices are what visitors may want to pay at most.
func prices(r *Request, counts publicapi.Facets) []view.Choice {
	c := chips{r: r, t: r.Text}
	offered := make([]view.Choice, 0, 6)
	for _, value := range []string{"free", "donation", "10,EUR", "20,EUR", "50,EUR"} {
		offered = append(offered, view.Choice{Value: value, Name: c.price(value), Count: countOf(counts.Facets["price_type"], value)})
	}
	return choices(r.value("price"), offered, c.price)
}

func countOf(facets []publicapi.Facet, value string) int {
	for _, facet := range facets {
		if facet.Value == value {
			return facet.Count
		}
	}
	return 0
}

// radii are distances from the place that the address names.
func radii(r *Request) []view.Choice {
	var offered []view.Choice
	for _, metres := range []string{"2000", "5000", "10000", "25000", "50000", "100000"} {
		offered = append(offered, view.Choice{Value: metres, Name: distance(r.Text, metres)})
	}
	return choices(r.value("radius"), offered, func(metres string) string { return distance(r.Text, metres) })
}
