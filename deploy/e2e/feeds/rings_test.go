package feeds

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// fed is a stack that reads another one as a source.
type fed struct {
	*harness.System
	editor      harness.Editor
	org, source string
}

func startFed(t *testing.T, name string) *fed {
	t.Helper()
	s := harness.Ready(t, harness.Run(t, stack.Options{Env: []string{"IMPORT_NETWORKS=127.0.0.0/8"}}))
	f := &fed{System: s, editor: s.LogIn(t)}
	f.org = fmt.Sprint(f.editor.Write(t, http.MethodPut, "/organization", fmt.Sprintf(`{"name": %q}`, name))["uuid"])
	venue := f.editor.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Saal", "city": "Kiel"}`, f.org))["uuid"]
	for i := range 3 {
		f.editor.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(
			`{"org_uuid": %q, "title": "%s %d", "venue_uuid": %q, "release_status": "released", "dates": [{"start_date": "2099-03-0%d", "start_time": "%02d:00"}]}`,
			f.org, name, i, venue, i+1, 10+len(name)))
	}
	return f
}

// reads makes another stack a source.
func (f *fed) reads(t *testing.T, other *fed) {
	t.Helper()
	f.source = fmt.Sprint(f.editor.Write(t, http.MethodPost, "/organization/"+f.org+"/sources", fmt.Sprintf(
		`{"name": "Litfass", "address": "%s/?city=Kiel", "format": "litfass", "interval_minutes": 10080, "missing": "cancel",
		"defaults": {"release_status": "released"}}`, other.URL()))["uuid"])
}

// read has the source read, unless a process does at the time, and waits until all is published.
func (f *fed) read(t *testing.T) {
	t.Helper()
	path := "/organization/" + f.org + "/sources/" + f.source + "/read"
	answer, err := f.editor.Ask(t.Context(), http.MethodPost, path, "")
	if err != nil || answer.Status != http.StatusOK && answer.Status != http.StatusConflict {
		t.Fatalf("%s: %d, %s, %v", path, answer.Status, answer.Body, err)
	}
	if failure := f.editor.Show(t, strings.TrimSuffix(path, "/read"))["failure"]; failure != nil {
		t.Fatalf("the source fails: %v", failure)
	}
	f.AwaitReady(t)
}

// answer reads an operation of the public API.
func (f *fed) answer(t *testing.T, path string, query url.Values, into any) {
	t.Helper()
	response, err := http.Get(f.URL() + path + "?" + query.Encode()) //nolint:noctx // of a test's own stack
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	enveloped := struct {
		Data any `json:"data"`
	}{into}
	if err := json.NewDecoder(response.Body).Decode(&enveloped); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, response.StatusCode, err)
	}
}

// titles are those of all public events, in order.
func (f *fed) titles(t *testing.T) (titles []string) {
	t.Helper()
	var page struct {
		Events []struct {
			Title string `json:"title"`
		} `json:"events"`
	}
	f.answer(t, "/api/events/", url.Values{"limit": {"200"}}, &page)
	for _, e := range page.Events {
		titles = append(titles, e.Title)
	}
	slices.Sort(titles)
	return titles
}

// position is that of the journal, which every change moves on.
func (f *fed) position(t *testing.T) string {
	t.Helper()
	var page struct {
		Position string `json:"position"`
	}
	f.answer(t, "/api/changes", url.Values{"kind": {"events"}}, &page)
	return page.Position
}

// TestTwoStacksFeedEachOther: each has all events once, also after an edit, and then nothing is
// published any more however often they read.
func TestTwoStacksFeedEachOther(t *testing.T) {
	t.Parallel()
	a, b := startFed(t, "Jazz"), startFed(t, "Theater")
	a.reads(t, b)
	b.reads(t, a)
	rest := func(want ...string) {
		t.Helper()
		deadline := time.Now().Add(harness.Patience)
		for calm, last := 0, ""; calm < 3; {
			a.read(t)
			b.read(t)
			now := a.position(t) + " " + b.position(t)
			if calm++; now != last || !slices.Equal(a.titles(t), want) || !slices.Equal(b.titles(t), want) {
				calm, last = 0, now
			}
			if time.Now().After(deadline) {
				t.Fatalf("no rest: %v, %v, at %s", a.titles(t), b.titles(t), now)
			}
		}
	}
	rest("Jazz 0", "Jazz 1", "Jazz 2", "Theater 0", "Theater 1", "Theater 2")
	var page struct {
		Events []struct {
			UUID string `json:"uuid"`
		} `json:"events"`
	}
	a.answer(t, "/api/events/", url.Values{"title": {"Jazz 1"}}, &page)
	event := page.Events[0].UUID
	a.editor.Write(t, http.MethodPatch, "/event/"+event, `{"title": "Jazz eins"}`)
	rest("Jazz 0", "Jazz 2", "Jazz eins", "Theater 0", "Theater 1", "Theater 2")
	b.answer(t, "/api/events/", url.Values{"title": {"Jazz eins"}}, &page)
	var detail struct {
		Origin     string `json:"origin"`
		SourceLink string `json:"source_link"`
		SourceName string `json:"source_name"`
	}
	b.answer(t, "/api/event/"+page.Events[0].UUID, nil, &detail)
	if want := a.URL() + "/event/" + event; detail.Origin != want || detail.SourceLink != want || detail.SourceName != "Litfass" {
		t.Errorf("provenance: %+v, want %s", detail, want)
	}
}
