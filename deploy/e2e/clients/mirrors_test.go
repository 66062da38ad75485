package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	litfass "litfass/deploy/clients/go"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

const (
	mirrorRounds = 4
	mirrorEdits  = 25 // of a round
	inRegion     = 5  // the copy that has to begin again when its region is redrawn
	refusedAt    = 20 // the number of the request to go on that the proxy refuses
)

// asked is a copy to keep. A careless one overlooks what leaves, and must be found to differ.
type asked struct {
	Query    litfass.ChangesQuery `json:"query"`
	Careless bool                 `json:"careless"`
	Poll     bool                 `json:"poll"`
}

// copies are by streams and by polling, of dates, events and venues.
var copies = []asked{
	{},
	{Poll: true, Query: litfass.ChangesQuery{Kind: litfass.Events}},
	{Query: litfass.ChangesQuery{Kind: litfass.Venues}},
	{Query: of(litfass.Filter{Categories: []int{1, 3}})},
	{Query: of(litfass.Filter{ReleaseStatuses: []string{"released"}})},
	{Query: of(litfass.Filter{GeolistRegion: "deutschland,sachsen,ring"})}, // inRegion
	{Query: litfass.ChangesQuery{Kind: litfass.Events, Filter: litfass.Filter{PriceTypes: []string{"free", "donation"}}}},
	{Poll: true, Query: of(litfass.Filter{Languages: []string{"de", "en"}, Lat: new(52.0), Lon: new(11.0), Radius: new(300_000.0)})},
	{Poll: true, Query: litfass.ChangesQuery{Kind: litfass.Venues, Filter: litfass.Filter{Countries: []string{"DEU"}}}},
	{Careless: true},
}

func of(f litfass.Filter) litfass.ChangesQuery { return litfass.ChangesQuery{Filter: f} }

// mirrors compares copies that both clients keep with the search, while the catalogue is edited at
// random, connections break, answers fail, and positions are refused.
func mirrors(t *testing.T, s *harness.System, p tsPackage) {
	t.Helper()
	seed := harness.Seed(t)
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(seed, 300, now)
	s.ImportCatalogue(t, catalogue)
	s.AwaitReady(t)
	proxies := map[string]*harmful{"go": harm(t, s.URL(), seed), "typescript": harm(t, s.URL(), seed)}
	kept := map[string]func() ([]state, error){
		"go":         keepInGo(t, proxies["go"].URL, s.URL()),
		"typescript": keepInTypeScript(t, p, proxies["typescript"].URL, s.URL()),
	}
	editor := generate.NewEditor(seed+1, catalogue, now)
	for round := range mirrorRounds {
		edits := editor.Edit(mirrorEdits)
		if round == 1 {
			edits.Regions = append(edits.Regions, redraw(catalogue.Regions[0]))
		}
		s.ImportCatalogue(t, edits)
		s.AwaitReady(t)
		for language, states := range kept {
			var got []state
			var want []map[string]entry
			harness.Await(t, fmt.Sprintf("round %d, %s", round, language), func() error {
				var err error
				if got, err = states(); err != nil {
					t.Fatal(err)
				}
				if round > 1 && got[inRegion].Fills < 2 {
					return errors.New("the copy of a region that was redrawn did not begin again")
				}
				want = nil // read each time, since the service gets to know of its index's last change by and by
				for _, c := range copies {
					want = append(want, search(t, s, c.Query))
				}
				return equal(got, want)
			})
			if round == mirrorRounds-1 {
				report(t, language, got, want, proxies[language])
			}
		}
	}
}

// state is a copy: how often it was filled, and its entries by uuid.
type state struct {
	Fills   int              `json:"fills"`
	Entries map[string]entry `json:"entries"`
}

type entry struct {
	DateCount int            `json:"date_count"`
	Entry     map[string]any `json:"entry"`
}

// equal compares careful copies with what the search finds.
func equal(got []state, want []map[string]entry) error {
	for i, c := range copies {
		if c.Careless {
			continue
		}
		for _, uuid := range slices.Sorted(maps.Keys(want[i])) {
			if kept, has := got[i].Entries[uuid]; !has || !reflect.DeepEqual(kept, want[i][uuid]) {
				return fmt.Errorf("copy %d of %+v: %s is %v, want %v", i, c, uuid, kept, want[i][uuid])
			}
		}
		if len(got[i].Entries) != len(want[i]) {
			return fmt.Errorf("copy %d of %+v has %d entries, want %d", i, c, len(got[i].Entries), len(want[i]))
		}
	}
	return nil
}

// redraw moves the borders of a region.
func redraw(region *reference.Region) *reference.Region {
	for _, polygon := range region.Geometry.Polygons {
		for _, ring := range polygon {
			for i := range ring {
				ring[i][0] -= 0.25
			}
		}
	}
	return region
}

// report fails when the comparison could not have found anything.
func report(t *testing.T, language string, got []state, want []map[string]entry, h *harmful) {
	t.Helper()
	again := 0
	for i, c := range copies {
		if !c.Careless {
			again += got[i].Fills - 1
		} else if reflect.DeepEqual(got[i].Entries, want[i]) {
			t.Errorf("%s: a copy that overlooks what left equals the search", language)
		}
	}
	failed, broken, gone := h.failed.Load(), h.broken.Load(), h.gone.Load()
	t.Logf("%s: copies began again %d times; %d answers failed, %d broke off, %d positions were refused", language, again, failed, broken, gone)
	if again < 2 || failed == 0 || broken == 0 || gone == 0 {
		t.Errorf("%s: the harm was too little for the comparison to mean anything", language)
	}
}

// search reads all that the search finds, without a client of those that are tested.
func search(t *testing.T, s *harness.System, q litfass.ChangesQuery) map[string]entry {
	t.Helper()
	path, list, id, parameters := "/api/events", "events", "date_uuid", url.Values{"limit": {"200"}}
	switch q.Kind {
	case litfass.Events:
		parameters.Set("group", "event")
		id = "uuid"
	case litfass.Venues:
		path, list, id = "/api/venues", "venues", "uuid"
	}
	for name, value := range asJSON(t, q.Filter) {
		text := fmt.Sprint(value)
		parameters.Set(name, strings.ReplaceAll(strings.Trim(text, "[]"), " ", ","))
	}
	all := map[string]entry{}
	for offset := 0; ; offset += 200 {
		parameters.Set("offset", fmt.Sprint(offset))
		answer, err := s.Client.Get(t.Context(), path+"?"+parameters.Encode())
		if err != nil || answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %.300s, %v", parameters.Encode(), answer.Status, answer.Body, err)
		}
		var body struct{ Data map[string]json.RawMessage }
		var page []map[string]any
		if err := json.Unmarshal(answer.Body, &body); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(body.Data[list], &page); err != nil {
			t.Fatal(err)
		}
		for _, shown := range page {
			count, _ := shown["date_count"].(float64)
			delete(shown, "date_count")
			delete(shown, "search_rank")
			all[fmt.Sprint(shown[id])] = entry{int(count), shown}
		}
		if len(page) < 200 {
			return all
		}
	}
}

func asJSON(t *testing.T, value any) (object map[string]any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// counted is a store that counts how often it is filled, and overlooks what leaves if it is
// careless.
type counted struct {
	litfass.Memory
	fills    atomic.Int32
	careless bool
}

func (c *counted) Replace(ctx context.Context, entries iter.Seq2[litfass.Change, error], position string) error {
	c.fills.Add(1)
	return c.Memory.Replace(ctx, entries, position)
}

func (c *counted) Apply(ctx context.Context, changes []litfass.Change, position string) error {
	if c.careless {
		changes = slices.DeleteFunc(changes, func(change litfass.Change) bool { return change.Change == litfass.Left })
	}
	return c.Memory.Apply(ctx, changes, position)
}

// keepInGo keeps the copies with the Go client until the test ends, and returns the function that
// reads them. Careless copies have a service that does no harm, so that they do not begin again.
func keepInGo(t *testing.T, base, harmless string) func() ([]state, error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	t.Cleanup(func() { stop(); keeping.Wait() })
	var stores []*counted
	for _, c := range copies {
		store, q, client := &counted{careless: c.Careless}, c.Query, litfass.New(base)
		if c.Careless {
			client = litfass.New(harmless)
		}
		q.Poll = c.Poll
		stores = append(stores, store)
		keeping.Go(func() {
			if err := client.Mirror(ctx, q, store); ctx.Err() == nil {
				t.Errorf("%+v: %v", q, err)
			}
		})
	}
	return func() (all []state, err error) {
		for _, store := range stores {
			one := state{int(store.fills.Load()), map[string]entry{}}
			for uuid, change := range store.Entries() {
				shown := entry{DateCount: change.DateCount}
				if err := json.Unmarshal(change.Entry, &shown.Entry); err != nil {
					return nil, err
				}
				one.Entries[uuid] = shown
			}
			all = append(all, one)
		}
		return all, nil
	}
}

// keepInTypeScript does so with a program of the TypeScript package.
func keepInTypeScript(t *testing.T, p tsPackage, base, harmless string) func() ([]state, error) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "node", "built/mirrors.js") // until its input ends
	cmd.Dir, cmd.Stderr, cmd.Env = p.folder, os.Stderr, append(os.Environ(), "BASE="+base, "HARMLESS="+harmless)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("mirrors.js: %v", err)
		}
	})
	lines := bufio.NewReader(stdout)
	first, err := json.Marshal(copies)
	if err != nil {
		t.Fatal(err)
	}
	return func() (all []state, err error) {
		if _, err := stdin.Write(append(first, '\n')); err != nil {
			return nil, err
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		return all, json.Unmarshal(line, &all)
	}
}

// harmful is a proxy that does harm to clients.
type harmful struct {
	URL                  string
	proxy                *httputil.ReverseProxy
	mu                   sync.Mutex
	random               *rand.Rand
	goesOn               int // requests to go on from a position
	failed, broken, gone atomic.Int32
}

func harm(t *testing.T, base string, seed uint64) *harmful {
	t.Helper()
	target, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	h := &harmful{proxy: httputil.NewSingleHostReverseProxy(target), random: rand.New(rand.NewPCG(seed, 3))}
	h.proxy.ErrorLog = log.New(io.Discard, "", 0)
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = h.proxy.ErrorLog
	server.Start()
	t.Cleanup(server.Close)
	h.URL = server.URL
	return h
}

func (h *harmful) draw(n int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.random.IntN(n)
}

// refuses reports whether a position to go on from is to be refused.
func (h *harmful) refuses() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.goesOn++
	return h.goesOn == refusedAt
}

func (h *harmful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	streams := r.Header.Get("Last-Event-ID") != ""
	if (streams || r.URL.Query().Has("after")) && h.refuses() {
		h.gone.Add(1)
		w.WriteHeader(http.StatusGone)
		return
	}
	switch n := h.draw(100); {
	case n < 10:
		h.failed.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	case n < 20 || n < 70 && streams:
		h.broken.Add(1)
		ctx, cancel := context.WithTimeout(r.Context(), time.Duration(h.draw(1500))*time.Millisecond)
		defer cancel()
		h.proxy.ServeHTTP(w, r.WithContext(ctx))
	default:
		h.proxy.ServeHTTP(w, r)
	}
}
