package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// First is the oldest message of the stream at a sequence or above.
type First struct {
	Sequence  uint64
	Published time.Time // when the stream took it
}

// Oldest returns the oldest message that the stream has at a sequence or above; ok is false when it
// has none.
func (s *Stream) Oldest(ctx context.Context, sequence uint64) (first First, ok bool, err error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return First{}, false, err
	}
	msg, err := stream.GetMsg(ctx, sequence, jetstream.WithGetMsgSubject(s.Prefix()+".>"))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return First{}, false, nil
	}
	if err != nil {
		return First{}, false, fmt.Errorf("look for message %d: %w", sequence, err)
	}
	return First{Sequence: msg.Sequence, Published: msg.Time}, true, nil
}
