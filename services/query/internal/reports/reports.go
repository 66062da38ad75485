// Package reports sends visitors' reports of events to the admin service, which stores them: the
// query service has no database.
package reports

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/report"
)

const (
	answerWait = 5 * time.Second  // for the admin service
	retryAfter = 30 * time.Second // when it does not answer
)

// Stream sends a request to the process that serves a name; see stream.Stream.
type Stream interface {
	Ask(ctx context.Context, name string, request []byte, hear func(line []byte) (done bool, err error)) error
}

// Events knows which events are public; see lists.Reader.
type Events interface {
	Event(ctx context.Context, uuid string) (view json.RawMessage, err error)
}

// Sender sends reports to the admin service.
type Sender struct {
	events Events
	stream Stream // nil: reports are answered with Unavailable
}

// New returns a sender. stream is nil for a service without NATS.
func New(events Events, stream Stream) *Sender { return &Sender{events, stream} }

// Send sends a report. It returns nil once the report is stored, or if an open one of the same
// visitor about the same event is. The faults: Invalid, naming every bad field; NotFound for an
// event that is not public; TooMany, with the time to wait; Unavailable when the admin service does
// not answer.
func (s *Sender) Send(ctx context.Context, r report.Report) error {
	r.Normalize()
	if err := r.Check(); err != nil {
		return err
	}
	if _, err := s.events.Event(ctx, r.EventUUID); err != nil {
		return err
	}
	if s.stream == nil {
		return unavailable(nil)
	}
	request, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a report: %w", err)
	}
	return s.hand(ctx, request)
}

// hand sends a report and returns the admin service's answer.
func (s *Sender) hand(ctx context.Context, request []byte) error {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	var answered error
	err := s.stream.Ask(ctx, report.Subject, request, func(line []byte) (bool, error) {
		answered = report.DecodeAnswer(line)
		return true, nil
	})
	if err != nil {
		return unavailable(err)
	}
	return answered
}

func unavailable(cause error) error {
	f := fault.Wrap(cause, fault.Unavailable, "", "reports cannot be taken now; try again later")
	f.RetryAfter = retryAfter
	return f
}
