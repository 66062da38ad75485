// Package overview reads what members of organizations work with: the dashboard, the venues and
// events of an organization, and the choosable lists of an event; and all organizations for
// platform administrators. It writes nothing. The principal is taken from the context (package
// auth).
package overview

import (
	"time"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Options are what the service needs.
type Options struct {
	DB   *postgres.DB
	Now  auth.Clock
	Zone *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }
