package index_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"

	"github.com/meilisearch/meilisearch-go"
)

func TestSwapExchangesBothSetsAndDropDeletesOne(t *testing.T) {
	c := indextest.New(t)
	beside := c.Aside()
	if err := beside.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	add(t, c, document.Events, document.Record[publicapi.Event]{ID: "old"})
	add(t, beside, document.Events, document.Record[publicapi.Event]{ID: "new"})
	if err := beside.PutState(t.Context(), index.State{SettingsHash: "new"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Swap(t.Context(), beside); err != nil {
		t.Fatal(err)
	}
	if state, _, err := c.State(t.Context()); state.SettingsHash != "new" || err != nil {
		t.Errorf("state after the swap: %+v, %v", state, err)
	}
	for set, want := range map[*index.Client]string{c: `"new"`, beside: `"old"`} {
		err := set.Each(t.Context(), document.Events, "", nil, func(d index.Document) error {
			if string(d["id"]) != want {
				t.Errorf("found %s, want %s", d["id"], want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if n, err := beside.Drop(t.Context()); n != len(document.Indexes)+1 || err != nil {
		t.Errorf("dropped %d: %v", n, err)
	}
	if n, err := beside.Drop(t.Context()); n != 0 || err != nil {
		t.Errorf("dropped %d twice: %v", n, err)
	}
	if n, err := c.Count(t.Context(), document.Events); n != 1 || err != nil {
		t.Errorf("%d documents left: %v", n, err)
	}
}

// remove deletes an index.
func remove(t *testing.T, c *index.Client, name string) {
	t.Helper()
	task, err := c.Engine().DeleteIndexWithContext(t.Context(), c.Name(name))
	if err == nil {
		err = c.Wait(t.Context(), task.TaskUID)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// holder returns the id of the document in an index, "old" or "new"; "" if there is no such index.
func holder(t *testing.T, c *index.Client, name string) (id string) {
	t.Helper()
	err := c.ByID(t.Context(), name, []string{"old", "new"}, []string{"id"}, func(d index.Document) error {
		id = string(d["id"])
		return nil
	})
	if err != nil && !index.NoIndex(err) {
		t.Fatal(err)
	}
	return id
}

// Releases differ in indexes. A set without some of them is exchanged in both directions, and no
// index of the other set stays live.
func TestSwapMovesIndexesThatOneSetLacks(t *testing.T) {
	c := indextest.New(t)
	beside := c.Aside()
	if err := beside.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for set, id := range map[*index.Client]string{c: "old", beside: "new"} {
		if err := set.PutState(t.Context(), index.State{SettingsHash: id}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{document.Events, document.Series, document.Lists, document.Portals} {
			add(t, set, name, document.Record[publicapi.Event]{ID: id})
		}
	}
	remove(t, c, document.Series)     // the earlier release had none
	remove(t, beside, document.Lists) // the later release has none
	remove(t, c, document.Portals)
	remove(t, beside, document.Portals)
	for round, want := range []map[string][2]string{
		{document.Events: {`"new"`, `"old"`}, document.Series: {`"new"`, ""}, document.Lists: {"", `"old"`}, document.Portals: {}},
		{document.Events: {`"old"`, `"new"`}, document.Series: {"", `"new"`}, document.Lists: {`"old"`, ""}, document.Portals: {}},
		{document.Events: {`"new"`, `"old"`}, document.Series: {`"new"`, ""}, document.Lists: {"", `"old"`}, document.Portals: {}},
	} {
		if err := c.Swap(t.Context(), beside); err != nil {
			t.Fatalf("swap %d: %v", round, err)
		}
		for name, want := range want {
			if got := [2]string{holder(t, c, name), holder(t, beside, name)}; got != want {
				t.Errorf("after swap %d, %s is %q, want %q", round, name, got, want)
			}
		}
	}
	if n, err := beside.Drop(t.Context()); n != len(document.Indexes)+1-2 || err != nil {
		t.Errorf("dropped %d: %v", n, err)
	}
}

// A release exchanges and deletes indexes of another release without knowing their names: the
// record of the set has the names.
func TestSwapMovesIndexesOfAnotherRelease(t *testing.T) {
	c := indextest.New(t)
	beside := c.Aside()
	if err := beside.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	const later = "later" // an index that only the release has which built the live set
	add(t, c, later, map[string]string{"id": "old"})
	add(t, c, index.Meta, map[string]any{"id": index.StateID, "settings_hash": "later", "indexes": []string{document.Dates, later}})
	if err := beside.PutState(t.Context(), index.State{SettingsHash: "present"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Swap(t.Context(), beside); err != nil {
		t.Fatal(err)
	}
	if got := [2]string{holder(t, c, later), holder(t, beside, later)}; got != [2]string{"", `"old"`} {
		t.Errorf("the index is %q", got)
	}
	if n, err := beside.Drop(t.Context()); n != len(document.Indexes)+2 || err != nil {
		t.Errorf("dropped %d: %v", n, err)
	}
	if _, err := beside.Count(t.Context(), later); !fault.Is(err, fault.NotFound) {
		t.Errorf("the index is left: %v", err)
	}
}

// A damaged record hinders no exchange and no deletion, and leads to no index of the other set.
func TestSwapOfASetWithADamagedRecord(t *testing.T) {
	c := indextest.New(t)
	beside := c.Aside()
	for _, damaged := range []any{
		"x", 1, map[string]any{"dates": "dates"}, []any{1}, []any{"../../keys"}, []any{"a b"}, []any{"dates?x=1"}, []any{""},
		[]any{index.Meta}, []any{"aside_" + document.Dates}, []any{strings.Repeat("x", 600)},
	} {
		if err := errors.Join(c.Ensure(t.Context()), beside.Ensure(t.Context())); err != nil {
			t.Fatal(err)
		}
		add(t, c, index.Meta, map[string]any{"id": index.StateID, "settings_hash": "old", "indexes": damaged})
		if err := beside.PutState(t.Context(), index.State{SettingsHash: "new"}); err != nil {
			t.Fatal(err)
		}
		if err := c.Swap(t.Context(), beside); err != nil {
			t.Errorf("swap with %v: %v", damaged, err)
		}
		if state, _, err := c.State(t.Context()); err != nil || state.SettingsHash != "new" {
			t.Errorf("swap with %v: state %+v, %v", damaged, state, err)
		}
		for _, set := range []*index.Client{beside, c} {
			if n, err := set.Drop(t.Context()); n != len(document.Indexes)+1 || err != nil {
				t.Errorf("dropped %d with %v: %v", n, damaged, err)
			}
		}
	}
}

// The names that one release records are accepted by another.
func TestNamesOfIndexesCanBeRecorded(t *testing.T) {
	for _, settings := range document.Indexes {
		if !regexp.MustCompile(`^[a-z_]{1,100}$`).MatchString(settings.Name) || strings.HasPrefix(settings.Name, "aside_") {
			t.Errorf("the record of a set may not name an index %q", settings.Name)
		}
	}
}

// A search during a swap with renames sees one of the sets.
func TestSwapOfUnequalSetsFailsNoSearch(t *testing.T) {
	c := indextest.New(t)
	beside := c.Aside()
	if err := beside.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, set := range []*index.Client{c, beside} {
		if err := set.PutState(t.Context(), index.State{}); err != nil {
			t.Fatal(err)
		}
		add(t, set, document.Events, document.Record[publicapi.Event]{ID: "one"})
	}
	remove(t, c, document.Series)
	swapped := make(chan error, 1)
	go func() {
		var err error
		for range 20 {
			if err == nil {
				err = c.Swap(t.Context(), beside)
			}
		}
		swapped <- err
	}()
	for searches := 0; ; searches++ {
		answer, err := c.Index(document.Events).SearchWithContext(t.Context(), "", &meilisearch.SearchRequest{})
		if err != nil || len(answer.Hits) != 1 {
			t.Fatalf("search %d: %v", searches, err)
		}
		select {
		case err := <-swapped:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

// A set of an earlier release answers neither for missing attributes nor for whole missing indexes.
func TestQuestionsToAnEarlierSet(t *testing.T) {
	c := indextest.New(t)
	for _, attributes := range [][]string{{"later"}, {"later", "latest"}} {
		_, err := c.Index(document.Events).SearchWithContext(t.Context(), "", &meilisearch.SearchRequest{Facets: attributes})
		if err = index.Fault(err); !index.Outdated(err) || index.NoIndex(err) {
			t.Errorf("facets of %v: %v", attributes, err)
		}
	}
	remove(t, c, document.Series)
	_, err := c.Index(document.Series).SearchWithContext(t.Context(), "", &meilisearch.SearchRequest{})
	if err = index.Fault(err); !index.NoIndex(err) || index.Outdated(err) {
		t.Errorf("a search in a missing index: %v", err)
	}
}
