package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/faults/recorded"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// releases are the commits of recorded releases. Each had imported and published a small catalogue.
// Package recorded has the form of the files of testdata.
var releases = []string{"9893d0c", "cf5320b", "19454f33", "ce64373c", "746186d7", "6e1375bb"}

// newer are parameters and pages of the later releases.
var newer = []string{
	"/api/series", "/api/lists", "/api/contributors?search=a", "/api/choosable-labels", "/lists",
	"/api/events?start=2037-01-01&not_over=true", "/api/events?start=2037-01-01&label=tip",
	"/api/events?start=2037-01-01&on=2037-05-05&time=10-22", "/api/events?start=2037-01-01&availability=available",
	"/api/events?start=2037-01-01&group=event&series_uuids=0197a1b2-c3d4-7e5f-8a6b-000000000009",
	"/api/events?start=2037-01-01&contributor=0197a1b2-c3d4-7e5f-8a6b-000000000009",
	"/api/events/facets?start=2037-01-01&by=label,series_uuids,contributor,availability&group=event",
}

// unchanged are pages of every release without anything about the recorded events.
var unchanged = []string{"/sitemap.xml", "/robots.txt", "/regions", "/map", "/about", "/developers", "/api/venues.geojson"}

// TestDataOfEarlierReleases: the data of an earlier release needs no command but the migration. The
// present query services answer from the release's index until the projector replaces the index.
// Everything is published again in the present form, and answers only gain keys.
func TestDataOfEarlierReleases(t *testing.T) {
	s := harness.Start(t)
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			r, err := recorded.Read(filepath.Join("testdata", release+".json.gz"))
			if err != nil {
				t.Fatal(err)
			}
			stopWriters(s, t)
			loadData(s, t, r)
			s.MustRun(t, stack.Admin, "migrate")
			if len(r.Indexes) > 0 {
				askFormerIndex(s, t, r)
			}
			for _, service := range []string{stack.Projector, stack.Admin} {
				if err := s.Process(service).Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			s.AwaitReady(t)
			awaitForm(s, t, stack.Projector)
			s.Verify(t)
			askAll(s, t, r, http.StatusOK)
		})
	}
}

// askFormerIndex asks the query service for the answers of the release, from the release's index,
// while no projector runs. Later parameters are refused by name.
func askFormerIndex(s *harness.System, t *testing.T, r recorded.Release) {
	t.Helper()
	replace(s, t, stack.Query, s.Process(stack.Query).Command[0]) // it has answers of other data
	askAll(s, t, r, http.StatusServiceUnavailable)
}

// askAll asks for the recorded answers and pages, and for those of later releases, where another
// status is allowed.
func askAll(s *harness.System, t *testing.T, r recorded.Release, orElse int) {
	t.Helper()
	for _, answer := range r.Answers {
		compareAnswer(s, t, answer.Path, answer.Answer)
	}
	pages := r.Pages
	for _, path := range unchanged {
		pages = append(pages, recorded.Page{Path: path})
	}
	for _, page := range pages {
		comparePage(s, t, page)
	}
	for _, path := range newer {
		answer, err := s.Client.Get(t.Context(), path)
		if err != nil || answer.Status != http.StatusOK && answer.Status != orElse {
			t.Errorf("%s: %d %.200s, %v", path, answer.Status, answer.Body, err)
		}
	}
}

// stopWriters stops the processes that write to database, stream and index.
func stopWriters(s *harness.System, t *testing.T) {
	t.Helper()
	for _, service := range []string{stack.Admin, stack.Projector} {
		if err := s.Process(service).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// loadData replaces the data of the stack.
func loadData(s *harness.System, t *testing.T, r recorded.Release) {
	t.Helper()
	identity, sequence := loadStreams(s, t, r)
	if err := loadDatabase(r, s, t, identity, sequence); err != nil {
		t.Fatal(err)
	}
	if len(r.Indexes) > 0 {
		loadIndexes(s, t, r, identity)
	}
}

// awaitForm waits until the index of a projector is in one form, and returns the form.
func awaitForm(s *harness.System, t *testing.T, projector string) (form string) {
	t.Helper()
	harness.Await(t, projector+" has everything in one form", func() error {
		answer, err := client.New(s.ServiceURL(projector), 1).Get(t.Context(), "/lag")
		if err != nil {
			return err
		}
		var lag struct {
			Form    string `json:"form"`
			Pending int    `json:"pending"`
		}
		if err := json.Unmarshal(answer.Body, &lag); err != nil || lag.Form == "" || lag.Pending > 0 {
			return errors.Join(err, fmt.Errorf("%d %s", answer.Status, answer.Body))
		}
		form = lag.Form
		return nil
	})
	return form
}
