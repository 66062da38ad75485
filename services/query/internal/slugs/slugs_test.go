package slugs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/params"
)

// written is a document. A short one has a row and no text.
type written struct {
	id, slug, text string
	revision       int64
	parts          []string
}

var testKind = Kind[written, string]{
	Index: "portals", Parameter: "portal", Word: reason.WordPortal,
	Identify: func(d written) (string, int64, *document.Row) {
		if d.slug == "" {
			return d.id, d.revision, nil
		}
		return d.id, d.revision, &document.Row{Slug: d.slug, Names: map[string]string{"": d.slug, "de": strings.ToUpper(d.text)}, Parts: d.parts}
	},
	Read: func(d written) (*string, int) { return &d.text, len(d.text) },
}

// index is a source that counts the documents it gave with their texts.
type index struct {
	documents []written
	failure   error
	texts     int
}

func (x *index) read(_ context.Context, ids ...string) (found []written, err error) {
	for _, d := range x.documents {
		if len(ids) == 0 {
			d.text = ""
			found = append(found, d)
		}
		for _, id := range ids {
			if id == d.id {
				found = append(found, d)
				x.texts++
			}
		}
	}
	return found, x.failure
}

func newTestStore(x *index) (store *Store[written, string], later func()) {
	now := time.Now()
	store = NewStore(testKind, x.read, cache.NewSignal(time.Now), func() time.Time { return now })
	return store, func() { now = now.Add(2 * time.Second) } // without a signal, a value is used for a second
}

// TestSets: the later change has a slug, a set stays the same while nothing changed, and an entity
// that does not exist is refused by the name of the parameter.
func TestSets(t *testing.T) {
	t.Parallel()
	x := &index{documents: []written{{"b", "kiel", "later", 2, nil}, {"a", "kiel", "earlier", 1, nil}, {"c", "", "gone", 3, nil}}}
	store, later := newTestStore(x)
	one, version, err := store.Of(t.Context(), "kiel")
	if err != nil || *one != "later" || version != 1 {
		t.Errorf("%v, %v, version %d", one, err, version)
	}
	if _, _, err := store.Of(t.Context(), ""); fault.Of(err).Kind != fault.Invalid || fault.Of(err).Violations[0].Field != "portal" {
		t.Errorf("unknown: %v", err)
	}
	if one, err := store.Find(t.Context(), "husum"); one != nil || err != nil {
		t.Errorf("%v, %v", one, err)
	}
	first, err := store.Current(t.Context())
	later()
	if second, err2 := store.Current(t.Context()); err != nil || err2 != nil || second != first {
		t.Error("another set, although nothing changed")
	}
	x.documents = []written{{"b", "kiel", "edited", 4, nil}}
	later()
	if one, version, err = store.Of(t.Context(), "kiel"); err != nil || version != 2 || *one != "edited" {
		t.Errorf("after an edit: version %d, %v, %v", version, one, err)
	}
	x.failure = errors.New("the engine is down")
	later()
	if _, err := store.Current(t.Context()); !errors.Is(err, x.failure) {
		t.Errorf("%v", err)
	}
}

// TestTextsAreReadWhenAskedFor: a set of many entities reads the text of none, and an entity is
// read once for many requests.
func TestTextsAreReadWhenAskedFor(t *testing.T) {
	t.Parallel()
	x := &index{}
	for n := range 500 {
		x.documents = append(x.documents, written{fmt.Sprint(n), fmt.Sprintf("s%d", n), strings.Repeat("x", 100_000), 1, nil})
	}
	store, _ := newTestStore(x)
	if set, err := store.Current(t.Context()); err != nil || set.Len() != 500 || x.texts != 0 {
		t.Fatalf("%v, %d texts", err, x.texts)
	}
	for range 3 {
		if one, err := store.Find(t.Context(), "s7"); err != nil || len(*one) != 100_000 {
			t.Fatal(err)
		}
	}
	if x.texts != 1 {
		t.Errorf("%d texts were read", x.texts)
	}
	for n := range 500 {
		if _, err := store.Find(t.Context(), fmt.Sprintf("s%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if store.kept.bytes > maxKept || store.kept.lru.Len()*100_000 != store.kept.bytes {
		t.Errorf("%d entities of %d bytes are kept", store.kept.lru.Len(), store.kept.bytes)
	}
}

// TestPagesGoOnAtTheirPlace, in the order of names in a language, also after the row of the place
// is gone.
func TestPagesGoOnAtTheirPlace(t *testing.T) {
	t.Parallel()
	row := func(slug, name, german string) *Row {
		return &Row{Row: document.Row{Slug: slug, Names: map[string]string{"": name, "de": german}}, UUID: slug}
	}
	set := newSet([]*Row{row("b", "beta", "Zeta"), row("a", "Alpha", ""), row("d", "alpha", "Delta"), row("c", "gamma", "")})
	walk := func(language string, from *params.Place) string {
		var slugs strings.Builder
		for place, one := range set.After(language, from) {
			slugs.WriteString(one.Slug)
			q, err := params.AllLists.FromURL("cursor="+place.Cursor(), 0)
			if err != nil || *q.Place != place {
				t.Errorf("%v becomes %v, %v", place, q.Place, err)
			}
		}
		return slugs.String()
	}
	gone, last := params.PlaceOf("Alpha", "b"), params.PlaceOf("gamma", "c")
	for _, test := range []struct {
		language string
		from     *params.Place
		want     string
	}{{"", nil, "adbc"}, {"de", nil, "adcb"}, {"da", nil, "adbc"}, {"", &gone, "dbc"}, {"", &last, ""}} {
		if got := walk(test.language, test.from); got != test.want {
			t.Errorf("%q after %v: %s, want %s", test.language, test.from, got, test.want)
		}
	}
}
