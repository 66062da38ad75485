// Package suggest completes what a visitor types: titles, venues, cities, tags and organizations,
// each with the filter of the event search that it stands for. It knows nothing but the indexes, so
// that only what is public is suggested, and of that only what has dates to come.
package suggest

import (
	"context"
	"crypto/sha256"
	"fmt"

	"litfass/pkg/chassis/encoded"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/delta"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/fresh"
	"litfass/services/query/internal/params"
)

// Suggester makes suggestions from the indexes of one read node.
type Suggester struct {
	engine *engine.Engine
	kept   *fresh.Cache
}

// New returns a suggester that keeps its answers.
func New(e *engine.Engine, kept *fresh.Cache) *Suggester { return &Suggester{e, kept} }

// Suggest returns the payload of GET /api/suggest. q holds the words that were typed and how many
// suggestions are wanted, and today is the day from which dates are still to come. The error is the
// engine's.
func (s *Suggester) Suggest(ctx context.Context, q params.Query, today params.Day) (encoded.Payload, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "suggest\x00%s\x00%d\x00%d", q.Search, q.Limit, today))
	a, err := fresh.Answer(ctx, s.kept, "suggest", key, func(ctx context.Context) (*answer, error) {
		return s.read(ctx, question{words: q.Search, limit: q.Limit, upcoming: filter.Upcoming(today)})
	})
	if err != nil {
		return encoded.Payload{}, err
	}
	return a.Payload, nil
}

// question is what suggestions are made for.
type question struct {
	words    string // parted by single spaces
	limit    int
	upcoming filter.Expr // what dates to come fulfil
}

// read makes the suggestions: first everything that has the words, then of that what has dates to
// come.
func (s *Suggester) read(ctx context.Context, q question) (*answer, error) {
	named, err := s.named(ctx, q)
	if err != nil {
		return nil, err
	}
	found, err := s.withDates(ctx, q, named)
	if err != nil {
		return nil, err
	}
	data, err := value.JSON(publicapi.Suggestions{Suggestions: mix(found, q.limit)})
	if err != nil {
		return nil, fmt.Errorf("encode suggestions: %w", err)
	}
	return &answer{
		Payload: encoded.NewPayload(data), upcoming: filter.Simplify(q.upcoming), words: delta.WordsOf(q.words),
		places: named.places(),
	}, nil
}
