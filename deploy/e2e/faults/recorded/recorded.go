// Package recorded reads and writes the data of an earlier release in the form of the release's own
// programs.
package recorded

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"

	"github.com/nats-io/nats.go/jetstream"
)

// Base is the address of the recorded stack in everything that was recorded.
const Base = "http://127.0.0.1:8080"

// Release is the data of a release and some of its answers. The recordings of the first two
// releases have Messages in place of Streams, and no indexes and pages.
type Release struct {
	Tables    []Table          `json:"tables"`
	Sequences map[string]int64 `json:"sequences"`
	Messages  []Message        `json:"messages,omitempty"` // of the catalogue's stream, in its order
	Streams   []Stream         `json:"streams,omitempty"`
	Indexes   []Index          `json:"indexes,omitempty"`
	Answers   []Answer         `json:"answers"`
	Pages     []Page           `json:"pages,omitempty"`
}

// Table is a table of the database.
type Table struct {
	Table string          `json:"table"`
	Rows  json.RawMessage `json:"rows"`
}

// Stream is a stream with its messages and its durable consumers, all without pending
// messages.
type Stream struct {
	Config    jetstream.StreamConfig     `json:"config"`
	Messages  []Message                  `json:"messages"`
	Consumers []jetstream.ConsumerConfig `json:"consumers"`
}

// Message is a message of a stream.
type Message struct {
	Subject string              `json:"subject"`
	Header  map[string][]string `json:"header,omitempty"`
	Data    json.RawMessage     `json:"data,omitempty"`
	Bytes   []byte              `json:"bytes,omitempty"` // in place of Data that is no JSON
}

// Index is an index of the search engine.
type Index struct {
	Name       string            `json:"name"`
	PrimaryKey string            `json:"primary_key"`
	Settings   json.RawMessage   `json:"settings"`
	Documents  []json.RawMessage `json:"documents"`
}

// Answer is an answer of the public API.
type Answer struct {
	Path   string `json:"path"`
	Answer any    `json:"answer"`
}

// Page is an output other than JSON: a page or a feed. Every release shows the text within.
type Page struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Read reads the file of a release.
func Read(path string) (r Release, err error) {
	file, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err == nil {
		err = json.NewDecoder(plain).Decode(&r)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Write writes the file of a release, and replaces its address by Base.
func (r Release) Write(path string, withBase func([]byte) []byte) error {
	content, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the recording: %w", err)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	packed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err == nil {
		_, err = packed.Write(withBase(content))
	}
	if err == nil {
		err = packed.Close()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
