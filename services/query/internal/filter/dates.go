package filter

import (
	"slices"

	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/params"
)

// Places are the venues that a query's circle and region allow; the zero value allows every date,
// also those without a venue.
type Places struct {
	Limited bool
	Venues  []string // uuids; only when Limited
}

// Dates returns the condition for documents of the index "dates" to be found by a query (RULES.md,
// Search). It includes the cursor, but not paging, order and search words.
func Dates(q params.Query, places Places) Expr {
	return and{
		ids(q, places),
		lists(q),
		days(q),
		texts(q),
		people(q),
		after(q),
	}
}

// someOf is no condition if the list is empty: the parameter was not given.
func someOf(attribute string, values []string) Expr {
	if len(values) == 0 {
		return all{}
	}
	return anyOf(attribute, values, quoted)
}

func someNumber(attribute string, values []int) Expr {
	if len(values) == 0 {
		return all{}
	}
	return anyOf(attribute, values, number[int])
}

func ids(q params.Query, places Places) Expr {
	return and{
		someOf("uuid", q.EventUUIDs),
		venues("venue_uuid", q.VenueUUIDs, places),
		someOf("org_uuid", q.OrgUUIDs),
		someOf("space_uuid", q.SpaceUUIDs),
		series(q.SeriesUUIDs),
	}
}

// series matches the dates of series, and of parts of series.
func series(uuids []string) Expr {
	if len(uuids) == 0 {
		return all{}
	}
	return or{anyOf("series_uuids", uuids, quoted), anyOf("series_part_uuid", uuids, quoted)}
}

// venues combines the venues that a query names with the venues that its places allow.
func venues(attribute string, uuids []string, places Places) Expr {
	if !places.Limited {
		return someOf(attribute, uuids)
	}
	allowed := places.Venues
	if len(uuids) > 0 {
		allowed = intersect(uuids, places.Venues)
	}
	return anyOf(attribute, allowed, quoted)
}

func intersect(a, b []string) []string {
	known := make(map[string]bool, len(a))
	for _, id := range a {
		known[id] = true
	}
	return slices.DeleteFunc(slices.Clone(b), func(id string) bool { return !known[id] })
}

func lists(q params.Query) Expr {
	return and{
		someNumber("genre_ids", q.Genres),
		someNumber("type_ids", q.EventTypes),
		someNumber("categories", q.Categories),
		someOf("venue_country", q.Countries),
		someOf("space_type", q.SpaceTypes),
		someOf("languages", q.Languages),
		someOf("release_status", q.ReleaseStatuses),
		someOf("price_type", q.PriceTypes),
		tags(q.Tags),
		someOf("labels", q.Labels),
		someOf("availability", q.Availabilities),
		available(q),
		someOf("contributor_uuids", q.Contributors),
		allOf("accessibility_bits", q.Accessibility),
		allOf("visitor_bits", q.VisitorInfos),
	}
}

// available finds dates for which there are places, as far as they state it.
func available(q params.Query) Expr {
	if !q.Available {
		return all{}
	}
	return and{
		anyOf("availability", params.Bookable, quoted),
		anyOf("release_status", []string{"released", "rescheduled"}, quoted), // it takes place
	}
}

func tags(tags []string) Expr {
	keys := make([]string, len(tags))
	for i, tag := range tags {
		keys[i] = document.ExactKey(tag)
	}
	return someOf("tag_keys", keys)
}

func days(q params.Query) Expr {
	var parts and
	if q.Start != 0 {
		attribute := "start_day"
		if q.Ongoing {
			attribute = "end_day"
		}
		parts = append(parts, compare{attribute, ">=", number(int(q.Start))})
	}
	if q.End != 0 {
		parts = append(parts, compare{"end_day", "<=", number(int(q.End))})
	}
	if q.StartsBefore != 0 {
		parts = append(parts, compare{"start_day", "<=", number(int(q.StartsBefore))})
	}
	if q.EndsAfter != 0 {
		parts = append(parts, compare{"ends_at", ">", number(q.EndsAfter)})
	}
	if q.EndsOn != 0 {
		parts = append(parts, compare{"end_day", ">=", number(int(q.EndsOn))})
	}
	return append(parts, clock(q))
}

// clock is the condition on the days and times at which dates take place. Dates with opening hours
// are all-day ones.
func clock(q params.Query) Expr {
	switch {
	case q.Time == nil && q.On == nil:
		return all{}
	case q.Time == nil:
		return Running(all{}, *q.On, q.ByPeriod)
	case q.ByPeriod && q.On == nil:
		return minutes(*q.Time)
	case q.ByPeriod:
		return and{running(*q.On), minutes(*q.Time)}
	case q.On == nil:
		return or{minutes(*q.Time), openAt(*q.Time, nil)}
	case isShort(*q.On):
		return or{and{running(*q.On), minutes(*q.Time)}, openAt(*q.Time, q.On)}
	default:
		return and{Running(all{}, *q.On, false), or{minutes(*q.Time), openAt(*q.Time, nil)}}
	}
}

// minutes never match an all-day date, which has no start_minute.
func minutes(t params.TimeRange) Expr {
	if t.From <= t.To {
		return between{"start_minute", number(t.From), number(t.To)}
	}
	return or{
		compare{"start_minute", ">=", number(t.From)},
		compare{"start_minute", "<=", number(t.To)},
	}
}

func texts(q params.Query) Expr {
	return and{
		text("title", q.Title),
		text("venue", q.Venue),
		text("city", q.City),
		postalCodes(q.PostalCodes),
	}
}

// postalCodes matches one of the patterns.
func postalCodes(patterns []params.Pattern) Expr {
	if len(patterns) == 0 {
		return all{}
	}
	parts := make(or, len(patterns))
	for i := range patterns {
		parts[i] = text("postal", &patterns[i])
	}
	return parts
}

// text matches a pattern with the keys of a text (see document.TextKeys). An absent text has none
// and is never matched.
func text(name string, p *params.Pattern) Expr {
	switch {
	case p == nil:
		return all{}
	case p.Text == "":
		return exists{name + "_key"}
	case p.OpenStart && p.OpenEnd:
		return contains{name + "_key", document.PartKey(p.Text)}
	case p.OpenStart:
		return startsWith{name + "_end", document.EndKey(p.Text)}
	case p.OpenEnd:
		return startsWith{name + "_key", document.StartKey(p.Text)}
	default:
		return equal(name+"_key", quoted(document.ExactKey(p.Text)))
	}
}

// people is the condition on visitors' age and on prices.
func people(q params.Query) Expr {
	var parts and
	if q.Age != nil {
		parts = append(parts,
			compare{"age_from", "<=", number(q.Age.From)},
			compare{"age_to", ">=", number(q.Age.To)})
	}
	if q.Price != nil {
		parts = append(parts, price(*q.Price))
	}
	return parts
}

func price(p params.Price) Expr {
	if p.Type != "" {
		return equal("price_type", quoted(p.Type))
	}
	return or{
		equal("price_type", quoted("free")),
		and{equal("currency", quoted(p.Currency)), compare{"min_price", "<=", float(p.Amount)}},
	}
}

// after matches the entries after the cursor in the order by start; no filter can do so in the
// order of relevance.
func after(q params.Query) Expr {
	c := q.After
	if c == nil || !q.ByStart() {
		return all{}
	}
	return or{
		compare{"start_key", ">", number(c.StartKey)},
		and{equal("start_key", number(c.StartKey)), compare{"date_uuid", ">", quoted(c.DateUUID)}},
	}
}
