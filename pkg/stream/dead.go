package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// ReasonHeader is the header of a dead letter that says why the change could not be applied.
const ReasonHeader = "Litfass-Reason"

const (
	reasonLength  = 1000
	tokenLength   = 200
	unknownReason = "unknown"
)

// PublishDead stores a change that can never be applied as a dead letter on
// prefix-dead.<kind>.<id>, with the reason in ReasonHeader, and returns when it is stored. data is
// the message as received, which need not be a readable change; it is left out when it exceeds the
// server's limit. The last dead letter of each entity is kept. The error is a connection's or the
// server's and worth a retry.
func (s *Stream) PublishDead(ctx context.Context, data []byte, kind, id, reason string) error {
	msg := nats.NewMsg(s.deadPrefix() + "." + token(kind) + "." + token(id))
	msg.Header.Set(ReasonHeader, headerText(reason))
	msg.Data = data
	_, err := s.js.PublishMsg(ctx, msg)
	if errors.Is(err, nats.ErrMaxPayload) { // too big with the header: keep the reason alone
		msg.Data = nil
		_, err = s.js.PublishMsg(ctx, msg)
	}
	if err != nil {
		return fmt.Errorf("store dead letter of %s: %w", msg.Subject, err)
	}
	return nil
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
