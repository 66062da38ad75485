package harness

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
)

// Compare sends n random queries, several concurrently, and stops after some failures.
func (s *System) Compare(t *testing.T, c *reference.Catalogue, seed uint64, n int) {
	t.Helper()
	ref := s.Reference(c)
	k := NewChecker(s.Client, ref)
	queries := generate.NewQueries(seed, ref, c, time.Now().In(Berlin))
	work := make(chan numbered)
	var failures Failures
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
func (k *Checker) judge(t *testing.T, q numbered, failures *Failures) {
	t.Helper()
	check := func(query generate.Query) error { return k.Check(t.Context(), query) }
	if query, err := minimal(q.query, check); err != nil {
		failures.add("query %d differs: %s\nsmallest: %s\n%v", q.number, Address(q.query), Address(query), err)
	}
	if q.number%8 == 4 {
		k.judgeCounts(t, q, failures)
	}
	if q.number%8 != 0 {
		return
	}
	limit := []int{1, 3, 20, 199}[q.number/8%4]
	if found := len(k.Ref.Events(q.query.Parameters, Today()).Found); found > 15*limit {
		limit = 200
	}
	walk := func(query generate.Query) error { return k.Walk(t.Context(), query, limit) }
	if query, err := minimal(q.query, walk); err != nil {
		failures.add("walk of query %d by %d differs: %s\nsmallest: %s\n%v", q.number, limit, Address(q.query), Address(query), err)
	}
}

// judgeCounts checks the facets of a query, and its events.
func (k *Checker) judgeCounts(t *testing.T, q numbered, failures *Failures) {
	t.Helper()
	facets := func(query generate.Query) error { return k.facets(t.Context(), query) }
	if q.number%3 == 1 {
		q.query.Parameters = maps.Clone(q.query.Parameters)
		q.query.Parameters["group"] = "event"
	}
	if query, err := minimal(q.query, facets); err != nil {
		failures.add("facets of query %d differ: %s\nsmallest: %s\n%v", q.number, Address(q.query), Address(query), err)
	}
	if q.number%16 != 4 {
		return
	}
	limit := []int{1, 3, 20, 199}[q.number/16%4]
	for _, unit := range []string{"event", "series"} {
		if unit == "series" && q.query.Parameters["list"] != "" && q.query.Parameters["sort"] != "start" { // which go not together
			continue
		}
		groups := func(query generate.Query) error { return k.Groups(t.Context(), query, unit, limit) }
		if query, err := minimal(q.query, groups); err != nil {
			failures.add("%s groups of query %d by %d differ: %s\nsmallest: %s\n%v", unit, q.number, limit, Address(q.query), Address(query), err)
		}
	}
}

// Failures collects failures from several goroutines.
type Failures struct {
	Mutex sync.Mutex
	texts []string
}

func (f *Failures) add(format string, args ...any) {
	f.Mutex.Lock()
	defer f.Mutex.Unlock()
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}

func (f *Failures) many() bool {
	f.Mutex.Lock()
	defer f.Mutex.Unlock()
	return len(f.texts) >= 10
}

// minimal removes parameters as long as the check still fails, so that a failure shows only the
// parameters it needs.
func minimal(q generate.Query, check func(generate.Query) error) (generate.Query, error) {
	deadline := time.Now().Add(20 * time.Second)
	err := check(q)
	for again := true; again && err != nil; {
		again = false
		for _, name := range slices.Sorted(maps.Keys(q.Parameters)) {
			smaller := without(q, name)
			if stillFails := check(smaller); stillFails != nil && time.Now().Before(deadline) {
				q, err, again = smaller, stillFails, true
			}
		}
	}
	return q, err
}

// without removes a parameter and the parameters that depend on it.
func without(q generate.Query, name string) generate.Query {
	q.Parameters = maps.Clone(q.Parameters)
	delete(q.Parameters, name)
	switch name {
	case "last_event_start_at", "last_event_date_uuid":
		delete(q.Parameters, "last_event_start_at")
		delete(q.Parameters, "last_event_date_uuid")
	case "sort": // by relevance and in a list a cursor points at a place that cannot be foretold
		if q.Parameters["search"] != "" || q.Parameters["list"] != "" {
			delete(q.Parameters, "last_event_start_at")
			delete(q.Parameters, "last_event_date_uuid")
		}
	}
	return q
}
