package api

import (
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/web"
)

// showPosition adds to each answer the position up to which it is complete, if known. That includes
// the answer that an entity does not exist.
//
// A request for a position waits until the index is complete up to it (RULES.md, Freshness), and
// is answered with 409 not_yet_applied if that takes too long. Server-Timing has the duration of
// the wait.
func (d Deps) showPosition(c *fiber.Ctx) error {
	wanted, err := d.awaitPosition(c)
	if err != nil {
		return err
	}
	ctx, position := d.Signal.Track(c.UserContext(), wanted)
	c.SetUserContext(ctx)
	err = c.Next()
	if err == nil || fault.Is(err, fault.NotFound) {
		web.SetPosition(c, position.Number())
	}
	return err
}

// awaitPosition waits for the position that a request wants, and returns it.
func (d Deps) awaitPosition(c *fiber.Ctx) (wanted uint64, err error) {
	if wanted, err = web.WantedPosition(c); err != nil {
		return 0, err
	}
	if d.Signal.Position() < wanted {
		began := time.Now()
		reached := d.Signal.Await(c.UserContext(), wanted, d.PositionWait)
		c.Set("Server-Timing", fmt.Sprintf("position;dur=%.1f", time.Since(began).Seconds()*1000))
		if reached < wanted {
			return 0, d.notYet(c, wanted)
		}
	}
	return wanted, nil
}

// notYet returns the fault for a position that the index has not reached, with its lag in positions
// and in seconds.
func (d Deps) notYet(c *fiber.Ctx, wanted uint64) error {
	reached, since := d.Signal.Lag()
	web.SetPosition(c, reached)
	f := fault.New(fault.Conflict, "not_yet_applied", "this read node has not applied the position yet; try again shortly")
	lag := (*fault.Violations)(&f.Violations)
	if reached == 0 {
		lag.Add(web.HeaderPosition, reason.PositionUnknown(wanted))
	} else {
		lag.Add(web.HeaderPosition,
			reason.NotApplied(wanted, reached, int(since.Seconds()), wanted-min(wanted, reached)))
	}
	return f
}
