package reference

import (
	"cmp"
	"slices"
	"strconv"
)

// Answer is the expected answer to one request of the event search.
type Answer struct {
	Found []*Dated // all that match, in start order or in that of the list
	Page  []*Dated // what limit, offset and cursor leave of them
}

// Count is one line of the type summary.
type Count struct {
	ID    int `json:"id"`
	Count int `json:"count"`
}

// Summary is the type summary (RULES.md, Type summary).
type Summary struct {
	Genres []Count
	Types  []Count
	Total  int
}

// Events returns the result of the search in start order, or that of a list. With words and without
// either the real answer is ordered by relevance, which is not predicted here. today is the day
// that the word "today" means.
func (r *Reference) Events(p Parameters, today string) Answer {
	matches := r.Filter(p, today)
	var found []*Dated
	for _, d := range r.dates {
		if matches(d) {
			found = append(found, d)
		}
	}
	r.inListOrder(found, p)
	return Answer{Found: found, Page: page(found, p)}
}

// Filter returns whether a date, also one that is not of the catalogue, is found.
func (r *Reference) Filter(p Parameters, today string) func(*Dated) bool {
	filters := r.filters(p, today)
	return func(d *Dated) bool {
		return !slices.ContainsFunc(filters, func(f filter) bool { return !f(d) })
	}
}

// page cuts the found dates: those after the cursor, then offset and limit (RULES.md, Paging).
func page(found []*Dated, p Parameters) []*Dated {
	if at := p["last_event_start_at"]; at != "" {
		cursor := at + p["last_event_date_uuid"]
		from := slices.IndexFunc(found, func(d *Dated) bool { return d.order() > cursor })
		if from < 0 {
			return nil
		}
		found = found[from:]
	}
	found = found[min(integer(p["offset"], 0), len(found)):]
	return found[:min(integer(p["limit"], 20), len(found))]
}

func integer(value string, fallback int) int {
	if value == "" {
		return fallback
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		panic(err)
	}
	return n
}

// Summary counts the found dates by type and by genre. A date with two types counts once in each;
// genre 0 is none. Offset and limit of the page do not matter.
func (a Answer) Summary() Summary {
	types, genres := map[int]int{}, map[int]int{}
	for _, d := range a.Found {
		ofDate := map[int]bool{}
		for _, t := range d.Event.EventTypes {
			if !ofDate[t.TypeID] {
				ofDate[t.TypeID] = true
				types[t.TypeID]++
			}
		}
		ofDate = map[int]bool{0: true}
		for _, t := range d.Event.EventTypes {
			if !ofDate[t.GenreID] {
				ofDate[t.GenreID] = true
				genres[t.GenreID]++
			}
		}
	}
	return Summary{Genres: ordered(genres), Types: ordered(types), Total: len(a.Found)}
}

// ordered returns the counts by descending count, then ascending id.
func ordered(counts map[int]int) []Count {
	list := []Count{}
	for id, count := range counts {
		list = append(list, Count{id, count})
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Venues returns the uuids of the venues that GET /api/venues finds, sorted by uuid. Its filters
// mean what they mean in the event search, but accessibility asks for the venue's own flags.
func (r *Reference) Venues(p Parameters) []string {
	uuids := []string{}
	for _, v := range r.catalogue.Venues {
		if r.venueMatches(v, p) {
			uuids = append(uuids, v.UUID)
		}
	}
	slices.Sort(uuids)
	return uuids
}

func (r *Reference) venueMatches(v *Venue, p Parameters) bool {
	at := &Dated{Event: &Event{OrgUUID: v.OrgUUID}, Place: Place{Venue: v}}
	for name, met := range map[string]func(value string) bool{
		"name":           func(value string) bool { return pattern(value)(Fold(v.Name)) },
		"city":           func(value string) bool { return pattern(value)(Fold(string(v.City))) },
		"postal_code":    func(value string) bool { return patterns(value)(Fold(string(v.PostalCode))) },
		"countries":      func(value string) bool { return inCountry(value)(at) },
		"org_uuids":      func(value string) bool { return oneOf(value, func(d *Dated) string { return d.Event.OrgUUID })(at) },
		"venue_uuids":    func(value string) bool { return oneOf(value, venueUUID)(at) },
		"accessibility":  func(value string) bool { return hasAll(v.AccessibilityFlags, numbers(value)) },
		"geolist_region": func(value string) bool { return r.region(value)(v) },
	} {
		if value := p[name]; value != "" && !met(value) {
			return false
		}
	}
	if p["lon"] != "" && p["lat"] != "" && p["radius"] != "" {
		return withinRadius(p)(v)
	}
	return true
}
