// Package api is the public HTTP side of the query service: it reads requests, asks the packages that answer them, and
// writes envelopes. Errors become answers in package web.
package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/index"
	"litfass/services/query/internal/filter"
	"litfass/services/query/internal/memo"
	"litfass/services/query/internal/params"
)

// Searcher answers the event search and its summary with JSON payloads.
type Searcher interface {
	Events(ctx context.Context, q params.Query) ([]byte, error)
	Summary(ctx context.Context, q params.Query) ([]byte, error)
}

// Places knows which venues lie where.
type Places interface {
	Allowed(ctx context.Context, circle *params.Circle, region *params.Region) (filter.Places, error)
}

// Deps is what the operations work with.
type Deps struct {
	Search Searcher
	Places Places
	Index  *index.Client // for what is read without a search
	Signal memo.Signal   // tells whether the index may have changed
	// Timeout bounds every question to the index.
	Timeout time.Duration
	// Now is the clock, and Zone where "today" is.
	Now  func() time.Time
	Zone *time.Location
}

// Mount adds every public operation to app. Paths answer with and without their trailing slash.
func Mount(app *fiber.App, d Deps) {
	public := app.Group("/api")
	mountEvents(public, d)
	mountReads(public, d)
}
