package main

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
)

type serveCommand struct{}

// Run wires the service together and runs it until ctx ends. It starts without its engines and
// waits for them.
func (serveCommand) Run(ctx context.Context) error {
	env, err := open()
	if err != nil {
		return err
	}
	run.LogStart(env.log)
	flush, err := tracing.Setup(env.config.Tracing, "projector", env.log)
	if err != nil {
		return err
	}
	defer flush()
	catalogue, err := stream.Open(env.config.Stream, env.log)
	if err != nil {
		return err
	}
	defer catalogue.Close()

	metrics := web.NewMetrics()
	projector := env.node(catalogue, metrics)
	drain := web.NewDrain(env.config.StopDelay)
	app := web.New(web.Options{Service: "projector", Log: env.log, Metrics: metrics, Drain: drain, Ready: []web.Check{
		{Name: "stream", Run: projector.Connected},
		{Name: "index", Run: env.index.Health},
		{Name: "caught_up", Run: projector.CaughtUp},
		{Name: "rebuild", Run: projector.Rebuilds, Detail: true}, // the old index answers
	}})
	app.Get("/lag", func(c *fiber.Ctx) error {
		lag, err := projector.Lag(c.UserContext())
		if err != nil {
			return err
		}
		return c.JSON(lag)
	})

	group := run.NewGroup(env.log, env.config.StopDelay+env.config.StopTimeout)
	group.Add("http", func(ctx context.Context) error {
		return web.Serve(ctx, app, env.config.Listen, env.config.StopTimeout, env.log)
	})
	group.Add("projector", projector.Run)
	group.Add("drain", drain.Run)
	return group.Run(ctx)
}
