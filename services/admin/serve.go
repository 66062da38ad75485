package main

import (
	"context"
	"time"

	"litfass/pkg/run"
	"litfass/pkg/stream"
	"litfass/pkg/web"
	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/relay"
)

type serveCommand struct{}

// Run wires the service together and runs it until ctx ends. It starts without its engines and
// waits for them.
func (serveCommand) Run(ctx context.Context) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	changes, err := stream.Open(env.config.Stream, env.log)
	if err != nil {
		return err
	}
	defer changes.Close()

	publisher := relay.New(env.db, changes, env.log, time.Now)
	metrics := web.NewMetrics()
	publisher.Register(metrics)
	people, err := openIdentity(ctx, env, metrics)
	if err != nil {
		return err
	}
	defer people.Close()
	catalogue, err := people.catalogue(env)
	if err != nil {
		return err
	}
	desk, err := people.desk(env)
	if err != nil {
		return err
	}
	app := api.New(api.Deps{
		Log: env.log, Metrics: metrics, Origins: env.config.Origins, Database: env.db, Stream: changes, Relay: publisher,
		Accounts: people.operations(), Profiles: api.Profiles{Service: people.profiles}, Catalogue: catalogue,
		Organizations: people.organizations(env), Desk: desk,
	})

	group := run.NewGroup(env.log, env.config.StopTimeout)
	group.Add("relay", publisher.Run)
	people.addTo(group)
	group.Add("http", func(ctx context.Context) error {
		return web.Serve(ctx, app, env.config.Listen, env.config.StopTimeout, env.log)
	})
	return group.Run(ctx)
}
