// Package desk lists what a user may choose from while they write an event.
package desk

import (
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/permission"
	"litfass/services/admin/internal/postgres"
)

// Service holds the use cases.
type Service struct{ DB *postgres.DB }

// New returns the service.
func New(db *postgres.DB) *Service { return &Service{db} }

const allowed = access.Allowed

func scope(who auth.Principal, need permission.Set) ([]any, bool) { return access.Scope(who, need) }
