package e2e

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// TestAnswersEqualReference is the property test: for random catalogues and queries, the real stack
// answers as the reference does, before and after many edits.
func TestAnswersEqualReference(t *testing.T) {
	seed := seed(t)
	s := start(t)
	now := time.Now().In(berlin)
	catalogue := generate.Catalogue(seed, 5000, now)
	s.importCatalogue(t, catalogue)
	s.awaitReady(t)
	s.compare(t, catalogue, seed, 1000)
	t.Run("injection", func(t *testing.T) { s.testInjection(t, catalogue) })
	t.Run("operators", func(t *testing.T) { s.testSearchOperators(t, catalogue) })
	t.Run("venues", func(t *testing.T) { s.testVenues(t, catalogue, seed) })
	t.Run("outputs", func(t *testing.T) { s.testOutputs(t, catalogue, seed) })
	t.Run("organizations", func(t *testing.T) { s.testOrganizations(t, catalogue) })
	t.Run("bad input", func(t *testing.T) { s.testBadInput(t, catalogue) })
	t.Run("malformed requests", func(t *testing.T) { s.testMalformed(t) })

	editor := generate.NewEditor(seed+1, catalogue, now)
	for range 3 {
		s.importCatalogue(t, editor.Edit(100))
	}
	s.awaitReady(t)
	s.compare(t, catalogue, seed+1, 400)
	s.verify(t)
	t.Run("organizations after edits", func(t *testing.T) { s.testOrganizations(t, catalogue) })
	t.Run("export", func(t *testing.T) { s.testExport(t, catalogue) })
}

// compare sends n random queries, several concurrently, and stops after some failures.
func (s *system) compare(t *testing.T, c *reference.Catalogue, seed uint64, n int) {
	t.Helper()
	ref := s.reference(c)
	k := newChecker(s.client, ref)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(berlin))
	work := make(chan numbered)
	var failures failures
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for q := range work {
				k.judge(t, q, &failures)
			}
		})
	}
	for i := range n {
		work <- numbered{i, queries.Next()}
		if failures.many() {
			break
		}
	}
	close(work)
	workers.Wait()
	for _, failure := range failures.texts {
		t.Error(failure)
	}
}

// numbered is a query with its number in the sequence of its seed.
type numbered struct {
	number int
	query  generate.Query
}

// judge checks one query, every eighth also by cursor.
func (k *checker) judge(t *testing.T, q numbered, failures *failures) {
	t.Helper()
	check := func(query generate.Query) error { return k.check(t.Context(), query) }
	if query, err := minimal(q.query, check); err != nil {
		failures.add("query %d differs: %s\nsmallest: %s\n%v", q.number, address(q.query), address(query), err)
	}
	if q.number%8 == 4 {
		k.judgeCounts(t, q, failures)
	}
	if q.number%8 != 0 {
		return
	}
	limit := []int{1, 3, 20, 199}[q.number/8%4]
	if found := len(k.ref.Events(q.query.Parameters, today()).Found); found > 15*limit {
		limit = 200
	}
	walk := func(query generate.Query) error { return k.walk(t.Context(), query, limit) }
	if query, err := minimal(q.query, walk); err != nil {
		failures.add("walk of query %d by %d differs: %s\nsmallest: %s\n%v", q.number, limit, address(q.query), address(query), err)
	}
}

// judgeCounts checks the facets of a query, and its events.
func (k *checker) judgeCounts(t *testing.T, q numbered, failures *failures) {
	t.Helper()
	facets := func(query generate.Query) error { return k.facets(t.Context(), query) }
	if q.number%3 == 1 {
		q.query.Parameters = maps.Clone(q.query.Parameters)
		q.query.Parameters["group"] = "event"
	}
	if query, err := minimal(q.query, facets); err != nil {
		failures.add("facets of query %d differ: %s\nsmallest: %s\n%v", q.number, address(q.query), address(query), err)
	}
	if q.number%16 != 4 {
		return
	}
	limit := []int{1, 3, 20, 199}[q.number/16%4]
	events := func(query generate.Query) error { return k.groups(t.Context(), query, limit) }
	if query, err := minimal(q.query, events); err != nil {
		failures.add("events of query %d by %d differ: %s\nsmallest: %s\n%v", q.number, limit, address(q.query), address(query), err)
	}
}

// failures collects failures from several goroutines.
type failures struct {
	mutex sync.Mutex
	texts []string
}

func (f *failures) add(format string, args ...any) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *failures) many() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return len(f.texts) >= 10
}

// attacks try to escape from their value or to change its meaning.
var attacks = []string{
	`" OR uuid EXISTS OR title_key = "`, `' OR uuid EXISTS OR title_key = '`, `x" OR 1 = 1 --`, `" OR NOT title_key = "x`, `\" OR uuid EXISTS OR \"`, `\`,
	`"] OR uuid EXISTS`, `x] OR venue_uuid IN [`, `') OR (uuid EXISTS`, `*" OR "" = "`, "`uuid` EXISTS", "\" OR\nuuid EXISTS", "$or", `{"$ne":""}`,
	`_geoRadius(0,0,99999999)`, `EXISTS`, `NOT EXISTS`, `uuid EXISTS`, `TO`, `1 TO 9`, `IS NULL`, `IS NOT EMPTY`, `CONTAINS ""`, `STARTS WITH ""`,
	"\u201c OR uuid EXISTS", "\uff02 OR uuid EXISTS", "a\u0000b", "\U000f0061", "^", "$", "^a$", "#",
}

// testInjection puts every attack into every text parameter, alone and between stars: it is
// refused, or finds what the reference finds, the texts that contain these characters.
func (s *system) testInjection(t *testing.T, c *reference.Catalogue) {
	k := newChecker(s.client, s.reference(c))
	for _, name := range []string{"title", "venue", "city", "postal_code", "tags", "space_types", "countries", "geolist_region"} {
		for _, attack := range attacks {
			values := []string{attack}
			if name == "title" || name == "venue" || name == "city" || name == "postal_code" {
				values = append(values, "*"+attack+"*", attack+"*", "*"+attack)
			}
			for _, value := range values {
				q := generate.Query{Parameters: reference.Parameters{name: value}, Post: strings.Contains(value, ",")}
				if err := k.refusedOr(t.Context(), q, name, k.check); err != nil {
					t.Errorf("%s: %v", address(q), err)
				}
			}
		}
	}
}

// refusedOr passes when the query is refused with 400 naming the field, or when the check passes.
func (k *checker) refusedOr(ctx context.Context, q generate.Query, field string, check func(context.Context, generate.Query) error) error {
	answer, err := k.client.Send(ctx, q)
	if err != nil {
		return err
	}
	if answer.Status == 400 {
		return names(answer, field)
	}
	return check(ctx, q)
}

// testSearchOperators: characters that engines read as operators are ordinary characters here, so
// every word must be found.
func (s *system) testSearchOperators(t *testing.T, c *reference.Catalogue) {
	k := newChecker(s.client, s.reference(c))
	one, two := generate.RareWords[0], generate.RareWords[1]
	all := strings.Join(generate.ManyWords, " ") // in one event
	for search, means := range map[string]string{
		one:                         one,
		"-" + one:                   one,
		one + " -" + two:            one + " " + two,
		`"` + one + `"`:             one,
		`"` + two + " " + one + `"`: one + " " + two,
		`"` + one:                   one,
		"+" + one:                   one,
		strings.ToUpper(one):        one,
		"  " + one + "   ":          one,
		one + " " + one:             one,
		all:                         all,
		all + " qwertzuiopxx":       "qwertzuiopxx", // more words than engines commonly read
	} {
		for _, sort := range []string{"", "start"} {
			asked := generate.Query{Parameters: reference.Parameters{"search": search, "sort": sort}}
			check := func(ctx context.Context, q generate.Query) error {
				all, err := k.everything(ctx, q)
				if err != nil {
					return err
				}
				return sameSet(all, k.ref.Events(reference.Parameters{"search": means}, today()).Found)
			}
			if err := k.refusedOr(t.Context(), asked, "search", check); err != nil {
				t.Errorf("search %q, sort %q: %v", search, sort, err)
			}
		}
	}
}
