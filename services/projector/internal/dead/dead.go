// Package dead lists the changes that the projector of a read node could never apply, and applies
// them again once the cause is removed.
//
// A replay applies the message that the stream has of the entity now, not the one that was set
// aside: a newer one may have arrived since.
package dead

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
)

// Letter is a dead letter as the operator sees it.
type Letter struct {
	Sequence uint64    `json:"sequence"` // among the dead letters
	Time     time.Time `json:"time"`     // when it was set aside
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Reason   string    `json:"reason"`
	// Superseded: the index holds a newer change of the same entity.
	Superseded bool `json:"superseded"`
}

// Letters are the dead letters of a read node.
type Letters struct {
	Dead   stream.DeadLetters
	Stream *stream.Stream
	Index  *index.Client // the live indexes
}

// Each calls fn with every dead letter, the oldest first.
func (l Letters) Each(ctx context.Context, fn func(Letter) error) error {
	return l.Dead.Each(ctx, func(letter stream.DeadLetter) error {
		seen, err := l.look(ctx, letter)
		if err != nil {
			return err
		}
		return fn(seen.letter)
	})
}

// sight is a dead letter with the present state of its entity in stream and index.
type sight struct {
	letter Letter
	last   stream.Message // of the entity; zero when the stream holds none
}

func (l Letters) look(ctx context.Context, letter stream.DeadLetter) (sight, error) {
	seen := sight{letter: Letter{
		Sequence: letter.Sequence, Time: letter.Time.UTC(), Kind: letter.Kind, ID: letter.ID, Reason: letter.Reason,
	}}
	kind := change.Kind(letter.Kind)
	if !change.ValidID(kind, letter.ID) {
		return seen, nil
	}
	last, found, err := l.Stream.Last(ctx, kind, letter.ID)
	if err != nil || !found {
		return seen, err
	}
	seen.last = last
	if bytes.Equal(last.Data, letter.Data) {
		return seen, nil
	}
	newest, err := change.Decode(last.Data)
	if err != nil {
		return seen, nil //nolint:nilerr // this message is unreadable as well, so that it supersedes none
	}
	indexed, err := l.revision(ctx, kind, letter.ID)
	seen.letter.Superseded = indexed >= newest.Revision
	return seen, err
}

// revision returns the indexed revision of an entity; 0 when it is not indexed.
func (l Letters) revision(ctx context.Context, kind change.Kind, id string) (indexed int64, err error) {
	name, document := project.Home(kind, id)
	err = l.Index.ByID(ctx, name, []string{document}, []string{"revision"}, func(d index.Document) error {
		if err := json.Unmarshal(d["revision"], &indexed); err != nil {
			return fmt.Errorf("revision of %s %s: %w", kind, id, err)
		}
		return nil
	})
	// An id impossible for documents of the engine, or an index unknown to an earlier release.
	if index.Refused(err) || index.NoIndex(err) {
		return 0, nil
	}
	return indexed, err
}

// Selection names dead letters: all of them, or those with these sequences.
type Selection struct {
	All       bool     `json:"all,omitempty"`
	Sequences []uint64 `json:"sequences,omitempty"`
}

// each calls fn with the dead letters selected. The error names sequences that no letter has.
func (l Letters) each(ctx context.Context, which Selection, fn func(stream.DeadLetter) error) error {
	missing := slices.Compact(slices.Sorted(slices.Values(which.Sequences)))
	err := l.Dead.Each(ctx, func(letter stream.DeadLetter) error {
		at := slices.Index(missing, letter.Sequence)
		if at < 0 && !which.All {
			return nil
		}
		if at >= 0 {
			missing = slices.Delete(missing, at, at+1)
		}
		return fn(letter)
	})
	if err == nil && len(missing) > 0 {
		return fmt.Errorf("no dead letter has the sequence %d", missing[0])
	}
	return err
}

// Drop removes dead letters without applying them, and returns their number.
func (l Letters) Drop(ctx context.Context, which Selection) (dropped int, err error) {
	err = l.each(ctx, which, func(letter stream.DeadLetter) error {
		if err := l.Dead.Remove(ctx, letter.Sequence); err != nil {
			return err
		}
		dropped++
		return nil
	})
	return dropped, err
}

// Outcome is the result of the replay of a dead letter.
type Outcome string

// The outcomes of a replay. Only Dead keeps the letter.
const (
	Applied    Outcome = "applied"
	Superseded Outcome = "superseded" // the index held a newer change already
	Gone       Outcome = "gone"       // the stream holds nothing of the entity any more
	Dead       Outcome = "dead"       // it still cannot be applied; the letter is kept
)

// Replayed is a dead letter with its outcome. For Dead its reason is the present one.
type Replayed struct {
	Letter
	Outcome Outcome `json:"outcome"`
}

// Writer writes the changes of a replay.
type Writer struct {
	Applier func(apply.DeadLetters) *apply.Applier // to the live indexes
	Writing sync.Locker                            // locked while the live indexes are written to
	Written func()                                 // called before the lock is given back
}

// Replay applies the last messages of the entities of dead letters, calls report with each outcome,
// and removes the letters that were applied or are obsolete.
func (l Letters) Replay(ctx context.Context, which Selection, with Writer, report func(Replayed)) error {
	return l.each(ctx, which, func(letter stream.DeadLetter) error {
		done, err := l.replay(ctx, letter, with)
		if err != nil {
			return fmt.Errorf("replay %s %s: %w", letter.Kind, letter.ID, err)
		}
		if done.Outcome != Dead {
			if err := l.Dead.Remove(ctx, letter.Sequence); err != nil {
				return err
			}
		}
		report(done)
		return nil
	})
}

func (l Letters) replay(ctx context.Context, letter stream.DeadLetter, with Writer) (Replayed, error) {
	with.Writing.Lock()
	defer with.Writing.Unlock()
	seen, err := l.look(ctx, letter)
	done := Replayed{Letter: seen.letter}
	switch {
	case err != nil:
		return done, err
	case !change.ValidID(change.Kind(letter.Kind), letter.ID):
		done.Outcome = Dead
	case seen.last.Sequence == 0:
		done.Outcome = Gone
	case done.Superseded:
		done.Outcome = Superseded
	default:
		var again refused
		applier := with.Applier(&again)
		err := applier.Apply(ctx, applier.Prepare([]stream.Delivery{{Message: seen.last}}))
		if err != nil { // the engine may still run a part of it
			err = errors.Join(err, applier.Settle(ctx))
		}
		with.Written() // a failed or refused change may be written in part
		if err != nil {
			return done, err
		}
		done.Outcome = Applied
		if again.reason != "" {
			done.Outcome, done.Reason = Dead, again.reason
		}
	}
	return done, nil
}

// refused receives the dead letters of a replay, whose letters exist already.
type refused struct{ reason string }

// PublishDead records the reason.
func (r *refused) PublishDead(_ context.Context, _ []byte, _, _, reason string) error {
	r.reason = reason
	return nil
}
