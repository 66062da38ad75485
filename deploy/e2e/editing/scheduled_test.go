package editing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/proc"
	"litfass/deploy/local/stack"
)

// published are the states of events that were sent to the stream: for each event, when each
// revision of it was sent first. The relay sends a change again until the stream has taken it.
type published struct {
	mutex sync.Mutex
	sent  map[string]map[int64]time.Time
}

// listen notes the state of every event that is sent to the stream from now on.
func listen(s *harness.System, t *testing.T) *published {
	t.Helper()
	p := &published{sent: map[string]map[int64]time.Time{}}
	conn, err := nats.Connect(s.NATSURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	_, err = conn.Subscribe("catalog.event.*", func(raw *nats.Msg) {
		var m harness.Message
		if json.Unmarshal(raw.Data, &m) != nil || m.Snapshot == nil {
			return
		}
		p.note(m, time.Now())
	})
	if err == nil {
		err = conn.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *published) note(m harness.Message, at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.sent[m.ID] == nil {
		p.sent[m.ID] = map[int64]time.Time{}
	}
	if _, again := p.sent[m.ID][m.Revision]; !again {
		p.sent[m.ID][m.Revision] = at
	}
}

func (p *published) of(event string) map[int64]time.Time {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return maps.Clone(p.sent[event])
}

// scheduled is an event that is to be released at a time.
type scheduled struct {
	uuid, title string
	at          time.Time
}

// testScheduledReleases: events are released at their time and once, although two admin processes
// look for them, and also when the one that leads is killed just before.
func (s *editing) testScheduledReleases(t *testing.T) {
	c := s.newTeam(t, "plan", 1)
	changes := listen(s.System, t)
	all := s.schedule(t, c, "Zaunkönig")
	appear(s.System, t, all)

	leader, standby := s.leader(t)
	killed := s.schedule(t, c, "Rohrdommel")
	harness.Await(t, "the time is near", func() error {
		if left := time.Until(killed[0].at); left > 300*time.Millisecond {
			return fmt.Errorf("%s left", left)
		}
		return nil
	})
	if err := leader.Kill(); err != nil {
		t.Fatal(err)
	}
	appear(s.System, t, killed)
	if err := leader.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now, _ := s.leader(t); now != standby {
		t.Errorf("%s does not lead after %s was killed", standby.Name, leader.Name)
	}
	s.AwaitReady(t)
	s.Verify(t)
	stream := s.Catalog(t)
	for _, event := range append(all, killed...) {
		held, _ := stream.Last(t, "catalog.event."+event.uuid)
		sent := changes.of(event.uuid)
		if at, known := sent[held.Revision]; len(sent) != 1 || !known || at.Before(event.at) {
			t.Errorf("%s, to be released at %s, was published as %v; the stream holds revision %d", event.title, event.at, sent, held.Revision)
		}
		c.event = event.uuid
		if created, updated := c.recorded(t, "event.create"), c.recorded(t, "event.update"); created != 1 || updated != 0 {
			t.Errorf("%s: %d entries of its creation, %d of changes", event.title, created, updated)
		}
	}
}

// schedule adds events that are released in three seconds, each as hidden until then as a draft.
func (s *editing) schedule(t *testing.T, c *team, title string) (all []scheduled) {
	t.Helper()
	at := time.Now().Add(3 * time.Second).UTC().Truncate(time.Millisecond)
	for n := range 5 {
		e := scheduled{title: fmt.Sprintf("%s %d", title, n), at: at}
		created := c.member(n).Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": %q,
			"release_status": "released", "release_date": %q, "dates": [{"start_date": "2036-06-01", "all_day": true}]}`,
			c.org, c.venue, e.title, at.Format(time.RFC3339Nano)))
		e.uuid = fmt.Sprint(created["uuid"])
		all = append(all, e)
	}
	return all
}

// appear waits until each event is found and logs how long after its time that was.
func appear(s *harness.System, t *testing.T, all []scheduled) {
	t.Helper()
	uuids := make([]string, len(all))
	for i, event := range all {
		uuids[i] = event.uuid
	}
	harness.Await(t, "the events are released", func() error {
		summary, err := s.Client.Summary(t.Context(), reference.Parameters{"event_uuids": strings.Join(uuids, ",")})
		switch {
		case err != nil:
			return err
		case *summary.Total > 0 && time.Now().Before(all[0].at):
			t.Fatalf("%d events are found before their time", *summary.Total)
		case *summary.Total != len(all):
			return fmt.Errorf("%d are found", *summary.Total)
		}
		return nil
	})
	t.Logf("%d events are found %d ms after their time", len(all), time.Since(all[0].at).Milliseconds())
}

// leader returns the admin process that leads the relay, and the other one.
func (s *editing) leader(t *testing.T) (leads, standby *proc.Process) {
	t.Helper()
	first, second := s.Process(stack.Admin), s.Process(s.secondProcess)
	harness.Await(t, "one process leads the relay", func() error {
		one, err := leadsRelay(t.Context(), s.System, s.ServiceURL(stack.Admin))
		if err != nil {
			return err
		}
		two, err := leadsRelay(t.Context(), s.System, s.second)
		switch {
		case err != nil:
			return err
		case one == two:
			return errors.New("neither, or still both")
		case one:
			leads, standby = first, second
		default:
			leads, standby = second, first
		}
		return nil
	})
	return leads, standby
}

func leadsRelay(ctx context.Context, s *harness.System, base string) (bool, error) {
	answer, err := client.New(base, 1).Get(ctx, "/metrics")
	return strings.Contains(string(answer.Body), "\nlitfass_relay_leader 1\n"), err
}
