// Package boot starts and runs the services that answer pages.
package boot

import (
	"context"
	"fmt"
	"log/slog"
	"time"
	_ "time/tzdata" // zones also where the system has none

	"github.com/alecthomas/kong"
	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/tracing"
	"litfass/pkg/chassis/web"
)

// Main runs the program of a service until a signal stops it.
func Main(name, description string, serve func(context.Context) error) {
	var cli struct {
		Version kong.VersionFlag `help:"Print version, commit and date of the program."`

		Serve struct{} `cmd:"" default:"1" help:"Answer the pages. This is the default."`
	}
	kong.Parse(&cli, kong.Name(name), kong.Vars{"version": run.ReadBuild().String()},
		kong.Description(description+" Configured by the environment."))
	run.Main(name, serve)
}

// Options configure a service.
type Options struct {
	Name     string
	Common   run.Common
	Tracing  tracing.Config
	Limits   limit.Config
	TimeZone string // TIME_ZONE
}

// Service holds the shared dependencies of a service's pages.
type Service struct {
	Log     *slog.Logger
	Metrics *prometheus.Registry
	Limits  *limit.Limiter
	Drain   *web.Drain
	Zone    *time.Location
}

// Run answers with the app that build returns until ctx ends.
func Run(ctx context.Context, o Options, build func(Service) *fiber.App) error {
	log := o.Common.Logger(o.Name)
	run.LogStart(log)
	flush, err := tracing.Setup(o.Tracing, o.Name, log)
	if err != nil {
		return err
	}
	defer flush()
	zone, err := time.LoadLocation(o.TimeZone)
	if err != nil {
		return fmt.Errorf("TIME_ZONE: %w", err)
	}
	metrics := web.NewMetrics()
	limits, err := limit.New(limit.Options{Config: o.Limits, Log: log, Metrics: metrics, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = limits.Close() }() // counts are written with each request

	drain := web.NewDrain(o.Common.StopDelay)
	app := build(Service{Log: log, Metrics: metrics, Limits: limits, Drain: drain, Zone: zone})
	group := run.NewGroup(log, o.Common.StopDelay+o.Common.StopTimeout)
	group.Add("http", func(ctx context.Context) error {
		return web.Serve(ctx, app, o.Common.Listen, o.Common.StopTimeout, log)
	})
	group.Add("drain", drain.Run)
	return group.Run(ctx)
}
