package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"litfass/pkg/contracts/change"
)

const (
	publishWindow  = 512              // changes in flight
	windowBytes    = 16 << 20         // and their bytes
	publishRounds  = 10               // attempts at a subject that other publishers keep writing
	conflictReads  = 16               // last messages read concurrently after conflicts
	messageTooBig  = 10054            // JetStream: the stream's own limit on a message's size
	conflictPause  = time.Millisecond // grows with each round
	headerEstimate = 256              // bytes of headers that count against the server's limit
)

// RejectedError lists changes that can never be published as they are. All other changes of the
// same call were acknowledged.
type RejectedError struct {
	Rejected []Rejection
}

// Rejection is a change that can never be published, with the reason.
type Rejection struct {
	Kind   change.Kind
	ID     string
	Reason string
}

// Error lists the changes with their reasons.
func (e *RejectedError) Error() string {
	parts := make([]string, len(e.Rejected))
	for i, r := range e.Rejected {
		parts[i] = fmt.Sprintf("%s %s: %s", r.Kind, r.ID, r.Reason)
	}
	return "cannot be published: " + strings.Join(parts, "; ")
}

// Publish writes changes, at most one for each entity, and returns when the stream has acknowledged
// all of them.
//
// Each is a compare-and-set on its subject: if the stream already holds a change of the same or a
// higher revision, that one stays and the new one counts as published. So a publisher that lost its
// leadership cannot overwrite newer state.
//
// A *RejectedError means that all changes but the ones it lists were acknowledged. After any other
// error the outcome is unknown; publishing all of them again is safe.
func (s *Stream) Publish(ctx context.Context, changes []change.Change) error {
	var rejected []Rejection
	var window []*message
	size := 0
	flush := func() error {
		refused, err := s.publishWindow(ctx, window)
		rejected, window, size = append(rejected, refused...), window[:0], 0
		return err
	}
	for _, c := range changes {
		m, rejection := s.encode(c)
		if rejection != nil {
			rejected = append(rejected, *rejection)
			continue
		}
		if len(window) == publishWindow || size+len(m.data) > windowBytes && len(window) > 0 {
			if err := flush(); err != nil {
				return err
			}
		}
		window, size = append(window, m), size+len(m.data)
	}
	if err := flush(); err != nil {
		return err
	}
	if len(rejected) > 0 {
		return &RejectedError{Rejected: rejected}
	}
	return nil
}

// message is a change that is being published.
type message struct {
	change   change.Change
	subject  string
	data     []byte
	expected uint64 // sequence of the subject's last message; 0 when it has none
	replaces []byte // that message, once it was read; nil without one
	sequence uint64 // of the message in the stream, once it was acknowledged
}

func (m *message) reject(format string, args ...any) *Rejection {
	return &Rejection{Kind: m.change.Kind, ID: m.change.ID, Reason: fmt.Sprintf(format, args...)}
}

func (s *Stream) encode(c change.Change) (*message, *Rejection) {
	m := &message{change: c, subject: c.Subject(s.prefix)}
	var err error
	if m.data, err = c.Encode(); err != nil {
		return nil, m.reject("%v", err)
	}
	if limit := s.conn.MaxPayload(); limit > 0 && int64(len(m.data)+headerEstimate) > limit {
		return nil, m.reject("its %d bytes are more than the %d that a message may have", len(m.data), limit)
	}
	if last, known := s.last.Get(m.subject); known && last.revision < c.Revision {
		m.expected = last.sequence // else 0: the stream refuses it, and the message is compared with the last one
	}
	return m, nil
}

// publishWindow publishes a window in parts that one entry of the journal has room for.
func (s *Stream) publishWindow(ctx context.Context, window []*message) (rejected []Rejection, err error) {
	if window, err = s.replaced(ctx, window); err != nil {
		return nil, err
	}
	for from, size := 0, 0; from < len(window); size = 0 {
		upTo := from
		for upTo < len(window) && (upTo == from || size+window[upTo].journalSize() <= journalRaw) {
			size += window[upTo].journalSize()
			upTo++
		}
		refused, err := s.publishPart(ctx, window[from:upTo])
		if rejected = append(rejected, refused...); err != nil {
			return rejected, err
		}
		from = upTo
	}
	return rejected, nil
}

// publishPart publishes until every message is stored, superseded or rejected.
func (s *Stream) publishPart(ctx context.Context, window []*message) (rejected []Rejection, err error) {
	for round := range publishRounds {
		entry := s.journal(ctx, window)
		conflicts, refused, err := s.attempt(ctx, window)
		rejected = append(rejected, refused...)
		if !entry.holds(window) {
			s.voidJournal(ctx, entry)
		}
		if err != nil || len(conflicts) == 0 {
			return rejected, err
		}
		if window, err = s.outdated(ctx, conflicts); err != nil {
			return rejected, err
		}
		if len(window) == 0 {
			return rejected, nil
		}
		if err := pause(ctx, time.Duration(round)*conflictPause); err != nil {
			return rejected, err
		}
	}
	return rejected, fmt.Errorf("%d subjects, such as %s, keep changing under our hands", len(window), window[0].subject)
}

// attempt publishes each message once and returns the messages whose subject has another last
// message than expected.
func (s *Stream) attempt(
	ctx context.Context, window []*message,
) (conflicts []*message, rejected []Rejection, err error) {
	acks := make([]jetstream.PubAckFuture, len(window))
	for i, m := range window {
		acks[i], err = s.js.PublishMsgAsync(&nats.Msg{Subject: m.subject, Data: m.data, Header: traceHeader(m.change)},
			jetstream.WithMsgID(m.change.MessageID()),
			jetstream.WithExpectStream(s.config.Name),
			jetstream.WithExpectLastSequencePerSubject(m.expected))
		if err != nil {
			return nil, nil, fmt.Errorf("publish %s: %w", m.subject, err)
		}
	}
	for i, m := range window {
		switch err := s.await(ctx, m, acks[i]); {
		case err == nil:
		case isConflict(err):
			conflicts = append(conflicts, m)
		case isTooBig(err):
			rejected = append(rejected, *m.reject("%v", err))
		default:
			return nil, rejected, fmt.Errorf("publish %s: %w", m.subject, err)
		}
	}
	return conflicts, rejected, nil
}

func (s *Stream) await(ctx context.Context, m *message, ack jetstream.PubAckFuture) error {
	select {
	case stored := <-ack.Ok():
		s.last.Add(m.subject, position{stored.Sequence, m.change.Revision})
		m.sequence = stored.Sequence
		return nil
	case err := <-ack.Err():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// outdated reads the last message of each subject and returns the messages that are newer.
func (s *Stream) outdated(ctx context.Context, conflicts []*message) ([]*message, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return nil, err
	}
	superseded := make([]bool, len(conflicts))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(conflictReads)
	for i, m := range conflicts {
		readers.Go(func() (err error) {
			superseded[i], err = s.compare(ctx, stream, m)
			return err
		})
	}
	if err := readers.Wait(); err != nil {
		return nil, err
	}
	var left []*message
	for i, m := range conflicts {
		if !superseded[i] {
			left = append(left, m)
		}
	}
	return left, nil
}

// compare updates m.expected and reports whether the stream already holds a change as new as m's.
func (s *Stream) compare(ctx context.Context, stream jetstream.Stream, m *message) (superseded bool, err error) {
	last, found, err := s.lastOf(ctx, stream, m.subject)
	if err != nil {
		return false, fmt.Errorf("read last change of %s: %w", m.subject, err)
	}
	if !found {
		m.expected, m.replaces = 0, nil
		s.last.Remove(m.subject)
		return false, nil
	}
	m.expected, m.replaces = last.Sequence, last.Data
	current, err := change.Decode(last.Data)
	if err != nil { // a valid change may replace an unreadable one
		s.log.Warn("the stream holds a message that is no change; replacing it", "subject", m.subject, "error", err)
		return false, nil
	}
	s.last.Add(m.subject, position{last.Sequence, current.Revision})
	return current.Revision >= m.change.Revision, nil
}

// lastOf returns the last message of a subject. Any replica may answer, and where this one lags
// behind what this process has published, the leader is asked.
func (s *Stream) lastOf(ctx context.Context, stream jetstream.Stream, subject string) (m Message, found bool, err error) {
	last, err := stream.GetLastMsgForSubject(ctx, subject)
	switch known, _ := s.last.Get(subject); {
	case err == nil && last.Sequence >= known.sequence:
		return Message{Sequence: last.Sequence, Data: last.Data}, true, nil
	case errors.Is(err, jetstream.ErrMsgNotFound) && known.sequence == 0:
		return m, false, nil
	case err != nil && !errors.Is(err, jetstream.ErrMsgNotFound):
		return m, false, err
	}
	return s.fromLeader(ctx, s.config.Name, fmt.Appendf(nil, `{"last_by_subj":%q}`, subject))
}

func isConflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains([]jetstream.ErrorCode{
		jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant,
	}, api.ErrorCode)
}

func isTooBig(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrMaxPayload) || errors.As(err, &api) && api.ErrorCode == messageTooBig
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
