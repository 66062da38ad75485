package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/deploy/e2e/faults/recorded"
)

// fill waits until the index has everything that was imported.
func (s *service) fill(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.settings["DATABASE_URL"])
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for {
		var waiting int
		if err := conn.QueryRow(ctx, `SELECT count(*) FROM outbox`).Scan(&waiting); err != nil {
			return err
		}
		lag, err := s.get(ctx, strings.TrimSuffix(s.url, port(s.url, 0))+port(s.url, 3)+"/lag", "")
		if waiting == 0 && err == nil && bytes.Contains(lag, []byte(`"pending":0`)) {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// port returns the port of a stack that follows the gateway's by a distance.
func port(url string, distance int) string {
	var base int
	if _, err := fmt.Sscanf(url, "http://127.0.0.1:%d", &base); err != nil {
		panic(err) // stack.URL has this form
	}
	return fmt.Sprint(base + distance)
}

// read reads all data of the release, and some of its answers.
func (s *service) read(ctx context.Context) (r recorded.Release, err error) {
	for _, part := range []func(context.Context, *recorded.Release) error{
		s.readTables, s.readStreams, s.readIndexes, s.readAnswers,
	} {
		if err := part(ctx, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (s *service) readTables(ctx context.Context, r *recorded.Release) error {
	conn, err := pgx.Connect(ctx, s.settings["DATABASE_URL"])
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, table := range tables {
		var content []byte
		err := conn.QueryRow(ctx, `SELECT json_agg(row) FROM `+pgx.Identifier{table}.Sanitize()+` row`).Scan(&content)
		if err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
		if content != nil {
			r.Tables = append(r.Tables, recorded.Table{Table: table, Rows: content})
		}
	}
	r.Sequences = map[string]int64{}
	rows, err = conn.Query(ctx, `SELECT sequencename::text, last_value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`)
	if err != nil {
		return err
	}
	var name string
	var value int64
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		r.Sequences[name] = value
		return nil
	})
	return err
}

func (s *service) readStreams(ctx context.Context, r *recorded.Release) error {
	conn, err := nats.Connect(s.settings["NATS_URL"], s.operator)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	list := js.ListStreams(ctx)
	for info := range list.Info() {
		if strings.HasPrefix(info.Config.Name, "KV_") { // leases, which end with their processes
			continue
		}
		stream, err := js.Stream(ctx, info.Config.Name)
		if err != nil {
			return err
		}
		found, err := readStream(ctx, stream, info)
		if err != nil {
			return fmt.Errorf("stream %s: %w", info.Config.Name, err)
		}
		r.Streams = append(r.Streams, found)
	}
	return list.Err()
}

func readStream(ctx context.Context, stream jetstream.Stream, info *jetstream.StreamInfo) (recorded.Stream, error) {
	found := recorded.Stream{Config: info.Config}
	for sequence := max(info.State.FirstSeq, 1); sequence <= info.State.LastSeq; sequence++ {
		m, err := stream.GetMsg(ctx, sequence)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return found, err
		}
		message := recorded.Message{Subject: m.Subject, Header: m.Header, Data: m.Data}
		if !json.Valid(m.Data) { // compressed
			message.Data, message.Bytes = nil, m.Data
		}
		found.Messages = append(found.Messages, message)
	}
	consumers := stream.ListConsumers(ctx)
	for consumer := range consumers.Info() {
		if consumer.Config.Durable != "" {
			found.Consumers = append(found.Consumers, consumer.Config)
		}
	}
	return found, consumers.Err()
}

func (s *service) readIndexes(ctx context.Context, r *recorded.Release) error {
	url, key := s.settings["MEILI_URL"], s.settings["MEILI_KEY"]
	var list struct {
		Results []struct {
			UID        string `json:"uid"`
			PrimaryKey string `json:"primaryKey"`
		} `json:"results"`
	}
	content, err := s.get(ctx, url+"/indexes?limit=1000", key)
	if err == nil {
		err = json.Unmarshal(content, &list)
	}
	if err != nil {
		return err
	}
	for _, index := range list.Results {
		found := recorded.Index{Name: index.UID, PrimaryKey: index.PrimaryKey}
		if found.Settings, err = s.get(ctx, url+"/indexes/"+index.UID+"/settings", key); err != nil {
			return err
		}
		var documents struct {
			Results []json.RawMessage `json:"results"`
		}
		content, err := s.get(ctx, url+"/indexes/"+index.UID+"/documents?limit=100000", key)
		if err == nil {
			err = json.Unmarshal(content, &documents)
		}
		if err != nil {
			return err
		}
		found.Documents = documents.Results
		r.Indexes = append(r.Indexes, found)
	}
	return nil
}
