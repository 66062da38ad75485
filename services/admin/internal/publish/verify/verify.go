// Package verify compares the public state in PostgreSQL with the catalogue stream, entity by
// entity, and repairs the stream by republishing. It holds one batch in memory at a time, so that
// the size of the catalogue does not matter.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

const (
	batchSize    = 200
	streamReads  = 16 // at once
	lookAgain    = 100 * time.Millisecond
	confirmTries = 10 // readings of an entity that differ each time before it counts as different
)

// changedAt is the field of a snapshot that is no part of the state, see package change.
const changedAt = "changed_at"

const noChange = "the stream holds a message that is no change: "

// Difference is one entity, or one message, that differs between database and stream.
type Difference struct {
	Kind change.Kind // "" for a message that is not a change
	ID   string      // of the entity, or the subject of the message
	What string      // for operators to read
}

// String returns the difference in one line.
func (d Difference) String() string {
	return strings.TrimSpace(string(d.Kind)+" "+d.ID) + ": " + d.What
}

// Count is how many entities of a kind were compared, and how many of them differ.
type Count struct {
	Compared, Different int
}

// Verifier compares a database with a stream.
type Verifier struct {
	DB     *postgres.DB
	Stream *stream.Stream
	// Wait is how long the outbox may take to become empty.
	Wait time.Duration
}

// Run waits for an empty outbox and compares. It calls report with each difference as it is found,
// and returns the counts by kind; messages that are not a change are counted under the kind "".
// Changes in flight are not reported.
func (v Verifier) Run(ctx context.Context, report func(Difference)) (map[change.Kind]Count, error) {
	if err := v.settle(ctx); err != nil {
		return nil, err
	}
	counts := map[change.Kind]Count{}
	note := func(d Difference) {
		c := counts[d.Kind]
		c.Different++
		counts[d.Kind] = c
		report(d)
	}
	for _, kind := range change.Kinds {
		compared, err := v.comparePublic(ctx, kind, note)
		if err != nil {
			return nil, err
		}
		c := counts[kind]
		c.Compared += compared
		counts[kind] = c
	}
	compared, err := v.compareKeys(ctx, note)
	if err != nil {
		return nil, err
	}
	c := counts[change.KindKey]
	c.Compared = compared
	counts[change.KindKey] = c
	return counts, v.compareRest(ctx, note)
}

// settle waits until every row of the outbox was attempted and nothing is left to be published in
// the current form.
func (v Verifier) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, v.Wait)
	defer cancel()
	reason := "the outbox is not empty"
	for {
		state, err := outbox.ReadState(ctx, v.DB)
		if err == nil && state.Pending == 0 {
			var kinds []string
			if kinds, err = outbox.OtherForms(ctx, v.DB); err == nil && len(kinds) == 0 {
				return nil
			}
			reason = "not yet published in the current form: " + strings.Join(kinds, ", ")
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s after %s: does the relay run? %w", reason, v.Wait, ctx.Err())
		case <-time.After(lookAgain):
		}
	}
}

// comparePublic compares all public entities of a kind with their messages in the stream.
func (v Verifier) comparePublic(
	ctx context.Context, kind change.Kind, note func(Difference),
) (compared int, err error) {
	err = outbox.EachPublic(ctx, v.DB, kind, batchSize, func(ids []string) error {
		compared += len(ids)
		snapshots, held, err := v.readBatch(ctx, kind, ids)
		if err != nil {
			return err
		}
		for i, id := range ids {
			if compare(snapshots[id], held[i]) == "" {
				continue
			}
			if err := v.confirm(ctx, outbox.Ref{Kind: kind, ID: id}, note); err != nil {
				return err
			}
		}
		return nil
	})
	return compared, err
}

// readBatch reads the snapshots of entities from the database, and their messages from the stream.
func (v Verifier) readBatch(ctx context.Context, kind change.Kind, ids []string) (map[string]any, []streamState, error) {
	var snapshots map[string]any
	err := v.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		snapshots, err = outbox.Snapshots(ctx, tx, kind, ids)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	messages := make([]streamState, len(ids))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(streamReads)
	for i, id := range ids {
		readers.Go(func() (err error) {
			messages[i], err = v.read(ctx, outbox.Ref{Kind: kind, ID: id})
			return err
		})
	}
	return snapshots, messages, readers.Wait()
}

// streamState is the last message of an entity in the stream.
type streamState struct {
	exists bool
	change change.Change
	bad    error // why the message is no change
}

func (v Verifier) read(ctx context.Context, ref outbox.Ref) (streamState, error) {
	message, exists, err := v.Stream.Last(ctx, ref.Kind, ref.ID)
	if err != nil || !exists {
		return streamState{}, err
	}
	c, err := change.Decode(message.Data)
	if err == nil && (c.Kind != ref.Kind || c.ID != ref.ID) {
		err = fmt.Errorf("it speaks of %s %s", c.Kind, c.ID)
	}
	return streamState{exists: true, change: c, bad: err}, nil
}

// confirm rereads an entity on both sides until they agree, and records a difference if they never
// do although no change of it is in flight.
func (v Verifier) confirm(ctx context.Context, ref outbox.Ref, note func(Difference)) error {
	what, deadline := "", time.Now().Add(v.Wait)
	for tries := 0; tries < confirmTries; {
		snapshot, pending, failure, err := outbox.PublicState(ctx, v.DB, ref)
		if err != nil {
			return err
		}
		message, err := v.read(ctx, ref)
		if err != nil {
			return err
		}
		if what = compare(snapshot, message); what == "" {
			return nil
		}
		if failure != "" {
			what += "; it could not be published: " + failure
			break
		}
		if !pending || time.Now().After(deadline) {
			tries++
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookAgain / 10):
		}
	}
	note(Difference{ref.Kind, ref.ID, what})
	return nil
}

// compareRest walks the stream for entities that are not public in the database, and for messages
// that are not a change.
func (v Verifier) compareRest(ctx context.Context, note func(Difference)) error {
	rest := map[change.Kind][]string{}
	check := func(kind change.Kind) error {
		ids := rest[kind]
		rest[kind] = nil
		public, err := outbox.Public(ctx, v.DB, kind, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if public[id] {
				continue // compared before
			}
			if err := v.confirm(ctx, outbox.Ref{Kind: kind, ID: id}, note); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := v.Stream.WalkMessages(ctx, func(m stream.Message) error {
		c, bad := decode(v.Stream, m)
		kind, id, ok := change.ParseSubject(v.Stream.Prefix(), m.Subject)
		switch {
		case !ok || !change.ValidID(kind, id):
			note(Difference{"", m.Subject, noChange + bad.Error()}) // not the subject of an entity
			return nil
		case bad == nil && c.Gone():
			return nil
		}
		rest[kind] = append(rest[kind], id)
		if len(rest[kind]) < batchSize {
			return nil
		}
		return check(kind)
	})
	for _, kind := range change.Kinds {
		err = errors.Join(err, check(kind))
	}
	return err
}

// decode decodes a message, which must be a change on the subject of its entity.
func decode(s *stream.Stream, m stream.Message) (change.Change, error) {
	c, err := change.Decode(m.Data)
	if err == nil && c.Subject(s.Prefix()) != m.Subject {
		err = fmt.Errorf("it speaks of %s %s", c.Kind, c.ID)
	}
	return c, err
}

// compare describes how the public state of an entity differs from the stream; "" if they agree.
// Revisions are not compared.
func compare(snapshot any, message streamState) string {
	switch {
	case message.bad != nil:
		return noChange + message.bad.Error()
	case snapshot == nil && (!message.exists || message.change.Gone()):
		return ""
	case snapshot == nil:
		return "is in the stream but not public"
	case !message.exists:
		return "is missing in the stream"
	case message.change.Gone():
		return "is gone in the stream but public"
	}
	return compareContent(snapshot, message.change.Snapshot)
}

// compareContent names the fields in which two snapshots differ.
func compareContent(snapshot any, streamed json.RawMessage) string {
	ours, err := fields(snapshot)
	if err != nil {
		return "cannot be encoded: " + err.Error()
	}
	var theirs map[string]any
	if err := json.Unmarshal(streamed, &theirs); err != nil {
		return "has a snapshot in the stream that is no object"
	}
	delete(ours, changedAt)
	delete(theirs, changedAt)
	if reflect.DeepEqual(ours, theirs) {
		return ""
	}
	var names []string
	for name, value := range ours {
		if other, known := theirs[name]; !known || !reflect.DeepEqual(value, other) {
			names = append(names, name)
		}
	}
	for name := range theirs {
		if _, known := ours[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return "differs in " + strings.Join(names, ", ")
}

// fields returns a snapshot as it is after encoding and decoding.
func fields(snapshot any) (map[string]any, error) {
	data, err := json.Marshal(snapshot)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	return all, json.Unmarshal(data, &all)
}
