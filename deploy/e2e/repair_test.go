package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/generate"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

const planted = "planted by a test"

// catalog is the stream as anybody with a connection can change it.
type catalog struct {
	jetstream.JetStream
	stream jetstream.Stream
}

func (s *system) catalog(t *testing.T) catalog {
	t.Helper()
	conn, err := nats.Connect(s.NATSURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "CATALOG")
	if err != nil {
		t.Fatal(err)
	}
	return catalog{js, stream}
}

// message is one change as it travels.
type message struct {
	Kind     string         `json:"kind"`
	ID       string         `json:"id"`
	Revision int64          `json:"revision"`
	Snapshot map[string]any `json:"snapshot,omitempty"`
}

// last returns the last change of a subject and its place in the stream.
func (c catalog) last(t *testing.T, subject string) (message, uint64) {
	t.Helper()
	raw, err := c.stream.GetLastMsgForSubject(t.Context(), subject)
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	var m message
	if err := json.Unmarshal(raw.Data, &m); err != nil {
		t.Fatal(err)
	}
	return m, raw.Sequence
}

func (c catalog) publish(t *testing.T, subject string, m message) {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Publish(t.Context(), subject, data); err != nil {
		t.Fatal(err)
	}
}

// testPlantedInStream changes, removes and adds messages behind the relay's back. "admin verify" names each, and "admin
// republish" puts stream and index right again.
func (s *system) testPlantedInStream(t *testing.T, c *reference.Catalogue) {
	stream := s.catalog(t)
	dates := s.reference(c).Dates()
	event := dates[len(dates)/2].Event
	subject := "catalog.event." + event.UUID
	venue := c.Venues[0].UUID
	const unknown = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
	for name, plant := range map[string]struct {
		names string
		do    func(t *testing.T)
	}{
		"altered": {event.UUID, func(t *testing.T) {
			m, _ := stream.last(t, subject)
			m.Snapshot["title"] = planted
			stream.publish(t, subject, m)
		}},
		"altered and newer": {event.UUID, func(t *testing.T) {
			m, _ := stream.last(t, subject)
			m.Snapshot["title"], m.Revision = planted, m.Revision+1_000_000
			stream.publish(t, subject, m)
		}},
		"withdrawn": {event.UUID, func(t *testing.T) {
			m, _ := stream.last(t, subject)
			m.Snapshot, m.Revision = nil, m.Revision+1
			stream.publish(t, subject, m)
		}},
		"removed": {venue, func(t *testing.T) {
			_, sequence := stream.last(t, "catalog.venue."+venue)
			if err := stream.stream.DeleteMsg(t.Context(), sequence); err != nil {
				t.Fatal(err)
			}
		}},
		"added": {unknown, func(t *testing.T) {
			m, _ := stream.last(t, subject)
			m.ID, m.Snapshot["uuid"], m.Snapshot["title"] = unknown, unknown, planted
			m.Snapshot["dates"] = []any{}
			stream.publish(t, "catalog.event."+unknown, m)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plant.do(t)
			s.finds(t, stack.Admin, plant.names)
			s.mustRun(t, stack.Admin, "republish")
			s.awaitReady(t)
			s.verify(t)
		})
	}
	k := newChecker(s.client, s.reference(c))
	if err := k.check(t.Context(), generate.Query{Parameters: reference.Parameters{"event_uuids": event.UUID + "," + unknown}}); err != nil {
		t.Errorf("after the repairs: %v", err)
	}
	if err := k.check(t.Context(), generate.Query{Parameters: reference.Parameters{"title": planted}}); err != nil {
		t.Errorf("after the repairs: %v", err)
	}
}

// finds runs a verification that has to fail and to name what differs.
func (s *system) finds(t *testing.T, service, name string) {
	t.Helper()
	output, exit, err := s.command(t.Context(), service, "verify")
	if err != nil || exit != 1 || !strings.Contains(output, name) {
		t.Errorf("%s verify: exit code %d, %v, want 1 and the name %s:\n%s", service, exit, err, name, tail(output))
	}
}

// testPlantedInIndex removes, changes and adds documents behind the projector's back. "projector verify" names each, and
// "projector rebuild" puts the index right again.
func (s *system) testPlantedInIndex(t *testing.T, c *reference.Catalogue) {
	ref := s.reference(c)
	date := ref.Dates()[len(ref.Dates())/2]
	uuid := date.Date.UUID
	const unknown = "0197a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"
	for name, plant := range map[string]struct{ names, method, path, body string }{
		"removed":      {uuid, http.MethodDelete, "/indexes/dates/documents/" + uuid, ""},
		"altered":      {uuid, http.MethodPut, "/indexes/dates/documents", `[{"date_uuid":"` + uuid + `","title":"` + planted + `"}]`},
		"key altered":  {uuid, http.MethodPut, "/indexes/dates/documents", `[{"date_uuid":"` + uuid + `","start_key":202001010000}]`},
		"added":        {unknown, http.MethodPut, "/indexes/dates/documents", `[{"date_uuid":"` + unknown + `","title":"` + planted + `"}]`},
		"venue gone":   {c.Venues[0].UUID, http.MethodDelete, "/indexes/venues/documents/" + c.Venues[0].UUID, ""},
		"event gone":   {date.Event.UUID, http.MethodDelete, "/indexes/events/documents/" + date.Event.UUID, ""},
		"region moved": {"sachsen", http.MethodPut, "/indexes/regions/documents", `[{"id":"deutschland_sachsen_markt","face":{"name":"x"}}]`},
	} {
		t.Run(name, func(t *testing.T) {
			s.changeIndex(t, plant.method, plant.path, plant.body)
			s.finds(t, stack.Projector, plant.names)
			s.mustRun(t, stack.Projector, "rebuild")
			s.awaitReady(t)
			s.verify(t)
		})
	}
	s.compare(t, c, 3, 50)
}

// changeIndex changes documents in the engine directly and waits until that has happened.
func (s *system) changeIndex(t *testing.T, method, path, body string) {
	t.Helper()
	var task struct {
		TaskUID int64  `json:"taskUid"`
		Status  string `json:"status"`
		Error   any    `json:"error"`
	}
	if err := s.engine(t.Context(), method, path, body, &task); err != nil {
		t.Fatal(err)
	}
	await(t, "the engine's task", func() error {
		if err := s.engine(t.Context(), http.MethodGet, fmt.Sprintf("/tasks/%d", task.TaskUID), "", &task); err != nil {
			return err
		}
		if task.Status == "failed" {
			t.Fatalf("%s %s: %v", method, path, task.Error)
		}
		if task.Status != "succeeded" {
			return errors.New(task.Status)
		}
		return nil
	})
}

// engine sends a request to Meilisearch and reads the answer.
func (s *system) engine(ctx context.Context, method, path, body string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.MeiliURL()+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.MeiliKey())
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s answers %s", method, path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// testFreshness follows one event from draft to gone, and sees each step at the public side.
func (s *system) testFreshness(t *testing.T, c *reference.Catalogue) {
	uuid := func(n int) string { return fmt.Sprintf("0197a1b2-c3d4-7e5f-8a6b-%012x", n) }
	date := func(n int) *reference.Date {
		return &reference.Date{UUID: uuid(n), StartDate: "2026-05-01", StartTime: "19:30", ReleaseStatus: "inherited"}
	}
	event := &reference.Event{
		UUID: uuid(1), OrgUUID: c.Organizations[0].UUID, VenueUUID: reference.Text(c.Venues[0].UUID), Title: "hidden draft title",
		PriceType: "free", ReleaseStatus: "draft", Dates: []*reference.Date{date(2), date(3)},
	}
	for _, step := range []struct {
		name   string
		change func()
		title  string
		dates  int
	}{
		{"a draft is not seen", func() {}, "", 0},
		{"nor a review", func() { event.ReleaseStatus = "review" }, "", 0},
		{"a release is", func() { event.ReleaseStatus, event.Title = "released", "first title" }, "first title", 2},
		{"so is an edit", func() { event.Title = "second title" }, "second title", 2},
		{"a date is taken away", func() { event.Dates = event.Dates[:1] }, "second title", 1},
		{"a withdrawn event is gone", func() { event.ReleaseStatus, event.Title = "draft", "hidden draft title" }, "", 0},
		{"and comes back", func() { event.ReleaseStatus, event.Title = "released", "third title" }, "third title", 1},
		{"a cancelled one stays", func() { event.ReleaseStatus = "cancelled" }, "third title", 1},
	} {
		step.change()
		s.importCatalogue(t, &reference.Catalogue{Events: []*reference.Event{event}})
		s.awaitReady(t)
		await(t, step.name, func() error { return s.shows(t.Context(), event.UUID, step.title, step.dates) })
		s.neverSaid(t, "hidden draft title")
	}
}

// shows checks what the search says of one event.
func (s *system) shows(ctx context.Context, uuid, title string, dates int) error {
	page, err := s.client.Search(ctx, generate.Query{Parameters: reference.Parameters{"event_uuids": uuid}})
	if err != nil {
		return err
	}
	if len(page.Events) != dates {
		return fmt.Errorf("%d dates are found, want %d", len(page.Events), dates)
	}
	for _, entry := range page.Events {
		if entry.Text("title") != title {
			return fmt.Errorf("title is %q, want %q", entry.Text("title"), title)
		}
	}
	answer, err := s.client.Get(ctx, "/api/event/"+uuid)
	if err != nil {
		return err
	}
	if dates == 0 {
		if answer.Status != http.StatusNotFound {
			return fmt.Errorf("the event's page has status %d, want 404", answer.Status)
		}
		return nil
	}
	event, err := client.Data[client.Entry](answer, "get-event")
	if err == nil && event.Text("title") != title {
		err = fmt.Errorf("the event's page has title %q, want %q", event.Text("title"), title)
	}
	return err
}

// neverSaid reads the whole stream: what only a draft has said never left PostgreSQL.
func (s *system) neverSaid(t *testing.T, text string) {
	t.Helper()
	consumer, err := s.catalog(t).stream.OrderedConsumer(t.Context(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		batch, err := consumer.FetchNoWait(500)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for message := range batch.Messages() {
			count++
			if bytes.Contains(message.Data(), []byte(text)) {
				t.Errorf("%s says %q", message.Subject(), text)
			}
		}
		if batch.Error() != nil {
			t.Fatal(batch.Error())
		}
		if count == 0 {
			return
		}
	}
}
