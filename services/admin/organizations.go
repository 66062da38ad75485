package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/editing"
	"litfass/services/admin/internal/overview"
)

// catalogue returns the operations on the catalogue, which work with what the service does for
// people.
func (i *identity) catalogue(env environment) (api.Catalogue, error) {
	zone, err := env.config.zone()
	if err != nil {
		return api.Catalogue{}, err
	}
	return api.Catalogue{
		Editor: editing.New(editing.Options{
			DB: env.db, Limiter: i.limiter, Confirm: i.users.ConfirmPassword, Now: time.Now, Zone: zone,
		}),
		Overview: overview.New(overview.Options{DB: env.db, Now: time.Now, Zone: zone}),
	}, nil
}

// organizations returns the operations on the teams, keys and audit of organizations.
func (i *identity) organizations(env environment) api.Organizations {
	return api.Organizations{Teams: i.teams, Keys: i.apiKeys, Audit: audit.New(env.db)}
}
