package editing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// crowd is a team that does everything at once to the same few events and to all that these refer
// to.
type crowd struct {
	*team
	other  string   // a second venue, of the events' own organization
	events []string // the first is that of the team
}

// deed is what an editor does in one of many turns. Others may be faster: writes may be answered
// with 404, 409 and 412, but with no other error.
type deed func(ctx context.Context, e harness.Editor, turn int) error

// imports is how often the crowd's part of the catalogue is imported, while its members go on.
const imports = 8

// testEverythingAtOnce: editors change, release, withdraw, duplicate and delete events, one by one
// and in bulk, while others change their venues, spaces and organizations, and imports write all of
// these together.
func (s *editing) testEverythingAtOnce(t *testing.T) {
	c := &crowd{team: s.newTeam(t, "crowd", 5)}
	c.events = []string{c.event, c.newEvent(t, "released"), c.newEvent(t, "draft")}
	c.other = fmt.Sprint(c.members[0].Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Hof"}`, c.org))["uuid"])
	file := c.catalogueFile(t)
	imported := make(chan struct{})
	group, ctx := errgroup.WithContext(t.Context())
	var done atomic.Int64
	for n, do := range c.deeds() {
		group.Go(func() error {
			for turn := n; ; turn++ {
				select {
				case <-imported:
					return nil
				default:
				}
				if err := do(ctx, c.member(n), turn); err != nil {
					return fmt.Errorf("deed %d, turn %d: %w", n, turn, err)
				}
				done.Add(1)
			}
		})
	}
	for n := range 10 {
		group.Go(func() error { return c.editAsRead(ctx, n) })
	}
	group.Go(func() error {
		defer close(imported)
		return c.imports(ctx, file)
	})
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d deeds beside %d imports", done.Load(), imports)
	s.AwaitReady(t)
	s.Verify(t)
}

// deeds are the concurrent writes of the members; number 0 and every fifth after it belong to the
// founder, the only one who may change the venue's organization.
func (c *crowd) deeds() []deed {
	founders := func(method, path, body string) deed {
		return func(ctx context.Context, _ harness.Editor, turn int) error {
			return tolerant(c.members[0].Through(c.base(turn)).Ask(ctx, method, path, fmt.Sprintf(body, turn)))
		}
	}
	return []deed{
		founders(http.MethodPut, "/organization/"+c.owner, `{"name": "Haus %d"}`),
		founders(http.MethodPut, "/organization/"+c.org, `{"name": "Verein %d"}`),
		founders(http.MethodPut, "/venue/"+c.venue, `{"name": "Saal %d"}`),
		founders(http.MethodPut, "/space/"+c.space, `{"name": "Bühne %d"}`),
		c.release, c.release, c.release, c.place, c.bulk, c.bulk, c.duplicate, c.redate, c.rebuild, c.preview,
	}
}

// base alternates between the addresses of the admin processes.
func (c *crowd) base(turn int) string { return []string{c.URL(), c.second}[turn%2] }

// tolerant returns an error for an answer that no other editor explains.
func tolerant(answer client.Answer, err error) error {
	switch {
	case err != nil:
		return err
	case answer.Status < http.StatusMultipleChoices, answer.Status == http.StatusNotFound,
		answer.Status == http.StatusConflict, answer.Status == http.StatusPreconditionFailed, isBusy(answer):
		return nil
	}
	return fmt.Errorf("%d %.300s", answer.Status, answer.Body)
}

func (c *crowd) release(ctx context.Context, e harness.Editor, turn int) error {
	status := []string{"draft", "released"}[turn%2]
	path := "/event/" + c.events[turn/2%len(c.events)] + "/release-status"
	return tolerant(e.Ask(ctx, http.MethodPut, path, fmt.Sprintf(`{"release_status": %q}`, status)))
}

// place moves an event between the venues of both organizations.
func (c *crowd) place(ctx context.Context, _ harness.Editor, turn int) error {
	venue := []string{c.other, c.venue}[turn%2]
	path := "/event/" + c.events[turn/2%len(c.events)] + "/place"
	return tolerant(c.members[0].Ask(ctx, http.MethodPut, path, fmt.Sprintf(`{"venue_uuid": %q, "space_uuid": null}`, venue)))
}

// bulk changes all events, in another order each time.
func (c *crowd) bulk(ctx context.Context, e harness.Editor, turn int) error {
	var elements []string
	for _, event := range c.events {
		elements = append(elements, fmt.Sprintf(`{"uuid": %q, "event_types": [{"type_id": %d, "genre_id": 0}]}`, event, 1+turn%3))
	}
	if turn%2 == 0 {
		slices.Reverse(elements)
	}
	return tolerant(e.Ask(ctx, http.MethodPut, "/events/bulk", `{"events": [`+strings.Join(elements, ", ")+`]}`))
}

// duplicate copies an event, and deletes the copy.
func (c *crowd) duplicate(ctx context.Context, e harness.Editor, turn int) error {
	answer, err := e.Ask(ctx, http.MethodPost, "/event/"+c.events[turn%len(c.events)]+"/duplicate", "")
	if err := tolerant(answer, err); err != nil || answer.Status != http.StatusCreated {
		return err
	}
	copied, err := harness.Decoded(answer)
	if err != nil {
		return err
	}
	path := fmt.Sprintf("/event/%s", copied["uuid"])
	return tolerant(c.members[0].Ask(ctx, http.MethodDelete, path, fmt.Sprintf(`{"password": %q}`, harness.EditorPassword)))
}

// redate adds the dates of a rule and removes them.
func (c *crowd) redate(ctx context.Context, e harness.Editor, turn int) error {
	path := "/event/" + c.events[turn%len(c.events)] + "/date"
	answer, err := e.Ask(ctx, http.MethodPost, path, `{"start_date": "2039-01-01", "all_day": true, "rrule": "FREQ=DAILY;COUNT=5"}`)
	if err := tolerant(answer, err); err != nil || answer.Status != http.StatusCreated {
		return err
	}
	added, err := harness.Decoded(answer)
	if err != nil {
		return err
	}
	return tolerant(e.Ask(ctx, http.MethodDelete, fmt.Sprintf("%s/%s?scope=all", path, added["event_date_uuid"]), ""))
}

// rebuild adds a venue with a space and deletes both.
func (c *crowd) rebuild(ctx context.Context, _ harness.Editor, turn int) error {
	founder := c.members[0].Through(c.base(turn))
	answer, err := founder.Ask(ctx, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Zelt %d"}`, c.owner, turn))
	if err := tolerant(answer, err); err != nil {
		return err
	}
	venue, err := harness.Decoded(answer)
	if err != nil {
		return err
	}
	if err := tolerant(founder.Ask(ctx, http.MethodPut, "/space", fmt.Sprintf(`{"venue_uuid": %q, "name": "Manege"}`, venue["uuid"]))); err != nil {
		return err
	}
	return tolerant(founder.Ask(ctx, http.MethodDelete, fmt.Sprintf("/venue/%s", venue["uuid"]), fmt.Sprintf(`{"password": %q}`, harness.EditorPassword)))
}

// preview makes preview links and revokes them.
func (c *crowd) preview(ctx context.Context, e harness.Editor, turn int) error {
	method := []string{http.MethodPost, http.MethodDelete}[turn%2]
	return tolerant(e.Ask(ctx, method, "/event/"+c.events[turn/2%len(c.events)]+"/preview-link", ""))
}

// catalogueFile is the part of an export that is the crowd's, in its order.
func (c *crowd) catalogueFile(t *testing.T) (file []map[string]any) {
	t.Helper()
	mine := append([]string{c.org, c.owner, c.venue, c.other, c.space}, c.events...)
	for line := range strings.SplitSeq(strings.TrimSpace(string(c.Export(t))), "\n") {
		var entity map[string]any
		if err := json.Unmarshal([]byte(line), &entity); err != nil {
			t.Fatal(err)
		}
		if uuid, _ := entity["uuid"].(string); slices.Contains(mine, uuid) {
			file = append(file, entity)
		}
	}
	if len(file) != len(mine) {
		t.Fatalf("the export holds %d of %d entities", len(file), len(mine))
	}
	return file
}

// imports imports the file again and again, each time with another description of everything in it
// and another status of the events.
func (c *crowd) imports(ctx context.Context, file []map[string]any) error {
	folder, err := os.MkdirTemp("", "crowd-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "catalog.jsonl")
	for turn := range imports {
		var lines strings.Builder
		encoder := json.NewEncoder(&lines)
		for _, entity := range file {
			entity["description"] = fmt.Sprint("import ", turn)
			if entity["kind"] == "event" {
				entity["release_status"] = []string{"draft", "released"}[turn%2]
			}
			if err := encoder.Encode(entity); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
			return err
		}
		output, exit, err := c.RunCommand(ctx, stack.Admin, "import", path)
		if err != nil || exit != 0 {
			return fmt.Errorf("import %d: exit code %d, %w\n%s", turn, exit, err, harness.Tail(output))
		}
	}
	return nil
}
