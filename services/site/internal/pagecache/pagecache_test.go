package pagecache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/client"
)

// source stands for the public API: each target has a text, and all have one position.
type source struct {
	mu       sync.Mutex
	position uint64
	changed  map[string]uint64 // the position of the last change, by target
	expires  time.Time         // of all answers; zero for never
	requests []string
	// validated counts the reads in requests to validate.
	validated int
	down      bool
}

func (s *source) edit(target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.position++
	s.changed[target] = s.position
}

func (s *source) tag(target string) string { return fmt.Sprintf(`"%s-%d"`, target, s.changed[target]) }

// Do answers like the query service.
func (s *source) Do(_ context.Context, target, tag string, wanted uint64) (client.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, target)
	answer := client.Answer{Status: http.StatusOK, Tag: s.tag(target), Position: s.position, Expires: s.expires}
	switch {
	case s.down:
		return client.Answer{}, errors.New("down")
	case wanted > s.position:
		answer.Status = http.StatusConflict
	case tag == answer.Tag:
		answer.Status = http.StatusNotModified
	}
	return answer, nil
}

// Validate answers like the query service; it does not know the targets that begin with "?".
func (s *source) Validate(_ context.Context, reads []client.Read, wanted uint64) ([]client.Validated, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, "validate")
	if s.down || wanted > s.position {
		return nil, 0, errors.New("down")
	}
	if len(reads) > publicapi.MaxValidated {
		return nil, 0, errors.New("too many")
	}
	s.validated += len(reads)
	answers := make([]client.Validated, len(reads))
	for i, read := range reads {
		answers[i] = client.Validated{Status: publicapi.Changed, Expires: s.expires}
		switch {
		case strings.HasPrefix(read.Target, "?"):
			answers[i].Status = publicapi.Unknown
		case read.Tag == s.tag(read.Target):
			answers[i].Status = publicapi.Unchanged
		}
	}
	return answers, s.position, nil
}

// read is a read of a page that is being made.
func (s *source) read(target string) client.Read {
	answer, _ := s.Do(context.Background(), target, "", 0)
	return client.Read{Target: target, Tag: answer.Tag, Position: answer.Position, Expires: answer.Expires}
}

// made returns how a page is made from targets, and counts how often it was.
func (s *source) made(times *int, targets ...string) func(context.Context) (*Page, error) {
	return func(context.Context) (*Page, error) {
		*times++
		page := &Page{Status: http.StatusOK}
		var text strings.Builder
		for _, target := range targets {
			read := s.read(target)
			page.Reads = append(page.Reads, read)
			text.WriteString(read.Tag)
		}
		page.Text = encoded.New([]byte(text.String()))
		return page, nil
	}
}

// TestPagesChangeAtTheMinute: a page is served without reading all of its answers until the first
// of them expires. Then it is made again if one has changed; else the new expiry counts.
func TestPagesChangeAtTheMinute(t *testing.T) {
	s, times := newSource(), 0
	now := time.Date(2026, 11, 23, 20, 59, 0, 0, time.UTC)
	cache := newCache(s, 1<<20, func() time.Time { return now })
	get := func() {
		t.Helper()
		s.requests = nil
		if _, err := cache.Get(t.Context(), "k", 0, s.made(&times, "a", "b")); err != nil {
			t.Fatal(err)
		}
	}
	s.expires = now.Add(time.Minute)
	get()
	if get(); times != 1 || len(s.requests) != 1 {
		t.Errorf("before the minute: made %d times, asked for %v", times, s.requests)
	}
	now, s.expires = now.Add(time.Minute), now.Add(2*time.Minute)
	if get(); times != 1 || len(s.requests) != 2 {
		t.Errorf("nothing has changed: made %d times, asked for %v", times, s.requests)
	}
	if get(); times != 1 || len(s.requests) != 1 {
		t.Errorf("with a new expiry: made %d times, asked for %v", times, s.requests)
	}
	now = now.Add(time.Minute)
	s.changed["b"] = 7 // without a change of the catalogue
	if get(); times != 2 {
		t.Errorf("an answer has changed with the clock: made %d times", times)
	}
}

// newCache returns a cache that validates every page.
func newCache(s *source, maxBytes int, now func() time.Time) *Cache {
	cache := New(s, maxBytes, time.Second, now)
	cache.trust = 0
	return cache
}

func newSource() *source { return &source{position: 1, changed: map[string]uint64{}} }

func TestHotPageCostsOneRead(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	get := func(wanted uint64) *Page {
		t.Helper()
		page, err := cache.Get(t.Context(), "k", wanted, s.made(&times, "a", "b", "c"))
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	first := get(0)
	s.requests = nil
	if again := get(0); again != first || times != 1 || len(s.requests) != 1 {
		t.Errorf("made %d times, asked for %v", times, s.requests)
	}
	s.edit("elsewhere")
	s.requests = nil
	if moved := get(0); times != 1 || moved.Position != 2 || strings.Join(s.requests, " ") != "a validate" {
		t.Errorf("made %d times, position %d, asked for %v", times, moved.Position, s.requests)
	}
	s.requests = nil
	if get(0); len(s.requests) != 1 {
		t.Errorf("after the position is known: asked for %v", s.requests)
	}
	s.edit("c")
	if changed := get(0); times != 2 || changed.Position != 3 {
		t.Errorf("made %d times, position %d", times, changed.Position)
	}
	if wanted := get(3); times != 2 || wanted.Position != 3 {
		t.Errorf("a page at the position that is wanted: made %d times", times)
	}
}

// TestAPositionIsValidatedOnceForAllPages: the first request after a change validates the pages
// that were used last. Unchanged ones cost one read again, and others are made when asked for.
func TestAPositionIsValidatedOnceForAllPages(t *testing.T) {
	s := newSource()
	cache := newCache(s, 1<<30, time.Now)
	const pages = 400
	times := make([]int, pages)
	get := func(i int) *Page {
		t.Helper()
		key := fmt.Sprint(i)
		page, err := cache.Get(t.Context(), key, 0, func(ctx context.Context) (*Page, error) {
			page, err := s.made(&times[i], "list"+key, "counts"+key, "names")(ctx)
			page.NoIndex = i%2 == 1
			return page, err
		})
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	for i := range pages {
		get(i)
	}
	s.edit("counts399")
	s.requests = nil
	page := get(pages - 2)
	if strings.Join(s.requests, " ") != "list398 validate" || page.Position != 2 || s.validated > publicapi.MaxValidated || s.validated < publicapi.MaxValidated-2 {
		t.Fatalf("asked for %v, and validated %d", s.requests, s.validated)
	}
	for i, want := range map[int]string{pages - 3: "list397", pages - 1: "list399 counts399 names", pages - 4: "list396"} {
		s.requests = nil
		if page := get(i); strings.Join(s.requests, " ") != want || page.Position != 2 || page.NoIndex != (i%2 == 1) {
			t.Errorf("page %d: asked for %v, want %s; %+v", i, s.requests, want, page)
		}
	}
	s.requests = nil
	if get(0); strings.Join(s.requests, " ") != "list0 validate" {
		t.Errorf("a page that was used long ago: asked for %v", s.requests)
	}
	for i := range pages {
		get(i)
		if want := 1 + toInt(i == pages-1); times[i] != want {
			t.Errorf("page %d was made %d times", i, times[i])
		}
	}
}

func toInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestAnswersThatAreNotKnownAreReadAgain: and so are all of them when none can be validated.
func TestAnswersThatAreNotKnownAreReadAgain(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	get := func() *Page {
		t.Helper()
		s.requests = nil
		page, err := cache.Get(t.Context(), "k", 0, s.made(&times, "a", "?b"))
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	get()
	s.edit("elsewhere")
	if page := get(); times != 1 || page.Position != 2 || len(s.requests) != 4 {
		t.Errorf("made %d times, at %d, asked for %v", times, page.Position, s.requests)
	}
	s.edit("?b")
	if page := get(); times != 2 || page.Position != 3 {
		t.Errorf("made %d times, at %d, asked for %v", times, page.Position, s.requests)
	}
}

// TestNoPageWithoutTheAPI: a cached page that cannot be validated is not answered.
func TestNoPageWithoutTheAPI(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	if _, err := cache.Get(t.Context(), "k", 0, s.made(&times, "a")); err != nil {
		t.Fatal(err)
	}
	s.down = true
	failed := errors.New("cannot be made")
	if _, err := cache.Get(t.Context(), "k", 0, func(context.Context) (*Page, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// TestPartialPagesAreNotCached: the next visitor gets the whole page as soon as it can be read.
func TestPartialPagesAreNotCached(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	for want := 1; want <= 2; want++ {
		_, err := cache.Get(t.Context(), "k", 0, func(ctx context.Context) (*Page, error) {
			page, err := s.made(&times, "a")(ctx)
			page.Partial = true
			return page, err
		})
		if err != nil || times != want {
			t.Errorf("made %d times, want %d: %v", times, want, err)
		}
	}
}

// TestMemoryIsBounded also when there is no end of pages.
func TestMemoryIsBounded(t *testing.T) {
	s, times := newSource(), 0
	const maxBytes = 64 << 10
	cache := newCache(s, maxBytes, time.Now)
	for i := range 1000 {
		if _, err := cache.Get(t.Context(), fmt.Sprint(i), 0, s.made(&times, "a")); err != nil {
			t.Fatal(err)
		}
		if cache.bytes > maxBytes {
			t.Fatalf("%d bytes are held", cache.bytes)
		}
	}
	if cache.pages.Len() == 0 {
		t.Error("nothing is held")
	}
	for _, key := range cache.pages.Keys() {
		cache.pages.Remove(key)
	}
	if cache.bytes != 0 {
		t.Errorf("%d bytes of nothing", cache.bytes)
	}
}

// TestNoPageIsOlderThanItsPosition: random edits of three answers between requests for random pages
// of them.
func TestNoPageIsOlderThanItsPosition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	targets := []string{"a", "b", "?c"}
	for range 5000 {
		if random.IntN(4) == 0 {
			s.edit(append(targets, "elsewhere")[random.IntN(4)])
			continue
		}
		read := targets[:1+random.IntN(3)]
		page, err := cache.Get(t.Context(), fmt.Sprint(len(read)), 0, s.made(&times, read...))
		if err != nil {
			t.Fatal(err)
		}
		if page.Position != s.position {
			t.Fatalf("position %d, want %d", page.Position, s.position)
		}
		want := ""
		for _, target := range read {
			want += s.tag(target)
		}
		if got := textOf(t, page); got != want {
			t.Fatalf("at %d: got %s, want %s", page.Position, got, want)
		}
	}
	if times > 3000 {
		t.Errorf("pages were made %d times", times)
	}
}

func textOf(t *testing.T, page *Page) string {
	t.Helper()
	var text strings.Builder
	if _, err := page.Text.Body(encoded.Identity, nil).WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestConcurrentRequestsShareAValidation: its position is valid for all of their pages.
func TestConcurrentRequestsShareAValidation(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	targets := []string{"a", "b", "c", "d", "e"}
	get := func(target string) {
		if _, err := cache.Get(t.Context(), target, 0, s.made(&times, target)); err != nil {
			t.Error(err)
		}
	}
	for _, target := range targets {
		get(target)
	}
	s.requests = nil
	current := &validation{done: make(chan struct{})}
	cache.validation = current // in progress
	var all sync.WaitGroup
	for _, target := range targets {
		all.Go(func() { get(target) })
	}
	current.position = s.position
	close(current.done)
	all.Wait()
	if times != len(targets) || len(s.requests) != 0 {
		t.Errorf("made %d pages, asked for %v", times, s.requests)
	}

	s.edit("c") // one page is older than the position of the validation
	current = &validation{done: make(chan struct{}), position: s.position}
	close(current.done)
	cache.validation = current
	get("a")
	get("c")
	if times != len(targets)+1 || len(s.requests) < 2 {
		t.Errorf("made %d pages, asked for %v", times, s.requests)
	}
}

// TestAPositionIsCurrentForAMoment: pages of a position that was just found to be the current one
// are answered without a validation, unless the request wants a position.
func TestAPositionIsCurrentForAMoment(t *testing.T) {
	s, times := newSource(), 0
	cache := newCache(s, 1<<20, time.Now)
	get := func(key string, wanted uint64, requests int) {
		t.Helper()
		s.requests = nil
		if _, err := cache.Get(t.Context(), key, wanted, s.made(&times, key)); err != nil || len(s.requests) != requests {
			t.Errorf("%s: asked for %v, %v; want %d", key, s.requests, err, requests)
		}
	}
	get("a", 0, 1)
	get("b", 0, 1)
	cache.trust = time.Hour
	get("a", 0, 1)
	get("a", 0, 0)
	get("b", 0, 0)
	get("b", 1, 1)
	s.edit("b")
	get("b", 2, 2)
	get("a", 0, 1)
	if get("b", 0, 0); times != 3 {
		t.Errorf("made %d pages", times)
	}
}

// TestSharedRender: concurrent requests for a page wait for one rendering.
func TestSharedRender(t *testing.T) {
	s := newSource()
	cache := newCache(s, 1<<20, time.Now)
	begun, finish := make(chan struct{}), make(chan struct{})
	var times int
	render := func(ctx context.Context) (*Page, error) {
		close(begun)
		<-finish
		return s.made(&times, "a")(ctx)
	}
	var all sync.WaitGroup
	ask := func() {
		if _, err := cache.Get(t.Context(), "k", 0, render); err != nil {
			t.Error(err)
		}
	}
	all.Go(ask)
	<-begun
	for range 5 {
		all.Go(ask)
	}
	close(finish)
	all.Wait()
	if times != 1 {
		t.Errorf("made %d times", times)
	}
}
