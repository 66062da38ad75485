package generate

import (
	"maps"
	"slices"
	"time"

	"litfass/deploy/e2e/model"
)

// Requests draws edits of a catalogue by several people. Most are accepted, others are refused for
// one reason or several: rights, an old version, a malformed body, a broken rule.
type Requests struct {
	builder
	world *model.World
	crowd []*model.Person // who appears more often acts more often
	kept  int             // how many of the first organizations are never deleted
	names int             // how many names of organizations were drawn
}

// NewRequests returns the requests of a seed. The organizations that exist now are never deleted.
// Next reads the present world each time.
func NewRequests(seed uint64, w *model.World, crowd []*model.Person, today time.Time) *Requests {
	return &Requests{
		builder: *newBuilder(seed, nil, today), world: w, crowd: crowd,
		kept: len(w.Of(model.Organization, "")),
	}
}

// draws are the kinds of requests with their frequencies.
var draws = []struct {
	weight int
	draw   func(*Requests, *model.Person) (r model.Request, drawn bool)
}{
	{1, (*Requests).newOrganization},
	{3, (*Requests).changedOrganization},
	{1, (*Requests).deletedOrganization},
	{4, (*Requests).newVenue},
	{6, (*Requests).changedVenue},
	{2, (*Requests).deletedVenue},
	{3, (*Requests).newSpace},
	{5, (*Requests).changedSpace},
	{2, (*Requests).deletedSpace},
	{13, (*Requests).newEvent},
	{26, (*Requests).changedEvent},
	{18, (*Requests).patchedEvent},
	{8, (*Requests).labelledEvent},
	{8, (*Requests).namedEvent},
	{13, (*Requests).released},
	{3, (*Requests).duplicated},
	{3, (*Requests).deletedEvent},
	{6, (*Requests).changedEvents},
	{3, (*Requests).newLink},
	{3, (*Requests).changedLink},
	{2, (*Requests).deletedLink},
	{12, (*Requests).soldDate},
	{12, (*Requests).returnedDates},
	{12, (*Requests).newDates},
	{24, (*Requests).changedDates},
	{5, (*Requests).deletedDates},
	{5, (*Requests).newImage},
	{3, (*Requests).describedImage},
	{2, (*Requests).deletedImages},
	{3, (*Requests).newSeries},
	{14, (*Requests).changedSeries},
	{4, (*Requests).deletedSeries},
	{18, (*Requests).decidedSeries},
	{12, (*Requests).newImageOfSeries},
	{6, (*Requests).describedImageOfSeries},
	{5, (*Requests).deletedImageOfSeries},
}

// Next draws a request.
func (q *Requests) Next() model.Request {
	q.Catalogue = q.world.Places()
	q.indexSpaces()
	for {
		who := pick(q.random, q.crowd)
		if r, drawn := q.weighted()(q, who); drawn {
			r.Who = who
			return q.spoiled(r)
		}
	}
}

func (q *Requests) weighted() func(*Requests, *model.Person) (model.Request, bool) {
	total := 0
	for _, d := range draws {
		total += d.weight
	}
	left := q.IntN(total)
	for _, d := range draws {
		if left -= d.weight; left < 0 {
			return d.draw
		}
	}
	panic("the weights have changed meanwhile")
}

// home returns an organization, mostly one that the person sees.
func (q *Requests) home(who *model.Person) string {
	var seen, all []string
	for _, o := range q.Organizations {
		all = append(all, o.UUID)
		if who.Sees(o.UUID) {
			seen = append(seen, o.UUID)
		}
	}
	if len(seen) > 0 && q.chance(95) {
		return pick(q.random, seen)
	}
	return pick(q.random, all)
}

// target returns an entity to edit, mostly one that the person sees, now and then one that is gone;
// nil when there is none.
func (q *Requests) target(who *model.Person, kind string) *model.Entity {
	found := q.world.Of(kind, q.home(who))
	for _, o := range q.Organizations { // few have series
		if kind == model.Series && len(found) == 0 && who.Sees(o.UUID) {
			found = q.world.Of(kind, o.UUID)
		}
	}
	if len(found) == 0 {
		found = q.world.Of(kind, "")
	}
	var gone []*model.Entity
	for _, e := range q.world.Gone {
		if e.Kind == kind {
			gone = append(gone, e)
		}
	}
	switch {
	case len(gone) > 0 && q.chance(3):
		return pick(q.random, gone)
	case len(found) > 0:
		return pick(q.random, found)
	default:
		return nil
	}
}

// about returns a request to an entity of a kind, with the version that was read, an old one, or
// none.
func (q *Requests) about(who *model.Person, kind, do string) (r model.Request, e *model.Entity) {
	if e = q.target(who, kind); e == nil {
		return r, nil
	}
	return model.Request{Do: do, ID: e.UUID(), IfMatch: q.version(e)}, e
}

func (q *Requests) version(e *model.Entity) string {
	switch n := q.IntN(100); {
	case n < 45:
		return e.Tag
	case n < 50:
		return "*"
	case n < 53:
		return `"0"`
	case n < 55:
		return e.Tag[:len(e.Tag)-1] + `0"`
	default:
		return ""
	}
}

// confirmed adds a password to a deletion, mostly the right one.
func (q *Requests) confirmed(r model.Request, who *model.Person) model.Request {
	switch n := q.IntN(100); {
	case n < 5:
		r.Body = model.Object{"password": "a wrong password"}
	case n < 9:
		r.Body = model.Object{}
	default:
		r.Body = model.Object{"password": who.Password}
	}
	return r
}

// groups returns some of the fields of an entity, each group whole or not at all, and clears some
// groups.
func (q *Requests) groups(fields model.Object, groups ...[]string) model.Object {
	body := model.Object{}
	for _, group := range sample(q.random, groups, q.between(1, len(groups))) {
		cleared := q.chance(8)
		for _, key := range group {
			if body[key] = fields[key]; cleared {
				body[key] = nil
			}
		}
	}
	return body
}

// invalid are values that break a rule by themselves.
var invalid = model.Object{
	"name": "\u0007", "contact_email": "post", "web_link": "ftp://example.org", "country": "XXX", "lat": 91.0,
	"timezone": "Mars/Olympus", "space_type": "nothing", "total_capacity": -1.0, "title": "\u0007", "summary": "a\u0000b",
	"categories": []any{99.0}, "event_types": []any{model.Object{"type_id": 999.0, "genre_id": 0.0}}, "languages": []any{"xx"}, "text_language": "xx", "texts": model.Object{"xx": model.Object{"title": "x"}},
	"tags": []any{""}, "currency": "euro", "price_type": "cheap", "min_age": -1.0, "max_attendees": 0.0, "online_link": "//x",
	"release_status": "gone", "type": "gopher", "url": "javascript:alert(1)", "start_date": "2027-02-30", "ticket_link": "x",
	"slug": "a b", "series": []any{model.Object{"series_uuid": "x"}},
	"wikidata_id": "P31", "osm_id": "area/1",
	"video_link": "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ",
}

// spoiled makes some requests malformed or invalid.
func (q *Requests) spoiled(r model.Request) model.Request {
	_, deletes := r.Body["password"]
	if len(r.Body) == 0 || deletes || r.File != nil || r.Part != "" && r.Do == describeImage || r.Do == describeImageOfSeries {
		return r
	}
	keys := slices.Sorted(maps.Keys(r.Body))
	switch n := q.IntN(100); {
	case n < 2:
		r.Body["unknown"], r.Malformed = 1.0, true
	case n < 4:
		key, value := pick(q.random, keys), any(model.Object{})
		if key == "texts" || key == "hours" { // which are objects
			value = []any{}
		}
		r.Body[key], r.Malformed = value, true
	case n < 9:
		keys = slices.DeleteFunc(keys, func(key string) bool { return invalid[key] == nil })
		if len(keys) > 0 {
			key := pick(q.random, keys)
			r.Body[key], r.Invalid = model.Plain(invalid[key]), true
		}
	}
	return r
}
