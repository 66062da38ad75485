package faults

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// TestReadNodes runs two read nodes and two admins behind the gateway.
func TestReadNodes(t *testing.T) {
	s := &harness.System{Stack: harness.RunRaced(t, stack.Options{
		ReadNodes: 2, Admins: 2, Env: []string{"POSITION_WAIT=5s", "READY_LAG=1s", "RATE_LIMITS=off"},
	})}
	s.Client = client.New(s.URL(), 32)
	o := s.Organizer(t)
	s.ImportCatalogue(t, houses(4))
	s.AwaitReady(t)
	t.Run("reads show one's own writes", func(t *testing.T) { ownWrites(s, t, o) })
	t.Run("an event with 975 dates is public with its position", func(t *testing.T) { longEvent(s, t, o) })
	t.Run("a node that lags leaves rotation and comes back", func(t *testing.T) { lagging(s, t, o) })
	t.Run("every service is restarted without a failed request", func(t *testing.T) { rollingRestart(s, t, o) })
	s.AwaitReady(t)
	ready(s, t, "query-2")
	s.Verify(t)
	s.MustRun(t, "projector-2", "verify")
}

// houses are organizations of which each has a public event.
func houses(count int) *reference.Catalogue {
	c := &reference.Catalogue{}
	for n := range count {
		c.Organizations = append(c.Organizations, &reference.Organization{UUID: house(1, n), Name: "first name"})
		c.Venues = append(c.Venues, &reference.Venue{UUID: house(2, n), OrgUUID: house(1, n), Name: "Haus"})
		c.Events = append(c.Events, &reference.Event{
			UUID: house(3, n), OrgUUID: house(1, n), VenueUUID: reference.Text(house(2, n)), Title: "Fest", PriceType: "free",
			ReleaseStatus: "released",
			Dates:         []*reference.Date{{UUID: house(4, n), StartDate: "2027-05-01", StartTime: "19:30", ReleaseStatus: "inherited"}},
		})
	}
	return c
}

// house returns the uuid of the n-th organization (kind 1), venue (2), event (3) or date (4).
func house(kind, n int) string { return fmt.Sprintf("0197a1b2-c3d4-7e5f-8a6b-%06x%06x", kind, n) }

// at asks for an organization with the position of a write.
func at(ctx context.Context, c *client.Client, org string, position uint64) (client.Answer, error) {
	return c.Do(ctx, http.MethodGet, "/api/organization/"+org, client.AtPosition(position), nil)
}

// ownWrites: whichever node a read reaches, it shows the write whose position it names, at once.
func ownWrites(s *harness.System, t *testing.T, o harness.Organizer) {
	nodes := []*client.Client{s.Client, s.Client, client.New(s.ServiceURL(stack.Query), 4), client.New(s.ServiceURL("query-2"), 4)}
	for turn := range 10 {
		name := fmt.Sprintf("own write %d", turn)
		position, err := o.Rename(t.Context(), house(1, 0), name)
		if err != nil {
			t.Fatal(err)
		}
		var reads errgroup.Group
		for _, node := range nodes {
			reads.Go(func() error {
				answer, err := at(t.Context(), node, house(1, 0), position)
				if err != nil {
					return err
				}
				shown, err := client.Data[client.Entry](answer, "get-organization")
				if err == nil && shown.Text("name") != name {
					err = fmt.Errorf("%s shows %q", node.Base, shown.Text("name"))
				}
				return err
			})
		}
		if err := reads.Wait(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// lagging: a node whose projector is down answers 409 to a request for a position that it has not
// applied, and the gateway soon sends all requests to the other node, until the projector has
// caught up.
func lagging(s *harness.System, t *testing.T, o harness.Organizer) {
	if err := s.Process("projector-2").Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	position, err := o.Rename(t.Context(), house(1, 1), "while a node lags")
	if err != nil {
		t.Fatal(err)
	}
	second := client.New(s.ServiceURL("query-2"), 4)
	answer, err := at(t.Context(), second, house(1, 1), position)
	if err != nil || answer.Status != http.StatusConflict || !strings.Contains(string(answer.Body), `"not_yet_applied"`) {
		t.Fatalf("a node that lags: %d %s, %v", answer.Status, answer.Body, err)
	}
	harness.Await(t, "the node that lags is not ready", func() error {
		if answer, err := second.Get(t.Context(), "/readyz"); err != nil || answer.Status != http.StatusServiceUnavailable {
			return fmt.Errorf("%d %s, %w", answer.Status, answer.Body, err)
		}
		return nil
	})
	harness.Await(t, "the gateway uses the other node", func() error {
		for range 8 {
			if answer, err := at(t.Context(), s.Client, house(1, 1), position); err != nil || answer.Status != http.StatusOK {
				return fmt.Errorf("%d %s, %w", answer.Status, answer.Body, err)
			}
		}
		return nil
	})
	if err := s.Process("projector-2").Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	ready(s, t, "query-2")
	if answer, err := at(t.Context(), second, house(1, 1), position); err != nil || answer.Status != http.StatusOK {
		t.Errorf("the node that has caught up: %d %s, %v", answer.Status, answer.Body, err)
	}
}

// ready waits until a service is ready.
func ready(s *harness.System, t *testing.T, name string) {
	t.Helper()
	harness.Await(t, name+" is ready", func() error {
		answer, err := client.New(s.ServiceURL(name), 1).Get(t.Context(), "/readyz")
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("%d %s", answer.Status, answer.Body)
		}
		return err
	})
}

// rollingRestart restarts one process of every service and then the other one, while others read
// and write all the time.
func rollingRestart(s *harness.System, t *testing.T, o harness.Organizer) {
	end := underLoad(s, t, o)
	for _, instance := range []string{"", "-2"} {
		var restarts errgroup.Group
		for _, service := range []string{stack.Admin, stack.Projector, stack.Query} {
			restarts.Go(func() error {
				process := s.Process(service + instance)
				if err := process.Stop(t.Context()); err != nil {
					return err
				}
				return process.Start(t.Context())
			})
		}
		if err := restarts.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, service := range []string{stack.Admin + instance, stack.Query + instance} {
			used(s, t, service)
		}
	}
	end()
}

// underLoad reads and writes through the gateway until the returned function is called. That one
// fails the test when a request has failed.
func underLoad(s *harness.System, t *testing.T, o harness.Organizer) (end func()) {
	ctx, stop := context.WithCancel(t.Context())
	load, ctx := errgroup.WithContext(ctx)
	var reads, writes atomic.Int64
	for reader := range 2 {
		load.Go(func() error { return readUntil(ctx, s, reader, &reads) })
	}
	for writer := range 2 {
		load.Go(func() error { return writeUntil(ctx, o, house(1, 2+writer), &writes) })
	}
	t.Cleanup(stop)
	return func() {
		t.Helper()
		stop()
		if err := load.Wait(); err != nil {
			t.Error(err)
		}
		t.Logf("%d reads and %d writes", reads.Load(), writes.Load())
		if reads.Load() < 100 || writes.Load() < 10 {
			t.Errorf("only %d reads and %d writes", reads.Load(), writes.Load())
		}
	}
}

// used waits until the gateway sends requests to a process that was started again.
func used(s *harness.System, t *testing.T, service string) {
	t.Helper()
	harness.Await(t, service+" gets requests", func() error {
		answer, err := client.New(s.ServiceURL(service), 1).Get(t.Context(), "/metrics")
		if err == nil && !strings.Contains(string(answer.Body), `route="/api/`) {
			err = fmt.Errorf("%d, and no request is counted", answer.Status)
		}
		return err
	})
}

// readUntil reads until ctx ends. The error is the first failed read.
func readUntil(ctx context.Context, s *harness.System, reader int, count *atomic.Int64) error {
	paths := []string{"/api/events?limit=5", "/api/organization/" + house(1, 2), "/api/events/type-summary", "/api/choosable-venues"}
	for n := reader; ctx.Err() == nil; n++ {
		// Not with ctx: a request that the end of the test breaks off has not failed.
		answer, err := s.Client.Get(context.WithoutCancel(ctx), paths[n%len(paths)])
		if err != nil || answer.Status != http.StatusOK {
			return fmt.Errorf("read %d of %s: %d %.300s, %w", count.Load(), paths[n%len(paths)], answer.Status, answer.Body, err)
		}
		count.Add(1)
	}
	return nil
}

// writeUntil renames an organization again and again until ctx ends. The error is the first failed
// write.
func writeUntil(ctx context.Context, o harness.Organizer, org string, count *atomic.Int64) error {
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := o.Rename(context.WithoutCancel(ctx), org, fmt.Sprintf("name %d", n)); err != nil {
			return fmt.Errorf("write %d: %w", count.Load(), err)
		}
		count.Add(1)
	}
	return nil
}
