package filter

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/page"
	"litfass/services/site/internal/text"
)

const (
	// maxCities is the number of cities to choose from: those with the most dates.
	maxCities = 60
	// maxContributors is the number of contributors to choose from: those with the most dates.
	maxContributors = 24
	// maxFiner is the number of genres that are linked.
	maxFiner = 12
)

// formOf returns the form of filters: the values of the address, and the other choices. own are the
// parameters of the page besides the filter.
func formOf(r *page.Request, c Counts, own []string) Form {
	r = withPriceTypes(r)
	counts, names := c.Facets, c.names
	f := Form{
		Search: r.Value("search"), Start: r.Value("start"), StartsBefore: r.Value("starts_before"), Age: r.Value("age"),
		Cities: cities(r, counts), Times: times(r), Prices: prices(r),
		Groups: []Group{
			groupOfValues(r, counts, names, "label"), groupOfValues(r, counts, names, "categories"), types(r, counts, names),
			groupOfValues(r, counts, names, "price_types"), groupOfValues(r, counts, names, "languages"),
			groupOfValues(r, counts, names, "availability"), contributors(r, counts, names), groupOfValues(r, counts, names, "accessibility"),
		},
	}
	if f.Start == "today" {
		f.Start = r.Today.Format("2006-01-02")
	}
	if r.Has("radius") {
		f.Radius = radii(r)
	}
	f.Hidden = hidden(r)
	f.Active = len(r.Filter(slices.Concat(page.Cursor, own, []string{"search", "sort", "ongoing"})...))
	return f
}

// withPriceTypes returns a request for a type of price as its form writes it. The API takes it by
// two parameters, and a form with both would find nothing once another type is chosen.
func withPriceTypes(r *page.Request) *page.Request {
	price := r.Value("price")
	if price != "free" && price != "donation" {
		return r
	}
	return r.Without("price").WithValue("price_types", price)
}

// fields are the parameters that the form shows. The parameters of groups are among them only while
// they have a group.
var fields = []string{"search", "city", "start", "starts_before", "time", "price", "price_types", "age", "categories", "languages", "accessibility", "label", "availability", "contributor"}

// hidden returns the parameters that the form keeps without showing them.
func hidden(r *page.Request) (all []Choice) {
	filter := r.Filter(append(page.Cursor, fields...)...)
	filter.Del("ongoing")
	if r.Has("genres") {
		filter.Del("genres")
	} else {
		filter.Del("event_types")
	}
	if r.Has("radius") {
		filter.Del("radius")
	}
	for _, name := range slices.Sorted(maps.Keys(filter)) {
		for _, value := range filter[name] {
			all = append(all, Choice{Value: name, Name: value})
		}
	}
	if !r.Has("start") || r.Value("ongoing") == "true" {
		all = append(all, Choice{Value: "ongoing", Name: "true"})
	}
	if lang := r.Lang(); lang != "" {
		all = append(all, Choice{Value: "lang", Name: lang})
	}
	return all
}

// cities returns the cities with the most dates, and the chosen one, by name. One whose name the
// search takes for a pattern cannot be chosen.
func cities(r *page.Request, counts publicapi.Facets) (choices []Choice) {
	chosen := r.Value("city")
	known := chosen == ""
	for i, facet := range counts.Facets["city"] {
		same := strings.EqualFold(facet.Value, chosen)
		if pattern := strings.Trim(facet.Value, "*") != facet.Value; i < maxCities && !pattern || same {
			choices = append(choices, Choice{Value: facet.Value, Name: facet.Value, Count: facet.Count, Chosen: same})
		}
		known = known || same
	}
	if !known {
		choices = append(choices, Choice{Value: chosen, Name: chosen, Chosen: true})
	}
	slices.SortFunc(choices, func(a, b Choice) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return choices
}

// dimensionOf are the dimensions of parameters that are named otherwise.
var dimensionOf = map[string]string{"price_types": "price_type"}

// groupOfValues returns the values of a list parameter: the counted ones, and the chosen ones that
// no date has.
func groupOfValues(r *page.Request, counts publicapi.Facets, names Names, parameter string) Group {
	chosen := r.Items(parameter)
	g := Group{Parameter: parameter, Title: r.Text.T("list.by." + parameter), Open: len(chosen) > 0 || parameter == "categories" || parameter == "label"}
	for _, facet := range counts.Facets[cmp.Or(dimensionOf[parameter], parameter)] {
		g.Choices = append(g.Choices, Choice{
			Value: facet.Value, Name: cmp.Or(names.by[parameter][facet.Value], facet.Name, facet.Value), Count: facet.Count,
			Chosen: slices.Contains(chosen, facet.Value),
		})
	}
	for _, value := range chosen {
		if !slices.ContainsFunc(g.Choices, func(c Choice) bool { return c.Value == value }) {
			g.Choices = append(g.Choices, Choice{Value: value, Name: names.of(parameter, value), Chosen: true})
		}
	}
	return g
}

// offered are the counts of the contributors to choose from.
func offered(counts publicapi.Facets) []publicapi.Facet {
	all := counts.Facets["contributor"]
	return all[:min(len(all), maxContributors)]
}

// contributors returns the contributors with the most dates, and the chosen ones. Their uuids in
// the address may be those of merged ones.
func contributors(r *page.Request, counts publicapi.Facets, names Names) Group {
	g := groupOfValues(r, counts, names, "contributor")
	seen := 0
	g.Choices = slices.DeleteFunc(g.Choices, func(c Choice) bool {
		seen++
		return seen > maxContributors && !c.Chosen
	})
	return g
}

// types returns the types of events with links to the genres of the chosen ones, or the genres of a
// type when genres are chosen: a search takes only one of both (RULES.md, Search).
func types(r *page.Request, counts publicapi.Facets, names Names) Group {
	if !r.Has("genres") {
		g := groupOfValues(r, counts, names, "event_types")
		for _, genre := range genresOf(counts, names.types, r.Items("event_types")) {
			link := r.Filter(append(page.Cursor, "event_types")...)
			link.Set("genres", genre.Value)
			genre.Link = r.Link(r.Path, link)
			g.Finer = append(g.Finer, genre)
		}
		g.Finer = g.Finer[:min(len(g.Finer), maxFiner)]
		g.Open = g.Open || !r.Has("categories")
		return g
	}
	g := groupOfValues(r, counts, names, "genres")
	parents := typesOfGenres(names.types, r.Items("genres"))
	g.Choices = slices.DeleteFunc(g.Choices, func(c Choice) bool {
		return !c.Chosen && !slices.ContainsFunc(parents, func(id string) bool { return names.types.Types[id].Genres[c.Value] != "" })
	})
	link := r.Filter(append(page.Cursor, "genres")...)
	if len(parents) > 0 {
		link.Set("event_types", strings.Join(parents, ","))
	}
	g.Coarser = Choice{Name: coarser(r.Text, names.types, parents), Link: r.Link(r.Path, link)}
	return g
}

func coarser(t *text.Texts, types publicapi.Types, parents []string) string {
	names := make([]string, len(parents))
	for i, id := range parents {
		names[i] = types.Types[id].Name
	}
	if len(names) == 0 {
		return t.T("list.types.all")
	}
	return t.With("list.types.all_of", "Types", strings.Join(names, ", "))
}

// genresOf returns the counted genres of some types.
func genresOf(counts publicapi.Facets, known publicapi.Types, types []string) (genres []Choice) {
	for _, facet := range counts.Facets["genres"] {
		for _, id := range types {
			if name := known.Types[id].Genres[facet.Value]; name != "" {
				genres = append(genres, Choice{Value: facet.Value, Name: name, Count: facet.Count})
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

// choices returns values to choose one of, followed by the chosen one if it is another.
func choices(chosen string, offered []Choice, name func(string) string) []Choice {
	known := chosen == ""
	for i := range offered {
		offered[i].Chosen = offered[i].Value == chosen
		known = known || offered[i].Chosen
	}
	if !known {
		offered = append(offered, Choice{Value: chosen, Name: name(chosen), Chosen: true})
	}
	return offered
}

// times are parts of the day.
func times(r *page.Request) []Choice {
	c := chips{r: r, t: r.Text}
	return choices(r.Value("time"), []Choice{
		{Value: "6,12", Name: r.Text.T("list.time.morning")}, {Value: "12,18", Name: r.Text.T("list.time.afternoon")},
		{Value: "18,22", Name: r.Text.T("list.time.evening")}, {Value: "22,4", Name: r.Text.T("list.time.night")},
	}, c.hours)
}

// prices are the choices of a maximum price.
func prices(r *page.Request) []Choice {
	c := chips{r: r, t: r.Text}
	var offered []Choice
	for _, value := range []string{"10,EUR", "20,EUR", "50,EUR"} {
		offered = append(offered, Choice{Value: value, Name: c.price(value)})
	}
	return choices(r.Value("price"), offered, c.price)
}

// radii are distances from the place that the address names.
func radii(r *page.Request) []Choice {
	var offered []Choice
	for _, metres := range []string{"2000", "5000", "10000", "25000", "50000", "100000"} {
		offered = append(offered, Choice{Value: metres, Name: distance(r.Text, metres)})
	}
	return choices(r.Value("radius"), offered, func(metres string) string { return distance(r.Text, metres) })
}
