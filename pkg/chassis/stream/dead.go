package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The headers of a dead letter.
const (
	ReasonHeader   = "Litfass-Reason"    // why the change could not be applied
	readNodeHeader = "Litfass-Read-Node" // whose projector could not apply it
	kindHeader     = "Litfass-Kind"      // of the entity, unlike the subject's part not shortened
	idHeader       = "Litfass-Id"
)

const (
	reasonLength  = 1000
	tokenLength   = 200
	unknownReason = "unknown"
)

// DeadLetters are the changes that the projector of one read node could never apply. The last one
// of each entity is kept, until it is removed.
type DeadLetters struct {
	stream *Stream
	node   string
}

// DeadLetters returns the dead letters of a read node.
func (s *Stream) DeadLetters(node string) DeadLetters { return DeadLetters{s, node} }

// DeadLetter is a change that could never be applied.
type DeadLetter struct {
	Sequence uint64    // in the stream of dead letters
	Time     time.Time // when it was stored
	Kind, ID string    // of the entity, as the change's subject names it
	Reason   string    // why it could not be applied
	Data     []byte    // the message; empty if it was too big
}

// PublishDead stores a change that can never be applied as a dead letter on
// prefix-dead.<read node>.<kind>.<id>, with the reason in ReasonHeader, and returns when it is
// stored. data is the message as received, which need not be a readable change; it is left out when
// it exceeds the server's limit. The error is a connection's or the server's and worth a retry.
func (d DeadLetters) PublishDead(ctx context.Context, data []byte, kind, id, reason string) error {
	msg := nats.NewMsg(d.subject(token(kind) + "." + token(id)))
	msg.Header.Set(ReasonHeader, headerText(reason))
	msg.Header.Set(readNodeHeader, d.node)
	msg.Header.Set(kindHeader, headerText(kind))
	msg.Header.Set(idHeader, headerText(id))
	msg.Data = data
	_, err := d.stream.js.PublishMsg(ctx, msg)
	if errors.Is(err, nats.ErrMaxPayload) { // too big with the headers: store only these
		msg.Data = nil
		_, err = d.stream.js.PublishMsg(ctx, msg)
	}
	if err != nil {
		return fmt.Errorf("store dead letter of %s: %w", msg.Subject, err)
	}
	return nil
}

func (d DeadLetters) subject(rest string) string {
	return d.stream.deadPrefix() + "." + token(d.node) + "." + rest
}

// Each calls fn with every dead letter, in order of sequence. An error of fn ends it and is
// returned.
func (d DeadLetters) Each(ctx context.Context, fn func(DeadLetter) error) error {
	dead, err := d.open(ctx)
	if err != nil {
		return err
	}
	for next := uint64(1); ; next++ {
		msg, err := dead.GetMsg(ctx, next, jetstream.WithGetMsgSubject(d.subject(">")))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read dead letters: %w", err)
		}
		next = msg.Sequence
		letter := DeadLetter{
			Sequence: msg.Sequence, Time: msg.Time, Kind: msg.Header.Get(kindHeader), ID: msg.Header.Get(idHeader),
			Reason: msg.Header.Get(ReasonHeader), Data: msg.Data,
		}
		if err := fn(letter); err != nil {
			return err
		}
	}
}

// Of returns the dead letter of an entity; ok is false when there is none.
func (d DeadLetters) Of(ctx context.Context, kind, id string) (data []byte, ok bool, err error) {
	dead, err := d.open(ctx)
	if err != nil {
		return nil, false, err
	}
	msg, err := dead.GetLastMsgForSubject(ctx, d.subject(token(kind)+"."+token(id)))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the dead letter of %s %s: %w", kind, id, err)
	}
	return msg.Data, true, nil
}

// Count returns how many dead letters there are.
func (d DeadLetters) Count(ctx context.Context) (int, error) {
	dead, err := d.open(ctx)
	if err != nil {
		return 0, err
	}
	info, err := dead.Info(ctx, jetstream.WithSubjectFilter(d.subject(">")))
	if err != nil {
		return 0, fmt.Errorf("count dead letters: %w", err)
	}
	return len(info.State.Subjects), nil // each holds one
}

// Remove deletes one dead letter. One that is gone already is no error.
func (d DeadLetters) Remove(ctx context.Context, sequence uint64) error {
	dead, err := d.open(ctx)
	if err != nil {
		return err
	}
	refused := dead.DeleteMsg(ctx, sequence)
	if refused == nil {
		return nil
	}
	if _, err := dead.GetMsg(ctx, sequence); errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	return fmt.Errorf("delete dead letter %d: %w", sequence, refused)
}

func (d DeadLetters) open(ctx context.Context) (jetstream.Stream, error) {
	dead, err := d.stream.js.Stream(ctx, d.stream.deadName())
	if err != nil {
		return nil, fmt.Errorf("look up the stream of dead letters: %w", err)
	}
	return dead, nil
}

// token returns text in a form that is valid as a part of a subject.
func token(text string) string {
	cleaned := strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune("*>", r) {
			return '_'
		}
		return r
	}, text[:min(len(text), tokenLength)])
	cleaned = strings.Trim(strings.ReplaceAll(cleaned, "..", "._"), ".")
	if cleaned == "" {
		return unknownReason
	}
	return cleaned
}

// headerText returns text as one line.
func headerText(text string) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	return strings.ToValidUTF8(line[:min(len(line), reasonLength)], "")
}
