package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// catalog is the stream with the access of any connection to it.
type catalog struct {
	jetstream.JetStream
	Stream jetstream.Stream
}

// Catalog opens the stream.
func (s *System) Catalog(t *testing.T) catalog {
	t.Helper()
	conn, err := nats.Connect(s.NATSURL(), nats.Timeout(Patience))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(Patience))
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "CATALOG")
	if err != nil {
		t.Fatal(err)
	}
	return catalog{js, stream}
}

// Message is a change as published.
type Message struct {
	Kind     string         `json:"kind"`
	ID       string         `json:"id"`
	Revision int64          `json:"revision"`
	Snapshot map[string]any `json:"snapshot,omitempty"`
}

// Last returns the last change of a subject and its sequence.
func (c catalog) Last(t *testing.T, subject string) (Message, uint64) {
	t.Helper()
	raw, err := c.Stream.GetLastMsgForSubject(t.Context(), subject)
	if err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
	var m Message
	if err := json.Unmarshal(raw.Data, &m); err != nil {
		t.Fatal(err)
	}
	return m, raw.Sequence
}

// PublishMessage publishes a change.
func (c catalog) PublishMessage(t *testing.T, subject string, m Message) {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Publish(t.Context(), subject, data); err != nil {
		t.Fatal(err)
	}
}

// NeverSaid reads the whole stream: texts of drafts must not be in it.
func (s *System) NeverSaid(t *testing.T, text string) {
	t.Helper()
	consumer, err := s.Catalog(t).Stream.OrderedConsumer(t.Context(), jetstream.OrderedConsumerConfig{})
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

// ChangeIndex changes documents in the engine directly and waits until that is done.
func (s *System) ChangeIndex(t *testing.T, method, path, body string) {
	t.Helper()
	var task struct {
		TaskUID int64  `json:"taskUid"`
		Status  string `json:"status"`
		Error   any    `json:"error"`
	}
	if err := s.Engine(t.Context(), method, path, body, &task); err != nil {
		t.Fatal(err)
	}
	Await(t, "the engine's task", func() error {
		if err := s.Engine(t.Context(), http.MethodGet, fmt.Sprintf("/tasks/%d", task.TaskUID), "", &task); err != nil {
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

// Engine sends a request to Meilisearch and reads the answer.
func (s *System) Engine(ctx context.Context, method, path, body string, into any) error {
	return s.EngineAs(ctx, "application/json", method, path, body, into)
}

// EngineAs is engine with a body of another type than JSON.
func (s *System) EngineAs(ctx context.Context, contentType, method, path, body string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.MeiliURL()+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.MeiliKey())
	if body != "" {
		request.Header.Set("Content-Type", contentType)
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
