package demo

import (
	"slices"
	"strconv"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// festivalItem is the key of the events that belong to the festival of their city.
const festivalItem = "festival"

// addFestival adds the festival of a city, with its places as stages and a picture. The events from
// the first one on are those of the city.
func (g *generator) addFestival(c city, hosts []host, first int) {
	v, id := words[c.language], identity("series", c.slug)
	series := rules.Series{
		UUID: id, OrgUUID: hosts[0].org, Slug: "festival-" + c.slug, Title: fill(v.festival, c, place{}), Public: true,
		Description: value.Text(fill(v.aboutFestival, c, place{})), WebLink: value.Text("https://www." + domain(c, hosts[0].place)),
		TextLanguage: value.Text(c.language),
	}
	if c.neighbours != "" {
		there := words[c.neighbours]
		series.Texts = adminapi.SeriesTexts{c.neighbours: {
			Title: value.Text(fill(there.festival, c, place{})), Description: value.Text(fill(there.aboutFestival, c, place{})),
		}}
	}
	stages, belong := map[string]string{}, map[string]string{} // by venue and by event
	for _, h := range hosts {
		for turn := range perItem {
			belong[identity("event", h.venue, festivalItem, strconv.Itoa(turn))] = h.venue
		}
	}
	for i := first; i < len(g.made.Events); i++ {
		e := &g.made.Events[i]
		venue := belong[e.UUID]
		if venue == "" {
			continue
		}
		part := stages[venue]
		if part == "" {
			part = identity("stage", id, venue)
			at := slices.IndexFunc(hosts, func(h host) bool { return h.venue == venue })
			series.Parts = append(series.Parts, adminapi.SeriesPart{UUID: part, Kind: adminapi.SeriesStage, Title: hosts[at].place.name})
			stages[venue] = part
		}
		e.Series = []rules.EventSeries{{SeriesUUID: id, State: adminapi.SeriesAccepted}}
		for n := range e.Dates {
			if d := &e.Dates[n]; d.VenueUUID == "" { // the others take place elsewhere
				d.SeriesPartUUID = value.Text(part)
			}
		}
	}
	number := chance("picture " + id).IntN(len(posters))
	for range posters { // a wide one
		if posters[number].Width > posters[number].Height {
			break
		}
		number = (number + 1) % len(posters)
	}
	image := g.draw(identity("image", id), series.Title, number)
	series.Image = (*adminapi.Image)(&image)
	g.made.Series = append(g.made.Series, series)
}
