package drift

import (
	"bytes"
	"context"
	"errors"

	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/document"
	"litfass/services/projector/internal/verify"
)

// repair compares an entity again, while nothing else is written to the indexes, and applies its
// last message. A difference that remains is neither repaired nor logged again until something has
// changed: each repair empties the caches of the query services.
func (c *Checker) repair(ctx context.Context, e entity) error {
	c.Writing.Lock()
	defer c.Writing.Unlock()
	current, err := c.Current(ctx)
	if err != nil || !current {
		return err
	}
	before, err := c.Verifier.Look(ctx, e.kind, e.id)
	if err != nil || drifted(before) == 0 || !before.Settled {
		return err
	}
	if c.noted[e] == (leftover{drifted(before), before.Last.Sequence}) {
		return nil
	}
	data, isDead, err := c.Dead.Of(ctx, string(e.kind), e.id)
	if err != nil || isDead && (len(data) == 0 || bytes.Equal(data, before.Last.Data)) {
		return err // its last message is known to be one that can never be applied
	}
	for _, d := range before.Differences {
		c.Log.Warn("the index differs from the stream", "kind", e.kind, "id", e.id,
			"index", d.Index, "document", d.ID, "what", d.What, "attributes", d.Attributes)
	}
	err = c.write(ctx, before)
	if err != nil { // the engine may still run a part of it
		err = errors.Join(err, c.Applier.Settle(ctx))
	}
	c.Repaired() // a failed repair may be written in part
	if err != nil {
		return err
	}
	after, err := c.Verifier.Look(ctx, e.kind, e.id)
	if err != nil {
		return err
	}
	still := drifted(after)
	c.Metrics.repaired.Add(float64(max(0, drifted(before)-still)))
	c.note(e, leftover{still, before.Last.Sequence})
	if still > 0 {
		c.Log.Error("the index still differs from the stream", "kind", e.kind, "id", e.id, "documents", still)
	}
	return nil
}

// write applies the entity's last message, or deletes the documents of an entity without one.
func (c *Checker) write(ctx context.Context, seen verify.Sight) error {
	if seen.Last.Sequence > 0 {
		return c.Applier.Apply(ctx, c.Applier.Prepare([]stream.Delivery{{Message: seen.Last}}))
	}
	extra := map[string][]string{}
	for _, d := range seen.Differences {
		extra[d.Index] = append(extra[d.Index], d.ID)
	}
	for _, settings := range document.Indexes {
		tasks, err := c.Verifier.Index.Delete(ctx, settings.Name, extra[settings.Name])
		if err != nil {
			return err
		}
		if err := c.Verifier.Index.Wait(ctx, tasks...); err != nil {
			return err
		}
	}
	return nil
}
