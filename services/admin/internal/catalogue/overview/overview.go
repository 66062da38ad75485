// Package overview reads lists for members of organizations: the dashboard, the venues and events
// of an organization, and the choosable values of an event. For platform administrators it lists
// all organizations. It writes nothing. The principal is taken from the context (package auth).
package overview

import (
	"time"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Options are the dependencies of a Service.
type Options struct {
	DB   *postgres.DB
	Now  auth.Clock
	Zone *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }
