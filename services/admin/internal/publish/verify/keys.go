package verify

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/publish/outbox"
)

// compareKeys compares the API keys of the database and of the stream. It reads both again while
// they differ, since a key may be on its way.
func (v Verifier) compareKeys(ctx context.Context, note func(Difference)) (compared int, err error) {
	var differences []Difference
	for range confirmTries {
		if compared, differences, err = v.readKeys(ctx); err != nil || len(differences) == 0 {
			return compared, err
		}
		select {
		case <-ctx.Done():
			return compared, ctx.Err()
		case <-time.After(lookAgain):
		}
	}
	for _, d := range differences {
		note(d)
	}
	return compared, nil
}

func (v Verifier) readKeys(ctx context.Context) (compared int, differences []Difference, err error) {
	ours, err := outbox.Keys(ctx, v.DB)
	if err != nil {
		return 0, nil, err
	}
	theirs, _, err := v.Stream.Keys(ctx)
	if err != nil {
		return 0, nil, err
	}
	note := func(hash, what string) { differences = append(differences, Difference{change.KindKey, hash, what}) }
	for hash, key := range ours {
		switch held, known := theirs[hash]; {
		case !known:
			note(hash, "is missing in the stream")
		case !held.Same(key):
			note(hash, "differs in its tier or its end")
		}
	}
	for hash := range theirs {
		if _, known := ours[hash]; !known {
			note(hash, "is in the stream but of no use")
		}
	}
	return len(ours), differences, nil
}

// renewKeys enqueues all API keys, and the ones that only the stream holds.
func (r Republisher) renewKeys(ctx context.Context, scope Scope, done *Done) error {
	if scope.Kind != "" {
		return nil
	}
	ours, err := outbox.Keys(ctx, r.DB)
	if err != nil {
		return err
	}
	theirs, _, err := r.Stream.Keys(ctx)
	if err != nil {
		return err
	}
	var others []string
	for hash := range theirs {
		if _, known := ours[hash]; !known {
			others = append(others, hash)
		}
	}
	done.Enqueued += len(ours) + len(others)
	return r.DB.InTx(ctx, func(tx pgx.Tx) error { return outbox.EnqueueKeys(ctx, tx, others) })
}
