// Package drift continuously compares a read node's indexes with the stream, a few entities a
// second, and repairs differences. A round goes through the whole stream, and then through the
// indexes for documents without a message.
//
// Indexes and stream agree as long as everything works. A difference is a defect of the projector
// or of the engine, or a document that another program wrote: each is logged and counted, even if
// it was repaired.
package drift

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/projector/internal/apply"
	"litfass/services/projector/internal/verify"
)

const (
	betweenRounds = time.Second
	lookAgain     = time.Minute // after which entities that could not be repaired are looked at again
	straysAtOnce  = 10          // entities of the indexes that are looked for in the stream in place of one compared
)

// Checker checks the indexes of one read node. Run it in one goroutine, in the process that holds
// the node's lease.
type Checker struct {
	Verifier  verify.Verifier
	PerSecond int // entities compared
	Dead      stream.DeadLetters
	Applier   *apply.Applier // to the live indexes
	Writing   sync.Locker    // locked while the live indexes are written to
	// Ready returns nil when the indexes have caught up with the stream, except for the newest
	// changes.
	Ready func(ctx context.Context) error
	// Current reports whether the indexes were built from this stream under the present settings.
	// Others are about to be rebuilt, and are no reference for a repair.
	Current  func(ctx context.Context) (bool, error)
	Repaired func() // called after the indexes were written to
	Metrics  *Metrics
	Log      *slog.Logger

	tick   *time.Ticker
	noted  map[entity]leftover // that could not be repaired
	looked time.Time           // when the noted ones were looked at
}

// leftover is the number of documents of an entity that differ although its last message, with this
// sequence, was applied. Applying that again would change nothing.
type leftover struct {
	documents int
	sequence  uint64
}

type entity struct {
	kind change.Kind
	id   string
}

// Run repeats rounds until ctx ends. It waits for engines that do not answer.
func (c *Checker) Run(ctx context.Context) error {
	c.tick = time.NewTicker(time.Second / time.Duration(c.PerSecond))
	defer c.tick.Stop()
	c.noted = map[entity]leftover{}
	for {
		began := time.Now()
		err := c.Ready(ctx)
		if err == nil {
			err = c.round(ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			c.Metrics.round(time.Since(began))
			c.Log.Debug("compared everything with the stream", "seconds", time.Since(began).Seconds())
		} else {
			c.Log.Debug("the comparison with the stream starts over", "error", err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(betweenRounds): // a round of few entities is short
		}
	}
}

// round compares everything once.
func (c *Checker) round(ctx context.Context) error {
	for next := uint64(1); ; next++ {
		if err := c.wait(ctx); err != nil {
			return err
		}
		m, found, err := c.Verifier.Stream.Next(ctx, next)
		if err != nil {
			return err
		}
		if !found {
			break
		}
		next = m.Sequence
		kind, id, ok := change.ParseSubject(c.Verifier.Stream.Prefix(), m.Subject)
		if !ok || !change.ValidID(kind, id) {
			continue // not the subject of an entity
		}
		if err := c.check(ctx, entity{kind, id}); err != nil {
			return err
		}
	}
	for _, settings := range document.Indexes {
		if err := c.strays(ctx, settings); err != nil {
			return err
		}
	}
	return nil
}

// wait waits until the next entity is due. Now and then it rechecks the entities that could not be
// repaired, at the same pace.
func (c *Checker) wait(ctx context.Context) error {
	if err := c.due(ctx); err != nil {
		return err
	}
	if len(c.noted) == 0 || time.Since(c.looked) < lookAgain {
		return nil
	}
	c.looked = time.Now()
	for e := range maps.Clone(c.noted) {
		if err := c.check(ctx, e); err != nil {
			return err
		}
		if err := c.due(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) due(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.tick.C:
		return nil
	}
}

// strays looks for documents of entities that the stream does not have.
func (c *Checker) strays(ctx context.Context, settings document.Index) error {
	key := settings.PrimaryKey
	if settings.Name == document.Dates {
		key = "uuid" // of the event
	}
	seen, last := 0, ""
	return c.Verifier.Index.Each(ctx, settings.Name, "", []string{key}, func(d index.Document) error {
		var id string
		if err := json.Unmarshal(d[key], &id); err != nil || id == last {
			return nil //nolint:nilerr // a document of another shape belongs to no entity
		}
		last = id
		if seen++; seen%straysAtOnce == 0 {
			if err := c.wait(ctx); err != nil {
				return err
			}
		}
		e := entity{project.KindAt(settings.Name), verify.StreamID(settings.Name, id)}
		if settings.Name == document.Dates {
			e.kind = change.KindEvent
		}
		if !change.ValidID(e.kind, e.id) {
			return nil
		}
		if _, found, err := c.Verifier.Stream.Last(ctx, e.kind, e.id); found || err != nil {
			return err
		}
		return c.check(ctx, e)
	})
}

// check compares one entity and repairs its differences.
func (c *Checker) check(ctx context.Context, e entity) error {
	seen, err := c.Verifier.Look(ctx, e.kind, e.id)
	if err != nil {
		return fmt.Errorf("compare %s %s: %w", e.kind, e.id, err)
	}
	c.Metrics.compared.Add(float64(seen.Documents))
	if drifted(seen) == 0 {
		c.note(e, leftover{})
		return nil
	}
	if !seen.Settled { // a change of it is on its way: the next round compares it
		return nil
	}
	if err := c.repair(ctx, e); err != nil {
		return fmt.Errorf("repair %s %s: %w", e.kind, e.id, err)
	}
	return nil
}

// drifted counts the documents that differ. A message that can never be applied is no drift but a
// dead letter.
func drifted(seen verify.Sight) (count int) {
	for _, d := range seen.Differences {
		if d.What != verify.Unusable {
			count++
		}
	}
	return count
}

// note remembers the differences of an entity that could not be repaired.
func (c *Checker) note(e entity, what leftover) {
	if what.documents == 0 {
		delete(c.noted, e)
	} else {
		c.noted[e] = what
	}
	sum := 0
	for _, other := range c.noted {
		sum += other.documents
	}
	c.Metrics.differ.Set(float64(sum))
}
