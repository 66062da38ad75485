package api

import (
	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/web"
)

// showPosition adds to each answer the position up to which it is complete, if that is known. An
// entity that is not there is an answer, too.
//
// A request that names a position waits until the index is complete up to it (RULES.md, Freshness).
// When that takes too long, the answer is 409 with the code not_yet_applied.
func (d Deps) showPosition(c *fiber.Ctx) error {
	wanted, err := web.WantedPosition(c)
	if err != nil {
		return err
	}
	if d.Signal.Await(c.UserContext(), wanted, d.PositionWait) < wanted {
		return d.notYet(c, wanted)
	}
	ctx, position := d.Signal.Watch(c.UserContext(), wanted)
	c.SetUserContext(ctx)
	err = c.Next()
	if err == nil || fault.Is(err, fault.NotFound) {
		web.SetPosition(c, position.Number())
	}
	return err
}

// notYet is the answer to a request for a position when the index has reached only a lower one. It
// says how far behind that is, in positions and in seconds.
func (d Deps) notYet(c *fiber.Ctx, wanted uint64) error {
	reached, since := d.Signal.Lag()
	web.SetPosition(c, reached)
	f := fault.New(fault.Conflict, "not_yet_applied", "this read node has not applied the position yet; try again shortly")
	lag := (*fault.Violations)(&f.Violations)
	if reached == 0 {
		lag.Add(web.HeaderPosition, "is %d; what this read node has applied is not known", wanted)
	} else {
		lag.Add(web.HeaderPosition, "is %d; this read node has applied %d, has been there for %d s, and is %d behind",
			wanted, reached, int(since.Seconds()), wanted-min(wanted, reached))
	}
	return f
}
