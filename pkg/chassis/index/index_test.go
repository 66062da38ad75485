package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/index/indextest"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// add writes documents and waits until they can be searched.
func add(t *testing.T, c *index.Client, name string, documents ...any) {
	t.Helper()
	var lines [][]byte
	for _, d := range documents {
		line, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	tasks, err := c.Add(t.Context(), name, lines)
	if err == nil {
		err = c.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func search(t *testing.T, c *index.Client, name, query string, request *meilisearch.SearchRequest) *meilisearch.SearchResponse {
	t.Helper()
	answer, err := c.Index(name).SearchWithContext(t.Context(), query, request)
	if err != nil {
		t.Fatalf("%q %v: %v", query, request.Filter, err)
	}
	return answer
}

func ids(t *testing.T, hits meilisearch.Hits, key string) []string {
	t.Helper()
	found := []string{}
	for _, hit := range hits {
		var id string
		if err := json.Unmarshal(hit[key], &id); err != nil {
			t.Fatal(err)
		}
		found = append(found, id)
	}
	return found
}

func TestEnsureGivesEveryIndexItsSettings(t *testing.T) {
	c := indextest.New(t)
	if err := c.Ensure(t.Context()); err != nil {
		t.Fatalf("a second time: %v", err)
	}
	for _, want := range document.Indexes {
		info, err := c.Index(want.Name).FetchInfoWithContext(t.Context())
		if err != nil || info.PrimaryKey != want.PrimaryKey {
			t.Errorf("%s: primary key %q, want %q (%v)", want.Name, info.PrimaryKey, want.PrimaryKey, err)
		}
		got := settingsOf(t, c, want.Name)
		checks := map[string][2]any{
			"searchable": {nonNil(got.Searchable), nonNil(want.Searchable)},
			"sortable":   {sorted(got.Sortable), sorted(want.Sortable)},
			"equal":      {sorted(got.filterable(false)), sorted(want.Equal)},
			"compare":    {sorted(got.filterable(true)), sorted(want.Compare)},
			"facets":     {got.FacetSearch, false},
			"total hits": {got.Pagination.MaxTotalHits, int64(document.MaxTotalHits)},
			"values":     {got.Faceting.MaxValuesPerFacet, int64(document.MaxValuesPerFacet)},
			"proximity":  {got.ProximityPrecision, "byAttribute"},
			"prefix":     {got.PrefixSearch, "indexingTime"},
			"displayed":  {got.Displayed, []string{"*"}},
		}
		if want.Ranking != nil {
			checks["ranking"] = [2]any{got.Ranking, want.Ranking}
		}
		for name, pair := range checks {
			if fmt.Sprint(pair[0]) != fmt.Sprint(pair[1]) {
				t.Errorf("%s %s: got %v, want %v", want.Name, name, pair[0], pair[1])
			}
		}
	}
}

// settings are the settings of an index as the engine reports them; the client's type cannot
// represent them.
type settings struct {
	Searchable         []string                    `json:"searchableAttributes"`
	Sortable           []string                    `json:"sortableAttributes"`
	Displayed          []string                    `json:"displayedAttributes"`
	Ranking            []string                    `json:"rankingRules"`
	Filterable         []meilisearch.AttributeRule `json:"filterableAttributes"`
	FacetSearch        bool                        `json:"facetSearch"`
	PrefixSearch       string                      `json:"prefixSearch"`
	ProximityPrecision string                      `json:"proximityPrecision"`
	Pagination         meilisearch.Pagination      `json:"pagination"`
	Faceting           meilisearch.Faceting        `json:"faceting"`
}

func settingsOf(t *testing.T, c *index.Client, name string) (got settings) {
	t.Helper()
	manager := c.Index(name)
	read := func(value any, err error) {
		t.Helper()
		raw, encodeErr := json.Marshal(value)
		if err != nil || encodeErr != nil {
			t.Fatal(err, encodeErr)
		}
		if len(raw) > 0 && raw[0] == '[' { // the granular attributes
			raw = slices.Concat([]byte(`{"filterableAttributes":`), raw, []byte("}"))
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
	}
	filterable, err := manager.GetFilterableAttributesWithContext(t.Context())
	read(filterable, err)
	facetSearch, err := manager.GetFacetSearchWithContext(t.Context())
	read(map[string]any{"facetSearch": facetSearch}, err)
	var errs [7]error
	var list *[]string
	list, errs[0] = manager.GetSearchableAttributesWithContext(t.Context())
	got.Searchable = *list
	list, errs[1] = manager.GetSortableAttributesWithContext(t.Context())
	got.Sortable = *list
	list, errs[2] = manager.GetRankingRulesWithContext(t.Context())
	got.Ranking = *list
	list, errs[3] = manager.GetDisplayedAttributesWithContext(t.Context())
	got.Displayed = *list
	pagination, err := manager.GetPaginationWithContext(t.Context())
	got.Pagination, errs[4] = *pagination, err
	faceting, err := manager.GetFacetingWithContext(t.Context())
	got.Faceting, errs[5] = *faceting, err
	prefix, err := manager.GetPrefixSearchWithContext(t.Context())
	got.PrefixSearch, errs[6] = *prefix, err
	proximity, err := manager.GetProximityPrecisionWithContext(t.Context())
	got.ProximityPrecision = string(proximity)
	for _, err := range append(errs[:], err) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func (s settings) filterable(comparison bool) []string {
	var attributes []string
	for _, rule := range s.Filterable {
		if rule.Features.Filter.Comparison == comparison && rule.Features.Filter.Equality && !rule.Features.FacetSearch {
			attributes = append(attributes, rule.AttributePatterns...)
		}
	}
	return attributes
}

func nonNil(list []string) []string { return append([]string{}, list...) }

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func TestStateIsKept(t *testing.T) {
	config := indextest.Config(t)
	c := index.Connect(config)
	if _, ok, err := c.State(t.Context()); ok || err != nil {
		t.Fatalf("an empty engine has state %v, error %v", ok, err)
	}
	if err := c.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := c.State(t.Context()); ok || err != nil {
		t.Fatalf("an empty index has state %v, error %v", ok, err)
	}
	want := index.State{ID: "state", SettingsHash: "abc", Stream: "CATALOG"}
	if err := c.PutState(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := c.State(t.Context()); got != want || !ok || err != nil {
		t.Errorf("got %+v, %v, %v; want %+v", got, ok, err, want)
	}
}

func TestSetOfIndexesIsWholeWhenNoneIsMissing(t *testing.T) {
	c := indextest.New(t)
	if whole, err := c.Whole(t.Context()); !whole || err != nil {
		t.Errorf("whole %v, %v", whole, err)
	}
	task, err := c.Engine().DeleteIndexWithContext(t.Context(), c.Name(document.Events))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(t.Context(), task.TaskUID); err != nil {
		t.Fatal(err)
	}
	if whole, err := c.Whole(t.Context()); whole || err != nil {
		t.Errorf("without events: whole %v, %v", whole, err)
	}
}

func TestDocumentsAreWrittenReadAndDeleted(t *testing.T) {
	c := indextest.New(t)
	var all []any
	for i := range index.PageSize + 3 {
		all = append(all, document.Record[publicapi.Event]{ID: fmt.Sprintf("e%04d", i), Revision: int64(i), Gone: i%2 == 0})
	}
	add(t, c, document.Events, all...)
	if n, err := c.Count(t.Context(), document.Events); n != int64(len(all)) || err != nil {
		t.Fatalf("counted %d of %d: %v", n, len(all), err)
	}
	seen := map[string]bool{}
	collect := func(d index.Document) error { seen[string(d["id"])] = true; return nil }
	if err := c.Each(t.Context(), document.Events, "", []string{"id"}, collect); err != nil || len(seen) != len(all) {
		t.Errorf("met %d of %d: %v", len(seen), len(all), err)
	}
	clear(seen)
	if err := c.Each(t.Context(), document.Events, "gone = true", nil, collect); err != nil || len(seen) != (len(all)+1)/2 {
		t.Errorf("met %d gone: %v", len(seen), err)
	}
	tasks, err := c.Delete(t.Context(), document.Events, []string{"e0000", "never"})
	if err == nil {
		err = c.Wait(t.Context(), tasks...)
	}
	if err != nil {
		t.Fatal(err)
	}
	clear(seen)
	err = c.ByID(t.Context(), document.Events, []string{"e0000", "e0001", "never"}, []string{"id", "revision"}, func(d index.Document) error {
		if string(d["revision"]) != "1" || len(d) != 2 {
			t.Errorf("read %s", d)
		}
		return collect(d)
	})
	if err != nil || len(seen) != 1 {
		t.Errorf("found %v by id: %v", seen, err)
	}
}

func TestBigDocumentsTakeSeveralTasks(t *testing.T) {
	c := indextest.New(t)
	var lines [][]byte
	for i := range 5 {
		lines = append(lines, fmt.Appendf(nil, `{"id":"r%d","view":{"name":"%s"}}`, i, strings.Repeat("x", index.TaskBytes*2/5)))
	}
	tasks, err := c.Add(t.Context(), document.Regions, lines)
	if err != nil || len(tasks) != 3 {
		t.Fatalf("%d tasks: %v", len(tasks), err)
	}
	if err := c.Wait(t.Context(), tasks...); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Count(t.Context(), document.Regions); n != 5 || err != nil {
		t.Errorf("counted %d: %v", n, err)
	}
}

func TestSettleWaitsForTasksOfOthers(t *testing.T) {
	t.Parallel()
	c := indextest.New(t)
	if _, err := c.Add(t.Context(), document.Regions, [][]byte{[]byte(`{"id":"r","revision":1}`)}); err != nil {
		t.Fatal(err)
	}
	if err := c.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Count(t.Context(), document.Regions); n != 1 || err != nil {
		t.Errorf("the index holds %d documents once nothing is left to do: %v", n, err)
	}
}

func TestErrorsTellWhatToDo(t *testing.T) {
	c := indextest.New(t)
	long := strings.Repeat("x", 600) // the engine's ids end at 511 bytes
	tasks, err := c.Add(t.Context(), document.Lookups, [][]byte{fmt.Appendf(nil, `{"id":"%s"}`, long)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(t.Context(), tasks...); !fault.Is(err, fault.Invalid) || !index.Refused(err) {
		t.Errorf("a bad document: %v", err)
	}
	if _, err := c.Add(t.Context(), document.Lookups, [][]byte{[]byte(`{"id":`)}); !index.Refused(err) {
		t.Errorf("broken JSON: %v", err)
	}
	if err := c.Wait(t.Context(), 1<<31-1); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown task: %v", err)
	}
	if err := c.Aside().Each(t.Context(), document.Dates, "", nil, nil); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown index: %v", err)
	}
	if err := c.Each(t.Context(), document.Dates, "title = x", nil, nil); !fault.Is(err, fault.Invalid) || index.Refused(err) {
		t.Errorf("a filter that is not allowed: %v", err)
	}
	if err := c.Swap(t.Context(), c.Aside()); !fault.Is(err, fault.NotFound) {
		t.Errorf("swap with nothing: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Health(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context is the engine's fault: %v", err)
	}
}

func TestEngineThatIsDownIsUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	c := index.Connect(index.Config{URL: "http://" + address})
	if err := c.Health(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("health: %v", err)
	}
	if _, err := c.Add(t.Context(), document.Dates, [][]byte{[]byte(`{}`)}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("add: %v", err)
	}
}

func TestReadKeyReadsOnly(t *testing.T) {
	config := indextest.Config(t)
	c := index.Connect(config)
	if err := c.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, err := c.ReadKey(t.Context())
	if err != nil || key == "" || key == config.Key {
		t.Fatalf("key of %d characters: %v", len(key), err)
	}
	if again, err := c.ReadKey(t.Context()); again != key || err != nil {
		t.Errorf("a second call gives another key: %v", err)
	}
	reader := index.Connect(index.Config{URL: config.URL, Key: key, Prefix: config.Prefix})
	if _, err := reader.Index(document.Dates).SearchWithContext(t.Context(), "", &meilisearch.SearchRequest{}); err != nil {
		t.Errorf("search: %v", err)
	}
	if err := reader.Each(t.Context(), document.Events, "", nil, nil); err != nil {
		t.Errorf("read documents: %v", err)
	}
	if _, err := reader.Add(t.Context(), document.Events, [][]byte{[]byte(`{"id":"x"}`)}); !fault.Is(err, fault.Internal) {
		t.Errorf("write: %v", err)
	}
	other := index.Connect(index.Config{URL: config.URL, Key: key, Prefix: "x" + config.Prefix})
	if err := other.Each(t.Context(), document.Events, "", nil, nil); !fault.Is(err, fault.Internal) {
		t.Errorf("read another node's documents: %v", err)
	}
}

func newUUID(t *testing.T) string {
	t.Helper()
	id, err := uuid.NewV7()
	if err != nil {
		t.Fatal(err)
	}
	return id.String()
}
