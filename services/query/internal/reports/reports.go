// Package reports hands visitors' reports of events to the admin service, which stores them: the
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

// Stream asks the process that answers to a name; see stream.Stream.
type Stream interface {
	Ask(ctx context.Context, name string, request []byte, hear func(line []byte) (done bool, err error)) error
}

// Events knows which events are public; see lists.Reader.
type Events interface {
	Event(ctx context.Context, uuid string) (view json.RawMessage, err error)
}

// Desk takes reports.
type Desk struct {
	events Events
	stream Stream // nil: reports are answered with Unavailable
}

// NewDesk returns a desk. stream is nil for a service without NATS.
func NewDesk(events Events, stream Stream) *Desk { return &Desk{events, stream} }

// Take hands on a report. It returns nil once the report is stored, or an open one of the same
// visitor about the same event already is. The faults: Invalid, naming every bad field; NotFound
// for an event that is not public; TooMany, with the time to wait; Unavailable when the admin
// service does not answer.
func (d *Desk) Take(ctx context.Context, r report.Report) error {
	r.Normalize()
	if err := r.Check(); err != nil {
		return err
	}
	if _, err := d.events.Event(ctx, r.EventUUID); err != nil {
		return err
	}
	if d.stream == nil {
		return unavailable(nil)
	}
	request, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a report: %w", err)
	}
	return d.hand(ctx, request)
}

// hand sends a report and returns what the admin service answers.
func (d *Desk) hand(ctx context.Context, request []byte) error {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	var answered error
	err := d.stream.Ask(ctx, report.Subject, request, func(line []byte) (bool, error) {
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
