package stream

import (
	"context"
	"fmt"
)

// CountDead returns how many entities have a change among the dead letters.
func (s *Stream) CountDead(ctx context.Context) (uint64, error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.deadName())
	if err != nil {
		return 0, fmt.Errorf("count the dead letters: %w", err)
	}
	return stream.CachedInfo().State.Msgs, nil
}
