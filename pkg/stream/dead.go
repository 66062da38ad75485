package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// ReasonHeader is the header of a dead change that tells why it could not be applied.
const ReasonHeader = "Litfass-Reason"

const (
	reasonLength  = 1000
	tokenLength   = 200
	unknownReason = "unknown"
)

// PublishDead keeps a change that could never be applied on prefix-dead.<kind>.<id>, with the reason, and returns when it
// is stored. data is the change as it came, readable or not. The last dead change of each entity is kept.
func (s *Stream) PublishDead(ctx context.Context, data []byte, kind, id, reason string) error {
	msg := nats.NewMsg(s.deadPrefix() + "." + token(kind) + "." + token(id))
	msg.Header.Set(ReasonHeader, headerText(reason))
	msg.Data = data
	_, err := s.js.PublishMsg(ctx, msg)
	if errors.Is(err, nats.ErrMaxPayload) { // with the header it is too big: better the reason alone than nothing
		msg.Data = nil
		_, err = s.js.PublishMsg(ctx, msg)
	}
	if err != nil {
		return fmt.Errorf("keep dead change of %s: %w", msg.Subject, err)
	}
	return nil
}

// token returns text as something that may stand in a subject.
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
