// Package api serves the service's operations over HTTP: its health, and the operations below
// Prefix.
package api

import (
	"context"
	"log/slog"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/web"
	"litfass/services/admin/internal/api/openapi"
	"litfass/services/admin/internal/catalogue/preview"
)

// Prefix begins the paths of the admin operations.
const Prefix = "/api/admin"

// connections is the maximum number of concurrent connections. They take at most 200 MiB, including
// read buffers and the bodies accepted without a login.
const connections = 2048

// Database is the readiness check of the database; see postgres.DB.
type Database interface {
	Ping(ctx context.Context) error
	CheckSchema(ctx context.Context) error
}

// Stream is the readiness check of the stream; see stream.Stream.
type Stream interface {
	Connected() bool
}

// Relay is the readiness check of the relay; see outbox.Relay.
type Relay interface {
	Ready(ctx context.Context) error
}

// Deps are the dependencies of the operations.
type Deps struct {
	Log           *slog.Logger
	Metrics       *prometheus.Registry
	Origins       []string   // whose pages may use the operations, see web.Options
	Drain         *web.Drain // nil: the server stops at once
	Database      Database
	Stream        Stream
	Relay         Relay
	Limits        *limit.Limiter // nil: requests are not limited
	Accounts      Accounts
	Catalogue     Catalogue
	Organizations Organizations
	Profiles      Profiles
	Inbox         Inbox
	Previews      Previews
	Presence      Presence
	Moderation    Moderation
	Imports       Imports
	Sources       Sources
	VenueRequests VenueRequests
	Webhooks      Webhooks
	Platform      Platform
}

// New returns the app with the operations of the service.
func New(deps Deps) *fiber.App {
	app := web.New(web.Options{
		Service: "admin", Log: deps.Log, Metrics: deps.Metrics, Ready: deps.checks(), Drain: deps.Drain,
		Origins: deps.Origins, StreamBodies: true, Connections: connections,
		ResponseTypes: map[string]string{preview.Path + ":token": previewType},
	})
	openapi.Mount(app.Group(Prefix), Prefix) // before authentication: the description is public
	app.Use(showPosition)
	limited := deps.Limits.Router(app, "", client)
	admin := deps.Accounts.Mount(limited, deps.Limits.Failures(limit.Unauthenticated))
	deps.Previews.MountPublic(operations{Router: limited})
	mountWebhookTypes(operations{Router: limited})
	deps.Previews.Mount(admin)
	deps.Presence.Mount(admin)
	deps.Moderation.Mount(admin)
	deps.Platform.Mount(admin)
	deps.Catalogue.Mount(admin)
	deps.Organizations.Mount(admin)
	deps.Profiles.Mount(admin)
	deps.Inbox.Mount(admin)
	deps.Imports.Mount(admin)
	deps.Sources.Mount(admin)
	deps.VenueRequests.Mount(admin)
	deps.Webhooks.Mount(admin)
	return app
}

// checks are the checks of readiness.
func (d Deps) checks() []web.Check {
	return []web.Check{
		{Name: "database", Run: d.Database.Ping},
		{Name: "schema", Run: d.Database.CheckSchema},
		{Name: "stream", Run: d.checkStream},
		{Name: "outbox", Run: d.Relay.Ready},
	}
}

func (d Deps) checkStream(context.Context) error {
	if !d.Stream.Connected() {
		return fault.New(fault.Unavailable, "", "not connected")
	}
	return nil
}
