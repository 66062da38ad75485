package search

import "litfass/services/query/internal/params"

// condition is one filter of a search with its parameters, which are dropped together.
type condition struct {
	parameters []string
	given      func(q params.Query) bool
	drop       func(q *params.Query)
}

// conditions are all filters, words included. The first parameter of each names it.
var conditions = []condition{
	listed("categories", func(q *params.Query) *[]int { return &q.Categories }),
	listed("event_types", func(q *params.Query) *[]int { return &q.EventTypes }),
	listed("genres", func(q *params.Query) *[]int { return &q.Genres }),
	listed("accessibility", func(q *params.Query) *[]int { return &q.Accessibility }),
	listed("visitor_infos", func(q *params.Query) *[]int { return &q.VisitorInfos }),
	listed("tags", func(q *params.Query) *[]string { return &q.Tags }),
	listed("label", func(q *params.Query) *[]string { return &q.Labels }),
	listed("availability", func(q *params.Query) *[]string { return &q.Availabilities }),
	{
		[]string{"available"},
		func(q params.Query) bool { return q.Available },
		func(q *params.Query) { q.Available = false },
	},
	listed("contributor", func(q *params.Query) *[]string { return &q.Contributors }),
	listed("languages", func(q *params.Query) *[]string { return &q.Languages }),
	listed("release_statuses", func(q *params.Query) *[]string { return &q.ReleaseStatuses }),
	listed("space_types", func(q *params.Query) *[]string { return &q.SpaceTypes }),
	listed("countries", func(q *params.Query) *[]string { return &q.Countries }),
	listed("org_uuids", func(q *params.Query) *[]string { return &q.OrgUUIDs }),
	listed("venue_uuids", func(q *params.Query) *[]string { return &q.VenueUUIDs }),
	listed("event_uuids", func(q *params.Query) *[]string { return &q.EventUUIDs }),
	single("title", func(q *params.Query) **params.Pattern { return &q.Title }),
	single("venue", func(q *params.Query) **params.Pattern { return &q.Venue }),
	single("city", func(q *params.Query) **params.Pattern { return &q.City }),
	listed("postal_code", func(q *params.Query) *[]params.Pattern { return &q.PostalCodes }),
	listed("series_uuids", func(q *params.Query) *[]string { return &q.SeriesUUIDs }),
	listed("space_uuids", func(q *params.Query) *[]string { return &q.SpaceUUIDs }),
	listed("price_types", func(q *params.Query) *[]string { return &q.PriceTypes }),
	single("on", func(q *params.Query) **params.Days { return &q.On }),
	single("time", func(q *params.Query) **params.TimeRange { return &q.Time }),
	single("age", func(q *params.Query) **params.AgeRange { return &q.Age }),
	single("price", func(q *params.Query) **params.Price { return &q.Price }),
	single("geolist_region", func(q *params.Query) **params.Region { return &q.Region }),
	withParameters(single("lon", func(q *params.Query) **params.Circle { return &q.Circle }), "lat", "radius"),
	day("end", func(q *params.Query) *params.Day { return &q.End }),
	day("starts_before", func(q *params.Query) *params.Day { return &q.StartsBefore }),
	{
		[]string{"not_over"},
		func(q params.Query) bool { return q.NotOver },
		func(q *params.Query) { q.NotOver, q.EndsAfter, q.EndsOn = false, 0, 0 },
	},
	{
		[]string{"start"},
		func(q params.Query) bool { return q.Start != 0 && !q.Ongoing },
		func(q *params.Query) { q.Start = 0 },
	},
	{
		[]string{"start", "ongoing"},
		func(q params.Query) bool { return q.Start != 0 && q.Ongoing },
		func(q *params.Query) { q.Start, q.Ongoing = 0, false },
	},
	{
		[]string{"search"},
		func(q params.Query) bool { return q.Search != "" },
		func(q *params.Query) { q.Search = "" },
	},
}

func listed[V any](name string, field func(*params.Query) *[]V) condition {
	return condition{
		[]string{name},
		func(q params.Query) bool { return len(*field(&q)) > 0 },
		func(q *params.Query) { *field(q) = nil },
	}
}

func single[V any](name string, field func(*params.Query) **V) condition {
	return condition{
		[]string{name},
		func(q params.Query) bool { return *field(&q) != nil },
		func(q *params.Query) { *field(q) = nil },
	}
}

func day(name string, field func(*params.Query) *params.Day) condition {
	return condition{
		[]string{name},
		func(q params.Query) bool { return *field(&q) != 0 },
		func(q *params.Query) { *field(q) = 0 },
	}
}

func withParameters(c condition, parameters ...string) condition {
	c.parameters = append(c.parameters, parameters...)
	return c
}

// without returns a query without one of its conditions, and whether it had that one.
func without(q params.Query, parameter string) (params.Query, bool) {
	for _, c := range conditions {
		if c.parameters[0] == parameter && c.given(q) {
			c.drop(&q)
			return q, true
		}
	}
	return q, false
}
