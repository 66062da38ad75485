package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/lane"
)

// The lane of the merge leaves out the kills of admin and the lost index.
var (
	copiedFilters = lane.Scale(8, 20)
	copiedPortals = lane.Scale(2, 4)
	changeRounds  = lane.Scale(3, 5)
	changeEdits   = lane.Scale(30, 25) // of a round
)

// TestCopyKeptByChanges: copies that are kept by the change feed equal the search at every position
// where they are compared, while the catalogue is edited at random, over two read nodes that are
// asked in turn, and while services are killed and indexes rebuilt and lost. A copy that overlooks
// that something left must be found to differ, or else the comparison sees nothing.
func TestCopyKeptByChanges(t *testing.T) {
	seed := harness.Seed(t)
	s := &harness.System{Stack: harness.RunRaced(t, stack.Options{ReadNodes: 2, Env: []string{"POSITION_WAIT=10s"}})}
	s.Client = client.New(s.URL(), 8)
	now := time.Now().In(harness.Berlin)
	catalogue := generate.Catalogue(seed, 300, now)
	portals := generate.NewQueries(seed+2, s.Reference(catalogue), catalogue, now)
	catalogue.Portals = portals.Portals(copiedPortals)
	s.ImportCatalogue(t, catalogue)
	s.AwaitReady(t)
	k := &keeper{
		System: s, t: t, random: rand.New(rand.NewPCG(seed, 1)),
		nodes: []*client.Client{client.New(s.ServiceURL(stack.Query), 4), client.New(s.ServiceURL("query-2"), 4)},
	}
	for i, filter := range k.filters(catalogue, seed, now) {
		k.copies = append(k.copies, &kept{filter: filter})
		if i%5 == 0 {
			k.copies = append(k.copies, &kept{filter: filter, kind: "events"}, &kept{filter: filter, careless: true})
		}
	}
	k.copies = append(k.copies, &kept{kind: "venues"})
	k.compareAll(0)
	k.streamSome(4)
	editor := generate.NewEditor(seed+1, catalogue, now)
	for round := range changeRounds {
		mended := k.harm(round)
		s.ImportCatalogue(t, editor.Edit(changeEdits))
		if round%2 == 1 {
			s.ImportCatalogue(t, &reference.Catalogue{Portals: portals.RedrawPortals(catalogue.Portals)})
		}
		mended()
		s.AwaitReady(t)
		ready(s, t, "query-2")
		k.compareAll(round + 1)
	}
	k.report()
}

// kept is a copy of what a filter finds.
type kept struct {
	filter   url.Values
	kind     string // "" of dates
	careless bool   // overlooks what leaves first

	position   string
	entries    map[string]map[string]any // by uuid
	counts     map[string]float64        // of dates of events
	overlooked string
	begun      int
	items      map[string]int // by change
	differed   bool

	streamed bool
	mu       sync.Mutex // of a copy that is kept by streams
	streams  int        // that ended
	failure  error
}

// keeper keeps copies.
type keeper struct {
	*harness.System
	t      *testing.T
	random *rand.Rand
	nodes  []*client.Client
	copies []*kept
}

// filters draws filters that are neither by words nor by the time of day, and have no language: the
// feed has the original texts.
func (k *keeper) filters(c *reference.Catalogue, seed uint64, now time.Time) []url.Values {
	queries := generate.NewQueries(seed, k.Reference(c), c, now)
	all := []url.Values{{}}
	for _, portal := range c.Portals {
		all = append(all, url.Values{"portal": {portal.Slug}})
	}
	for len(all) < copiedFilters {
		filter := url.Values{}
		for name, value := range queries.Next().Parameters {
			switch name {
			case "search", "lang", "not_over", "limit", "offset", "sort", "total", "last_event_start_at", "last_event_date_uuid":
				continue
			}
			for _, word := range []string{"today", "tomorrow", "weekend"} { // midnight may pass
				value = strings.ReplaceAll(value, word, now.Format(time.DateOnly))
			}
			if value != "" && len(filter) < 3 {
				filter.Set(name, value)
			}
		}
		if filter.Get("radius") != "" && (filter.Get("lon") == "" || filter.Get("lat") == "") {
			continue
		}
		if len(filter) > 0 && len(filter.Encode()) < 1000 {
			all = append(all, filter)
		}
	}
	return all
}

// node returns one of the read nodes.
func (k *keeper) node() *client.Client { return k.nodes[k.random.IntN(len(k.nodes))] }

// harm does harm to the system for a round of edits and returns the function that mends it.
func (k *keeper) harm(round int) (mend func()) {
	again := func(names ...string) func() {
		for _, name := range names {
			if err := k.Process(name).Kill(); err != nil {
				k.t.Fatal(err)
			}
		}
		return func() {
			for _, name := range names {
				if err := k.Process(name).Start(k.t.Context()); err != nil {
					k.t.Fatal(err)
				}
			}
		}
	}
	switch round {
	case 0:
		return again(stack.Projector)
	case 1:
		return again("query-2", "projector-2")
	case 2:
		k.MustRun(k.t, "projector-2", "rebuild")
	case 3:
		return again(stack.Admin)
	case 4:
		if _, err := index.Connect(index.Config{URL: k.MeiliURL(), Key: k.MeiliKey()}).Drop(k.t.Context()); err != nil {
			k.t.Fatal(err)
		}
	}
	return func() {}
}

// compareAll brings every copy up to date and compares it with the search of each read node.
func (k *keeper) compareAll(round int) {
	k.t.Helper()
	end := k.end()
	for i, c := range k.copies {
		if c.streamed {
			k.awaitStreamed(c)
			continue
		}
		if err := k.follow(c, end); err != nil {
			k.t.Fatalf("round %d, copy %d, %s %s: %v", round, i, c.kind, c.filter.Encode(), err)
		}
		for n, node := range k.nodes {
			entries, counts, err := readAll(k.t.Context(), node, c, k.t)
			if err != nil {
				k.t.Fatalf("read copy %d: %v", i, err)
			}
			if err := same(c, entries, counts); err == nil {
				continue
			} else if c.careless {
				c.differed = true
			} else {
				k.t.Fatalf("round %d, copy %d, %s %s, node %d, at %s: %v", round, i, c.kind, c.filter.Encode(), n, c.position, err)
			}
		}
	}
}

// end returns the position of the end of the stream, which all read nodes have reached.
func (k *keeper) end() (position string) {
	harness.Await(k.t, "the read nodes are at the end of the stream", func() error {
		answer, err := client.New(k.ServiceURL(stack.Projector), 1).Get(k.t.Context(), "/lag")
		if err != nil {
			return err
		}
		var lag struct {
			Last uint64 `json:"stream_sequence"`
		}
		if err := json.Unmarshal(answer.Body, &lag); err != nil || lag.Last == 0 {
			return fmt.Errorf("GET /lag: %d %s, %w", answer.Status, answer.Body, err)
		}
		for n, node := range k.nodes {
			page, status, err := k.ask(node, url.Values{})
			if err != nil || status != http.StatusOK {
				return fmt.Errorf("%d, %w", status, err)
			}
			if !strings.HasSuffix(page.Position, fmt.Sprintf("-%d", lag.Last)) {
				return fmt.Errorf("read node %d is at %s, the stream at %d", n, page.Position, lag.Last)
			}
			position = page.Position
		}
		return nil
	})
	return position
}

// changesPage is an answer of the change feed.
type changesPage struct {
	Changes []struct {
		Change, UUID string
		DateCount    float64        `json:"date_count"`
		Entry        map[string]any `json:"entry"`
	}
	Position string
	More     bool
}

func (k *keeper) ask(node *client.Client, q url.Values) (page changesPage, status int, err error) {
	var answer client.Answer
	harness.Await(k.t, "an answer", func() error { // not while a service has just been started
		if answer, err = node.Get(k.t.Context(), "/api/changes?"+q.Encode()); err == nil && answer.Status == http.StatusServiceUnavailable {
			return fmt.Errorf("%d %s", answer.Status, answer.Body)
		}
		return err
	})
	if answer.Status == http.StatusOK {
		page, err = client.Data[changesPage](answer, "get-changes")
	}
	return page, answer.Status, err
}

// follow brings a copy to a position, by pages of any length from any node. Without a position, and
// when the feed says so, it begins again.
func (k *keeper) follow(c *kept, end string) error {
	for turn := 0; c.position != end; turn++ {
		if turn > 500 {
			return fmt.Errorf("still at %s, want %s", c.position, end)
		}
		if c.position == "" {
			if err := k.begin(c); err != nil {
				return err
			}
			continue
		}
		q := maps.Clone(c.filter)
		if q == nil {
			q = url.Values{}
		}
		q.Set("after", c.position)
		q.Set("limit", strconv.Itoa(1+k.random.IntN(60)))
		if c.kind != "" {
			q.Set("kind", c.kind)
		}
		page, status, err := k.ask(k.node(), q)
		switch {
		case err != nil:
			return err
		case status == http.StatusGone:
			c.position = ""
			continue
		case status != http.StatusOK:
			return fmt.Errorf("status %d", status)
		}
		if err := c.take(page); err != nil {
			return err
		}
	}
	return nil
}

// begin reads a whole copy.
func (k *keeper) begin(c *kept) error {
	page, status, err := k.ask(k.node(), url.Values{})
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("the position at which to begin: %d, %w", status, err)
	}
	c.begun++
	c.position, c.overlooked = page.Position, ""
	c.entries, c.counts, err = readAll(k.t.Context(), k.node(), c, k.t)
	return err
}

// take takes changes into a copy. Each must be one: nothing enters that is there, and nothing
// changes that is not. What came and went between two answers leaves without having been there.
func (c *kept) take(page changesPage) error {
	if c.items == nil {
		c.items = map[string]int{}
	}
	for _, change := range page.Changes {
		c.items[change.Change]++
		_, has := c.entries[change.UUID]
		switch {
		case change.Change == "left" && has && c.careless && c.overlooked == "":
			c.overlooked = change.UUID
		case change.UUID == c.overlooked:
		case change.Change == "left":
			delete(c.entries, change.UUID)
			delete(c.counts, change.UUID)
		case has == (change.Change == "entered"):
			return fmt.Errorf("%s %s, and it is there: %t", change.UUID, change.Change, has)
		default:
			c.entries[change.UUID], c.counts[change.UUID] = change.Entry, change.DateCount
		}
	}
	c.position = page.Position
	return nil
}

// readAll reads all that the search finds with the filter of a copy.
func readAll(ctx context.Context, node *client.Client, c *kept, t *testing.T) (entries map[string]map[string]any, counts map[string]float64, err error) {
	t.Helper()
	entries, counts = map[string]map[string]any{}, map[string]float64{}
	q := maps.Clone(c.filter)
	if q == nil {
		q = url.Values{}
	}
	path, list, id := "/api/events?", "events", "date_uuid"
	switch c.kind {
	case "events":
		q.Set("group", "event")
		id = "uuid"
	case "venues":
		path, list, id = "/api/venues?", "venues", "uuid"
	}
	q.Set("limit", "200")
	for offset := 0; ; offset += 200 {
		q.Set("offset", strconv.Itoa(offset))
		answer, err := node.Get(ctx, path+q.Encode())
		if err != nil {
			return nil, nil, err
		}
		var body struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(answer.Body, &body); err != nil || answer.Status != http.StatusOK {
			return nil, nil, fmt.Errorf("%s%s: %d %.300s, %w", path, q.Encode(), answer.Status, answer.Body, err)
		}
		var page []map[string]any
		if err := json.Unmarshal(body.Data[list], &page); err != nil {
			return nil, nil, err
		}
		for _, entry := range page {
			uuid := entry[id].(string)
			counts[uuid], _ = entry["date_count"].(float64)
			delete(entry, "search_rank")
			delete(entry, "date_count")
			entries[uuid] = entry
		}
		if len(page) < 200 {
			return entries, counts, nil
		}
	}
}

// same compares a copy with what the search finds.
func same(c *kept, entries map[string]map[string]any, counts map[string]float64) error {
	for uuid, want := range entries {
		got, has := c.entries[uuid]
		if !has {
			return fmt.Errorf("%s is missing", uuid)
		}
		if !reflect.DeepEqual(got, want) || c.counts[uuid] != counts[uuid] {
			return fmt.Errorf("%s is %v (%v), want %v (%v)", uuid, got, c.counts[uuid], want, counts[uuid])
		}
	}
	for uuid := range c.entries {
		if _, found := entries[uuid]; !found {
			return fmt.Errorf("%s should have left", uuid)
		}
	}
	return nil
}

// report logs what the copies took, and fails when the comparison could not have found anything.
func (k *keeper) report() {
	took, again, careless := map[string]int{}, 0, 0
	for i, c := range k.copies {
		again += c.begun - 1
		if c.begun > 1 && c.filter.Get("geolist_region")+c.filter.Get("portal") == "" { // these are redrawn
			k.t.Errorf("copy %d, %s %s, began again %d times", i, c.kind, c.filter.Encode(), c.begun-1)
		}
		if c.differed {
			careless++
		}
		for change, n := range c.items {
			took[change] += n
		}
	}
	k.t.Logf("%d copies took %v and began again %d times; %d careless ones differed", len(k.copies), took, again, careless)
	enough := lane.Scale(12, 30)
	if took["entered"] < enough || took["changed"] < enough || took["left"] < enough || careless == 0 {
		k.t.Error("the edits were too few for the comparison to mean anything")
	}
}
