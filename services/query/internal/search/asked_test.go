package search

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"litfass/pkg/chassis/encoded"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// query returns a random question in the words of a client.
func (w *world) query() string {
	r := w.random
	var parts []string
	given := map[string]bool{}
	for _, part := range []string{
		"search=" + w.text(1+r.IntN(2)), "search=" + w.prefix(2), "start=2026-11-" + fmt.Sprintf("%02d", 1+r.IntN(28)),
		"end=2026-11-" + fmt.Sprintf("%02d", 1+r.IntN(28)), "title=*" + w.prefix(3) + "*", "title=" + w.word() + "*", "title=*" + w.word(),
		"venue=*", "city=M%C3%BCnster", "countries=DNK", "categories=1,2", "event_types=1,3", "languages=da", "tags=" + w.word(),
		"price=free", "price=20,EUR", "age=12", "visitor_infos=1", "time=10-14", "time=20-9", "release_statuses=cancelled",
		"venue_uuids=" + w.venues[0].UUID, "org_uuids=" + w.venues[1].UUID, "on=2026-11-10,2026-11-12", "on=2026-11-17", "on=2026-11-03,2026-11-15", "sort=start", "sort=changed", "postal_code=2410*",
		"city=kiel", "group=event", "group=event", "group=event", "total=true", "total=true", "total=true",
		"price_types=free,donation", "postal_code=2410*,*1", "not_over=true", "not_over=true", "not_over=true",
	} {
		if name, _, _ := strings.Cut(part, "="); r.IntN(14) == 0 && !given[name] {
			given[name] = true
			parts = append(parts, strings.ReplaceAll(part, " ", "%20"))
		}
	}
	parts = append(parts, fmt.Sprintf("limit=%d", 1+r.IntN(12)))
	if r.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("offset=%d", r.IntN(20)))
	}
	return strings.Join(parts, "&")
}

// named gives names to the venues but one, and to no other values.
type named struct{ *world }

func (named) Version() string          { return "" }
func (named) Of(string, string) string { return "" }
func (n named) Records(context.Context, string) (map[string]string, error) {
	names := map[string]string{}
	for _, venue := range n.venues[1:] {
		names[venue.UUID] = venue.Name
	}
	return names, nil
}

// question is a query with its cached answer, and loads it again for a time before which dates that
// ended are over.
type question struct {
	query     string
	notOver   bool
	endsAfter int64 // of the answer
	answer    cache.Answer
	load      func(ctx context.Context, endsAfter int64) (cache.Answer, error)
}

// ask returns a page, a feed, and the counts of its search.
func (w *world) ask(query string) []question {
	w.t.Helper()
	q := w.parse(query)
	var after *params.Cursor
	if q.Grouped && q.ByStart() && w.random.IntN(2) == 0 {
		q.Offset = 0
		after = &params.Cursor{StartKey: 202611010000 + 10000*int64(w.random.IntN(28)), DateUUID: w.venues[0].UUID}
	}
	q.By = params.Dimensions
	q.Window = params.Days{From: 20261101 + params.Day(w.random.IntN(28)), To: 20261210}
	pageOf := func(q params.Query) page {
		selected := w.compile(q)
		p := page{
			selection: selected, byStart: q.ByStart(), byChange: q.Sort == params.SortByChange, offset: q.Offset, limit: q.Limit,
			passed: q.Offset, grouped: q.Grouped, after: after,
		}
		if q.Total {
			p.total = &selected
		}
		return p
	}
	var answers []question
	for _, load := range []func(context.Context, params.Query) (cache.Answer, error){
		func(ctx context.Context, q params.Query) (cache.Answer, error) { return w.search.load(ctx, pageOf(q)) },
		func(ctx context.Context, q params.Query) (cache.Answer, error) {
			return w.search.loadSummary(ctx, w.compile(q))
		},
		func(ctx context.Context, q params.Query) (cache.Answer, error) {
			return w.search.loadFeed(ctx, pageOf(q))
		},
		func(ctx context.Context, q params.Query) (cache.Answer, error) {
			facets, err := w.search.compileFacets(ctx, q)
			if err != nil {
				return nil, err
			}
			return w.search.loadFacets(ctx, facets, named{w})
		},
	} {
		answers = append(answers, w.question(query, q, load))
	}
	return answers
}

// endings are words in which compounds end, which the engine does not find by them.
var (
	endings   = []string{"saal", "fest", "musik", "theater"}
	compounds = []string{"konzertsaal", "hafenfest", "abendmusik", "kindertheater"}
)

// short returns a short page in the order by start, perhaps with words.
func (w *world) short() question {
	w.t.Helper()
	r := w.random
	query := fmt.Sprintf("sort=start&limit=%d", 1+r.IntN(5))
	for _, part := range []string{"search=" + endings[r.IntN(len(endings))], "search=" + w.word(), "countries=DNK", "event_types=1,3", "group=event", "not_over=true", "total=true"} {
		if name, _, _ := strings.Cut(part, "="); r.IntN(4) == 0 && !strings.Contains(query, "&"+name+"=") {
			query += "&" + part
		}
	}
	if r.IntN(4) == 0 {
		query += fmt.Sprintf("&offset=%d", r.IntN(20))
	}
	return w.load(query)
}

// ranked returns a short page in the order of relevance.
func (w *world) ranked() question {
	w.t.Helper()
	query := fmt.Sprintf("search=%s&limit=%d", strings.ReplaceAll(w.text(1+w.random.IntN(2)), " ", "%20"), 1+w.random.IntN(8))
	if w.random.IntN(4) == 0 {
		query += fmt.Sprintf("&offset=%d", w.random.IntN(4))
	}
	return w.load(query)
}

// load returns the page of a query.
func (w *world) load(query string) question {
	w.t.Helper()
	return w.question(query, w.parse(query), func(ctx context.Context, q params.Query) (cache.Answer, error) {
		p, err := w.search.page(ctx, q)
		if err != nil {
			return nil, err
		}
		return w.search.load(ctx, p)
	})
}

func (w *world) parse(query string) params.Query {
	w.t.Helper()
	q, err := params.Events.FromURL(query, 20261120)
	if err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return q
}

func (w *world) compile(q params.Query) selection {
	w.t.Helper()
	selected, err := w.search.compile(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	return selected
}

// question returns a query with the answer at the present moment.
func (w *world) question(
	query string, q params.Query, load func(context.Context, params.Query) (cache.Answer, error),
) question {
	w.t.Helper()
	a := question{query: query, notOver: q.NotOver, load: func(ctx context.Context, endsAfter int64) (cache.Answer, error) {
		if q := q; q.NotOver {
			q.EndsAfter = endsAfter
			return load(ctx, q)
		}
		return load(ctx, q)
	}}
	w.renew(&a)
	return a
}

// renew loads the answer for the present lull.
func (w *world) renew(a *question) {
	w.t.Helper()
	a.endsAfter = w.lull().Last
	a.answer = w.again(*a, a.endsAfter)
}

// hints returns the hints of a query as if it found nothing.
func (w *world) hints(query string) question {
	w.t.Helper()
	return w.question(query, w.parse(query), func(ctx context.Context, q params.Query) (cache.Answer, error) {
		less, err := w.search.relax(ctx, q)
		if err != nil {
			return nil, err
		}
		return w.search.loadHints(ctx, q, w.compile(q), less)
	})
}

// again loads an answer for the dates that end after a time.
func (w *world) again(a question, endsAfter int64) cache.Answer {
	w.t.Helper()
	answer, err := a.load(w.t.Context(), endsAfter)
	if err != nil {
		w.t.Fatalf("%s: %v", a.query, err)
	}
	w.awaitVersions()
	return answer
}

// awaitVersions waits until the versions of all counts are confirmed or stay unknown.
func (w *world) awaitVersions() {
	v := w.search.versions
	v.mu.Lock()
	done := v.done
	v.mu.Unlock()
	if done != nil {
		<-done
	}
}

// read returns the text of a payload, nil of none.
func read(t *testing.T, payload encoded.Payload) []byte {
	t.Helper()
	if payload.Text == nil {
		return nil
	}
	data, err := io.ReadAll(payload.Body(encoded.Identity, nil))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// kindOf names the kind of an answer.
func kindOf(a cache.Answer) string {
	switch a := a.(type) {
	case *cache.Page:
		return map[bool]string{true: "feed", false: "page"}[a.ShowsChange]
	case *cache.Tally:
		return "tally"
	default:
		return "hints"
	}
}

func (w *world) payload(k cache.Answer) []byte {
	w.t.Helper()
	switch k := k.(type) {
	case *cache.Page:
		if k.Payload.Text == nil {
			return []byte(k.IDs)
		}
		if k.ShowsChange {
			text, err := writeFeed(k.Payload, k.Limit, asJSON)
			if err != nil {
				w.t.Fatal(err)
			}
			return text
		}
		return read(w.t, k.Payload)
	case *cache.Tally:
		payload, err := k.Payload()
		if err != nil {
			w.t.Fatal(err)
		}
		return read(w.t, payload)
	case *cache.Hints:
		return read(w.t, k.Payload)
	default:
		w.t.Fatalf("an answer of type %T", k)
		return nil
	}
}

// asJSON is a feed that shows all that a feed can.
var asJSON = Feed{Write: func(dates []Found, full bool) ([]byte, error) {
	return json.Marshal(struct {
		Dates []Found
		Full  bool
	}{dates, full})
}}
