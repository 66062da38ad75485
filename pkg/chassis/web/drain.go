package web

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
)

// Drain makes clients leave before a server stops: /readyz fails, so that load balancers send their
// requests elsewhere, and every answer closes its connection. Requests are answered meanwhile. A
// nil Drain does nothing.
type Drain struct {
	delay time.Duration
	begun atomic.Bool
}

// NewDrain returns a drain that lasts as long as load balancers may take to notice; with a delay of
// 0 the server stops at once.
func NewDrain(delay time.Duration) *Drain { return &Drain{delay: delay} }

// Run waits until ctx ends and then drains. As the last part of a run.Group it does so before the
// server, an earlier part, stops. It returns nil.
func (d *Drain) Run(ctx context.Context) error {
	<-ctx.Done()
	if d.delay <= 0 {
		return nil
	}
	d.begun.Store(true)
	<-time.After(d.delay)
	return nil
}

// Begun reports whether the server is about to stop.
func (d *Drain) Begun() bool { return d != nil && d.begun.Load() }

// check is the condition of readiness.
func (d *Drain) check() Check {
	return Check{Name: "stop", Run: func(context.Context) error {
		if d.Begun() {
			return fault.New(fault.Unavailable, "stopping", "this process is about to stop")
		}
		return nil
	}}
}

// close closes the connection after the answer once the drain has begun.
func (d *Drain) close(c *fiber.Ctx) error {
	if d.Begun() {
		c.Context().SetConnectionClose()
	}
	return c.Next()
}
