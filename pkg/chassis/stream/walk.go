package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
)

// walkBuffer limits the bytes that a walk buffers; it buffers at least two messages of maximum
// size.
const walkBuffer = 8 << 20

// Walk calls fn for every change that the stream holds at the time of the call, in order of
// sequence, and returns the stream's last sequence at that time. An entity that changes during the
// walk may be left out: its new state has a sequence above last. A message that cannot be decoded
// is logged and skipped; WalkMessages includes it.
//
// An error of fn ends the walk and is returned. After a lost connection the walk continues where it
// was.
func (s *Stream) Walk(ctx context.Context, fn func(seq uint64, c change.Change) error) (last uint64, err error) {
	return s.WalkFrom(ctx, 1, fn)
}

// WalkFrom is Walk for the messages from a sequence on.
func (s *Stream) WalkFrom(
	ctx context.Context, from uint64, fn func(seq uint64, c change.Change) error,
) (last uint64, err error) {
	return s.walkFrom(ctx, from, func(m Message) error {
		c, err := change.Decode(m.Data)
		if err != nil {
			s.log.Warn("skipping a message that is not a change", "subject", m.Subject, "sequence", m.Sequence, "error", err)
			return nil
		}
		return fn(m.Sequence, c)
	})
}

// Message is a message as the stream holds it.
type Message struct {
	Sequence  uint64
	Subject   string
	Data      []byte
	Published time.Time // when the stream took it
}

// WalkMessages is Walk without decoding.
func (s *Stream) WalkMessages(ctx context.Context, fn func(Message) error) (last uint64, err error) {
	return s.walkFrom(ctx, 1, fn)
}

func (s *Stream) walkFrom(ctx context.Context, from uint64, fn func(Message) error) (last uint64, err error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return 0, err
	}
	info, err := s.info(ctx)
	if err != nil {
		return 0, err
	}
	state := info.State
	if state.Msgs == 0 || state.LastSeq < from {
		return state.LastSeq, nil
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: from,
	})
	if err != nil {
		return 0, fmt.Errorf("read stream %s: %w", s.config.Name, err)
	}
	if consumer.CachedInfo().NumPending == 0 { // emptied since the state was read
		return state.LastSeq, nil
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(int(max(walkBuffer, 2*s.conn.MaxPayload()))))
	if err != nil {
		return 0, fmt.Errorf("read stream %s: %w", s.config.Name, err)
	}
	defer messages.Stop()
	return state.LastSeq, walk(ctx, messages, state.LastSeq, fn)
}

// walk passes messages to fn up to and including the one at last, or to the end of the stream.
func walk(ctx context.Context, messages jetstream.MessagesContext, last uint64, fn func(Message) error) error {
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read the next message: %w", err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("read the sequence of a message: %w", err)
		}
		sequence := meta.Sequence.Stream
		if sequence > last {
			return nil
		}
		if err := fn(Message{Sequence: sequence, Subject: msg.Subject(), Data: msg.Data(), Published: meta.Timestamp}); err != nil {
			return err
		}
		if sequence == last || meta.NumPending == 0 {
			return nil
		}
	}
}

// Next returns the first message at a sequence or above; ok is false if there is none.
//
// It asks the leader of the stream, unlike the client's own function, which any replica may answer,
// even one that lags and would report nothing newer.
func (s *Stream) Next(ctx context.Context, sequence uint64) (m Message, ok bool, err error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	request := fmt.Appendf(nil, `{"seq":%d,"next_by_subj":%q}`, sequence, s.Prefix()+".>")
	reply, err := s.conn.RequestWithContext(ctx, jetstream.DefaultAPIPrefix+"STREAM.MSG.GET."+s.config.Name, request)
	if err != nil {
		return Message{}, false, fmt.Errorf("look for message %d: %w", sequence, err)
	}
	var found struct {
		Error   *jetstream.APIError `json:"error"`
		Message struct {
			Sequence uint64    `json:"seq"`
			Subject  string    `json:"subject"`
			Data     []byte    `json:"data"`
			Time     time.Time `json:"time"`
		} `json:"message"`
	}
	switch err := json.Unmarshal(reply.Data, &found); {
	case err != nil:
		return Message{}, false, fmt.Errorf("look for message %d: %w", sequence, err)
	case found.Error != nil && found.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return Message{}, false, nil
	case found.Error != nil:
		return Message{}, false, fmt.Errorf("look for message %d: %w", sequence, found.Error)
	}
	next := found.Message
	return Message{Sequence: next.Sequence, Subject: next.Subject, Data: next.Data, Published: next.Time}, true, nil
}

// At returns the message of a sequence and subject, which the caller has received before. ok is
// false once the stream has dropped the message, and replaced then reports a newer message on the
// subject.
//
// Any replica may answer with the message: that of a sequence is always the same. One that lags may
// lack the message, so for that only the word of the leader counts. The fault is Unavailable while
// nothing is known.
func (s *Stream) At(ctx context.Context, sequence uint64, subject string) (m Message, ok, replaced bool, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fault.Wrap(err, fault.Unavailable, "stream_unavailable", "the stream does not answer")
		}
	}()
	stream, err := s.stream(ctx)
	if err != nil {
		return m, false, false, err
	}
	found, err := stream.GetMsg(ctx, sequence)
	if err == nil {
		return Message{Sequence: found.Sequence, Subject: found.Subject, Data: found.Data, Published: found.Time}, true, false, nil
	}
	if !errors.Is(err, jetstream.ErrMsgNotFound) {
		return m, false, false, fmt.Errorf("read message %d: %w", sequence, err)
	}
	next, exists, err := s.Next(ctx, sequence)
	switch {
	case err != nil:
		return m, false, false, err
	case !exists: // perhaps of a leader that has just become one
		return m, false, false, fmt.Errorf("the stream ends before its message %d", sequence)
	case next.Sequence == sequence:
		return next, true, false, nil
	}
	last, exists, err := s.fromLeader(ctx, s.config.Name, fmt.Appendf(nil, `{"last_by_subj":%q}`, subject))
	return m, false, exists && last.Sequence > sequence, err
}

// Last returns the message that the stream holds of an entity; ok is false when it holds none.
func (s *Stream) Last(ctx context.Context, kind change.Kind, id string) (m Message, ok bool, err error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return Message{}, false, err
	}
	subject := change.Change{Kind: kind, ID: id}.Subject(s.prefix)
	last, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Message{}, false, nil
	}
	if err != nil {
		return Message{}, false, fmt.Errorf("read last change of %s: %w", subject, err)
	}
	return Message{Sequence: last.Sequence, Subject: last.Subject, Data: last.Data, Published: last.Time}, true, nil
}

// unreadable is how many deleted or unreadable messages LastRevision passes over.
const unreadable = 100

// LastRevision returns the revision of the newest change or API key that the streams hold: the
// greatest, since they are published in this order. It returns 0 for empty streams.
func (s *Stream) LastRevision(ctx context.Context) (int64, error) {
	ofKeys, err := s.lastKeyRevision(ctx)
	if err != nil {
		return 0, err
	}
	ofChanges, err := s.lastChangeRevision(ctx)
	return max(ofKeys, ofChanges), err
}

func (s *Stream) lastChangeRevision(ctx context.Context) (int64, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return 0, err
	}
	info, err := s.info(ctx)
	if err != nil {
		return 0, err
	}
	state := info.State
	for seq := state.LastSeq; seq >= max(1, state.FirstSeq) && state.LastSeq-seq < unreadable; seq-- {
		message, err := stream.GetMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("read message %d: %w", seq, err)
		}
		if c, err := change.Decode(message.Data); err == nil {
			return c.Revision, nil
		}
	}
	return 0, nil
}

// Remove deletes one message. It is for messages that cannot be decoded.
func (s *Stream) Remove(ctx context.Context, sequence uint64) error {
	stream, err := s.stream(ctx)
	if err != nil {
		return err
	}
	if err := stream.DeleteMsg(ctx, sequence); err != nil {
		return fmt.Errorf("delete message %d: %w", sequence, err)
	}
	return nil
}
