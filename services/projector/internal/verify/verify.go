// Package verify compares a read node's indexes with the stream, by content, document by document
// and in both directions.
//
// It reads the stream and the indexes at the same time and compares the digest of every document
// that the stream asks for with that of the indexed one. A difference is only suspect, since the
// catalogue changes during the comparison: each suspect entity is compared again until it agrees or
// no pending change explains the difference.
package verify

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
)

// Difference is a document that differs from the stream, or a message without documents.
type Difference struct {
	Kind       change.Kind // of the entity
	Entity     string      // id of the entity, as in the stream
	Index      string      // empty for Unusable
	ID         string      // of the document; for Unusable the message's subject
	What       What
	Attributes []string // that differ
	Reason     string   // of Unusable
}

// What is a kind of difference.
type What string

// The kinds of difference.
const (
	Missing   What = "missing"   // the stream asks for it, the index does not hold it
	Extra     What = "extra"     // the index holds it, the stream does not ask for it
	Different What = "different" // in the attributes named
	Unusable  What = "unusable"  // the message can never be applied
)

// String writes the difference in one line.
func (d Difference) String() string {
	switch d.What {
	case Unusable:
		return fmt.Sprintf("stream %s: %s: %s", d.ID, d.What, d.Reason)
	case Different:
		return fmt.Sprintf("%s %s: %s in %s", d.Index, d.ID, d.What, strings.Join(d.Attributes, ", "))
	default:
		return fmt.Sprintf("%s %s: %s", d.Index, d.ID, d.What)
	}
}

// Counts are the numbers of compared messages and documents.
type Counts struct {
	Messages  int            // of the stream
	Documents map[string]int // that the stream asks for, by index
}

// Verifier compares one set of indexes with the stream.
type Verifier struct {
	Stream    *stream.Stream
	Index     *index.Client
	Projector project.Projector
	// Applied returns the sequence up to which the indexes have all changes: later ones may differ.
	Applied func(ctx context.Context) (uint64, error)
}

const lookAgain = 20 * time.Millisecond

// Run compares everything and calls found for each difference, in no particular order; it stops
// early when found returns false. It waits for pending changes as long as ctx allows.
func (v Verifier) Run(ctx context.Context, found func(Difference) (more bool)) (Counts, error) {
	ledger, err := v.readBoth(ctx)
	if err != nil {
		return ledger.counts, err
	}
	suspects, strays := ledger.close()
	if !report(strays, found) {
		return ledger.counts, nil
	}
	for e := range suspects {
		seen, err := v.examine(ctx, e)
		if err != nil {
			return ledger.counts, fmt.Errorf("look again at %s %s: %w", e.kind, e.id, err)
		}
		if !report(seen.Differences, found) {
			break
		}
	}
	return ledger.counts, nil
}

// readBoth reads stream and indexes at the same time, and crosses off the documents that agree.
func (v Verifier) readBoth(ctx context.Context) (*ledger, error) {
	ledger := newLedger()
	both, reading := errgroup.WithContext(ctx)
	both.Go(func() error {
		if err := v.readStream(reading, ledger); err != nil {
			return fmt.Errorf("read what the index should hold: %w", err)
		}
		return nil
	})
	both.Go(func() error {
		for _, settings := range document.Indexes {
			err := v.Index.Each(reading, settings.Name, "", nil, func(d index.Document) error {
				return ledger.find(settings, d)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return ledger, both.Wait()
}

// readStream adds the documents that the stream asks for to a ledger. Making them takes longer than
// reading the indexed ones.
func (v Verifier) readStream(ctx context.Context, ledger *ledger) error {
	making, ctx := errgroup.WithContext(ctx)
	making.SetLimit(runtime.GOMAXPROCS(0))
	_, err := v.Stream.WalkMessages(ctx, func(m stream.Message) error {
		making.Go(func() error { return ledger.expect(v.Stream.Prefix(), v.Projector, m) })
		return nil
	})
	if failed := making.Wait(); failed != nil {
		return failed
	}
	return err
}

func report(list []Difference, found func(Difference) bool) (more bool) {
	for _, d := range list {
		if !found(d) {
			return false
		}
	}
	return true
}

// entityRef names an entity as the stream does.
type entityRef struct {
	kind change.Kind
	id   string
}

// Sight is the state of one entity at one moment.
type Sight struct {
	Documents   int // that were compared
	Differences []Difference
	// Settled: the last message of the entity is applied, so that no pending change explains the
	// differences.
	Settled bool
	Last    stream.Message // the stream's message for the entity; zero when there is none
}

// Look compares one entity once.
func (v Verifier) Look(ctx context.Context, kind change.Kind, id string) (Sight, error) {
	applied, err := v.Applied(ctx) // before the index is read, which must then show all changes applied by now
	if err != nil {
		return Sight{}, err
	}
	last, _, err := v.Stream.Last(ctx, kind, id)
	if err != nil {
		return Sight{}, err
	}
	seen, err := v.compareEntity(ctx, entityRef{kind, id}, last)
	if err != nil {
		return Sight{}, err
	}
	if len(seen.Differences) == 0 {
		return seen, nil
	}
	again, _, err := v.Stream.Last(ctx, kind, id)
	seen.Settled = again.Sequence == last.Sequence && applied >= last.Sequence
	return seen, err
}

// examine compares one entity until it agrees, or differs although its last change is applied. It
// waits as long as ctx allows.
func (v Verifier) examine(ctx context.Context, e entityRef) (Sight, error) {
	for {
		seen, err := v.Look(ctx, e.kind, e.id)
		if err != nil || len(seen.Differences) == 0 || seen.Settled {
			return seen, err
		}
		select {
		case <-ctx.Done():
			return seen, fmt.Errorf("its change %d is not applied: %w", seen.Last.Sequence, context.Cause(ctx))
		case <-time.After(lookAgain):
		}
	}
}
