package slugs

import (
	"context"
	"errors"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/query/internal/cache"
)

type document struct {
	Revision       int64
	ID, Slug, Name string
}

// TestSets: the later change has a slug, a set stays the same while nothing changed, and what does
// not exist is refused by the name of the parameter.
func TestSets(t *testing.T) {
	t.Parallel()
	kind := Kind[document, string]{
		Index: "portals", Parameter: "portal", Word: reason.WordPortal,
		Identify: func(d document) (int64, string, string) { return d.Revision, d.ID, d.Slug },
	}
	var documents []document
	var failure error
	source := func(context.Context) ([]document, error) { return documents, failure }
	now := time.Now()
	store := NewStore(kind, source, func(d document) *string { return &d.Name }, cache.NewSignal(time.Now), func() time.Time { return now })
	current := func() *Set[string] {
		t.Helper()
		now = now.Add(2 * time.Second) // without a signal, a value is used for a second
		set, err := store.Current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	documents = []document{{2, "b", "kiel", "later"}, {1, "a", "kiel", "earlier"}, {3, "c", "", "gone"}}
	first := current()
	if name, err := first.Of("kiel"); err != nil || *name != "later" || first.Version != 1 {
		t.Errorf("%v, %v, version %d", name, err, first.Version)
	}
	if _, err := first.Of(""); fault.Of(err).Kind != fault.Invalid || fault.Of(err).Violations[0].Field != "portal" || first.Find("husum") != nil {
		t.Errorf("unknown: %v", err)
	}
	if current() != first {
		t.Error("another set, although nothing changed")
	}
	documents = []document{{2, "b", "kiel", "renamed"}}
	if next := current(); next.Version != 2 || *next.Find("kiel") != "renamed" || *first.Find("kiel") != "later" {
		t.Errorf("after an edit: version %d, %s", next.Version, *next.Find("kiel"))
	}
	failure = errors.New("the engine is down")
	now = now.Add(2 * time.Second)
	if _, err := store.Current(t.Context()); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
}
