package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/e2e/faults/recorded"
	"litfass/deploy/e2e/harness"
)

// loadStreams replaces the streams, with every message received by the durable consumers. The
// result is the identity of the catalogue's stream and its last sequence.
func loadStreams(s *harness.System, t *testing.T, r recorded.Release) (identity string, sequence uint64) {
	t.Helper()
	catalog := s.Catalog(t)
	streams := r.Streams
	if len(streams) == 0 {
		streams = []recorded.Stream{{Config: catalog.Stream.CachedInfo().Config, Messages: r.Messages}}
	}
	for _, stream := range streams {
		created := loadStream(t, catalog.JetStream, stream)
		info, err := created.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if stream.Config.Name == "CATALOG" {
			identity = stream.Config.Name + "@" + info.Created.UTC().Format(time.RFC3339Nano)
			sequence = info.State.LastSeq
		}
	}
	return identity, sequence
}

func loadStream(t *testing.T, js jetstream.JetStream, stream recorded.Stream) jetstream.Stream {
	t.Helper()
	err := js.DeleteStream(t.Context(), stream.Config.Name)
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Fatal(err)
	}
	created, err := js.CreateStream(t.Context(), stream.Config)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range stream.Messages {
		message := &nats.Msg{Subject: m.Subject, Data: append([]byte(m.Data), m.Bytes...), Header: nats.Header{}}
		for key, values := range m.Header {
			if !strings.HasPrefix(key, "Nats-") { // conditions of the server at that time
				message.Header[key] = values
			}
		}
		if _, err := js.PublishMsg(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	for _, config := range stream.Consumers {
		consumer, err := created.CreateOrUpdateConsumer(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		drain(t, consumer)
	}
	return created
}

// drain acknowledges all messages of a consumer.
func drain(t *testing.T, consumer jetstream.Consumer) {
	t.Helper()
	for {
		batch, err := consumer.FetchNoWait(100)
		if err != nil {
			t.Fatal(err)
		}
		received := 0
		for m := range batch.Messages() {
			received++
			if err := m.DoubleAck(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if batch.Error() != nil {
			t.Fatal(batch.Error())
		}
		if received == 0 {
			return
		}
	}
}

// loadIndexes replaces the indexes by the release's. The record of the stream becomes the present
// stream's.
func loadIndexes(s *harness.System, t *testing.T, r recorded.Release, identity string) {
	t.Helper()
	engine := meilisearch{t, s.MeiliURL(), s.MeiliKey()}
	var list struct {
		Results []struct {
			UID string `json:"uid"`
		} `json:"results"`
	}
	engine.ask(http.MethodGet, "/indexes?limit=1000", nil, &list)
	for _, index := range list.Results {
		engine.do(http.MethodDelete, "/indexes/"+index.UID, nil)
	}
	for _, index := range r.Indexes {
		engine.do(http.MethodPost, "/indexes", map[string]string{"uid": index.Name, "primaryKey": index.PrimaryKey})
		engine.do(http.MethodPatch, "/indexes/"+index.Name+"/settings", index.Settings)
		documents := [][]byte{}
		for _, document := range index.Documents {
			if index.Name == "meta" {
				document = ofStream(t, document, identity)
			}
			documents = append(documents, bytes.ReplaceAll(document, []byte(recorded.Base), []byte(s.URL())))
		}
		if len(documents) > 0 {
			content := append(append([]byte("["), bytes.Join(documents, []byte(","))...), ']')
			engine.do(http.MethodPost, "/indexes/"+index.Name+"/documents", json.RawMessage(content))
		}
	}
}

// ofStream returns the state of an index with another stream as its source.
func ofStream(t *testing.T, document []byte, identity string) []byte {
	t.Helper()
	var state map[string]any
	err := json.Unmarshal(document, &state)
	if err == nil {
		state["stream"] = identity
		document, err = json.Marshal(state)
	}
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// meilisearch is the engine with the access of any program to it.
type meilisearch struct {
	t        *testing.T
	url, key string
}

// ask sends a request and decodes its answer.
func (m meilisearch) ask(method, path string, body, into any) {
	m.t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		m.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(m.t.Context(), method, m.url+path, bytes.NewReader(content))
	if err != nil {
		m.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+m.key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		m.t.Fatal(err)
	}
	defer answer.Body.Close()
	content, err = io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%d %.300s", answer.StatusCode, content)
	}
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		m.t.Fatalf("%s %s: %v", method, path, err)
	}
}

// do sends a request that starts a task, and waits until the task has succeeded.
func (m meilisearch) do(method, path string, body any) {
	m.t.Helper()
	var begun struct {
		Task int `json:"taskUid"`
	}
	m.ask(method, path, body, &begun)
	harness.Await(m.t, method+" "+path, func() error {
		var task struct {
			Status string          `json:"status"`
			Error  json.RawMessage `json:"error"`
		}
		m.ask(http.MethodGet, fmt.Sprintf("/tasks/%d", begun.Task), nil, &task)
		switch task.Status {
		case "succeeded":
			return nil
		case "failed", "canceled":
			m.t.Fatalf("%s %s: %s", method, path, task.Error)
		}
		return errors.New(task.Status)
	})
}
