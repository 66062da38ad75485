package editing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
)

// team are organizers of one organization, with an event of it in the space of a venue of another
// one.
type team struct {
	*editing
	members             []harness.Editor // half of them use each of the admin processes; the first founded both organizations
	org, owner          string           // the organization of the event, and that of the venue
	venue, space, event string
}

// newTeam founds the organizations. name is a part of the members' e-mail addresses.
func (s *editing) newTeam(t *testing.T, name string, size int) *team {
	t.Helper()
	founder := s.SignUp(t, name+"0@example.org")
	made := func(path, body string) string {
		return fmt.Sprint(founder.Write(t, http.MethodPut, path, body)["uuid"])
	}
	c := &team{editing: s, members: []harness.Editor{founder}}
	c.owner = made("/organization", `{"name": "Haus `+name+`"}`) // first: an import locks it before the event's
	c.org = made("/organization", `{"name": "Verein `+name+`"}`)
	c.venue = made("/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Saal %s"}`, c.owner, name))
	c.space = made("/space", fmt.Sprintf(`{"venue_uuid": %q, "name": "Bühne"}`, c.venue))
	for n := 1; n < size; n++ {
		member := s.Invited(t, founder, c.org, fmt.Sprintf("%s%d@example.org", name, n), "editor")
		if n%2 == 1 {
			member = member.Through(s.second)
		}
		c.members = append(c.members, member)
	}
	c.event = c.newEvent(t, "released")
	return c
}

// newEvent adds an event with one date in the space.
func (c *team) newEvent(t *testing.T, status string) string {
	t.Helper()
	created := c.members[0].Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "space_uuid": %q,
		"title": "Gemeinsames", "release_status": %q, "dates": [{"start_date": "2036-05-01", "start_time": "20:00"}]}`, c.org, c.venue, c.space, status))
	return fmt.Sprint(created["uuid"])
}

// member returns one of the members in turn.
func (c *team) member(n int) harness.Editor { return c.members[n%len(c.members)] }

// shared is an event as its editors read it.
type shared struct {
	Summary, Description *string
	Tags                 []string
	Links                []struct{ URL string } `json:"event_links"`
	Dates                []struct {
		Start string `json:"start_date"`
	}
	version string // its ETag
}

func read(ctx context.Context, e harness.Editor, event string) (read shared, err error) {
	answer, err := e.Ask(ctx, http.MethodGet, "/event/"+event, "")
	if err == nil && answer.Status != http.StatusOK {
		err = fmt.Errorf("GET /event/%s: %d %.300s", event, answer.Status, answer.Body)
	}
	if err != nil {
		return read, err
	}
	read.version = answer.Header.Get("ETag")
	return read, json.Unmarshal(answer.Body, &read)
}

// edit is a write that adds a mark to the event as it was read.
type edit func(read shared, mark string) (method, part string, body any)

var edits = []edit{
	func(read shared, mark string) (string, string, any) {
		return http.MethodPut, "tags", map[string]any{"tags": append(read.Tags, mark)}
	},
	func(read shared, mark string) (string, string, any) {
		return http.MethodPut, "summary", map[string]any{"summary": text(read.Summary) + " " + mark}
	},
	func(read shared, mark string) (string, string, any) {
		return http.MethodPut, "description", map[string]any{"description": text(read.Description) + " " + mark}
	},
	func(_ shared, mark string) (string, string, any) {
		return http.MethodPut, "link", map[string]any{"type": "website", "url": "https://example.org/" + mark}
	},
	func(_ shared, mark string) (string, string, any) {
		return http.MethodPost, "date", map[string]any{"start_date": "2037-" + mark[len(mark)-5:], "all_day": true}
	},
}

func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}

// mark is what the editor of a number adds: it ends in a day of its own.
func mark(n int) string {
	return "mark-" + time.Date(2037, 1, 1+n, 0, 0, 0, 0, time.UTC).Format("01-02")
}

// isBusy reports whether a write waited too long for others, and may be sent again.
func isBusy(answer client.Answer) bool {
	return answer.Status == http.StatusServiceUnavailable && bytes.Contains(answer.Body, []byte(`"busy"`))
}

// editAsRead reads the event and writes an edit of it, until no other write came in between.
func (c *team) editAsRead(ctx context.Context, n int) error {
	e := c.member(n)
	for {
		read, err := read(ctx, e, c.event)
		if err != nil {
			return err
		}
		method, part, body := edits[n%len(edits)](read, mark(n))
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		answer, err := e.Ask(ctx, method, "/event/"+c.event+"/"+part, string(encoded), "If-Match", read.version)
		switch {
		case err != nil:
			return err
		case answer.Status == http.StatusPreconditionFailed, isBusy(answer):
			continue
		case answer.Status >= http.StatusMultipleChoices:
			return fmt.Errorf("editor %d: %s: %d %.300s", n, part, answer.Status, answer.Body)
		}
		return nil
	}
}

// testParallelEditors: fifty editors change one event at once, each the version that it has read.
// Every mark is there in the end, and each accepted write is one version and one entry of the
// audit.
func (s *editing) testParallelEditors(t *testing.T) {
	const editors = 50
	c := s.newTeam(t, "team", 5)
	group, ctx := errgroup.WithContext(t.Context())
	for n := range editors {
		group.Go(func() error { return c.editAsRead(ctx, n) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	read, err := read(t.Context(), c.members[0], c.event)
	if err != nil {
		t.Fatal(err)
	}
	for n := range editors {
		if !slices.Contains(marks(read)[n%len(edits)], mark(n)) {
			t.Errorf("what editor %d wrote is lost", n)
		}
	}
	if want := fmt.Sprintf("%q", fmt.Sprint(1+editors)); read.version != want {
		t.Errorf("the version is %s, want %s", read.version, want)
	}
	if recorded := c.recorded(t, "event.update"); recorded != editors {
		t.Errorf("%d writes were recorded, want %d", recorded, editors)
	}
	s.AwaitReady(t)
	s.Verify(t)
}

// marks are what each kind of edit has left in the event.
func marks(read shared) [][]string {
	var links, dates []string
	for _, link := range read.Links {
		links = append(links, last(link.URL))
	}
	for _, date := range read.Dates {
		dates = append(dates, "mark-"+strings.TrimPrefix(date.Start, "2037-"))
	}
	return [][]string{read.Tags, strings.Fields(text(read.Summary)), strings.Fields(text(read.Description)), links, dates}
}

// recorded counts the entries of the audit about the event.
func (c *team) recorded(t *testing.T, action string) (count int) {
	t.Helper()
	for offset := 0; ; {
		page := c.members[0].Show(t, fmt.Sprintf("/organization/%s/audit?action=%s&limit=200&offset=%d", c.org, action, offset))
		entries, _ := page["entries"].([]any)
		for _, entry := range entries {
			if entry.(map[string]any)["entity_id"] == c.event {
				count++
			}
		}
		if offset += len(entries); len(entries) < 200 {
			return count
		}
	}
}
