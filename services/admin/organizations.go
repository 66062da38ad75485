package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/apikey"
	"litfass/services/admin/internal/auditlog"
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
			DB: env.db, Limiter: i.limiter, Confirm: i.accounts.ConfirmPassword, Now: time.Now,
		}),
		Overview: overview.New(overview.Options{DB: env.db, Now: time.Now, Zone: zone}),
	}, nil
}

// organizations returns the operations on the teams, keys and audit of organizations.
func (i *identity) organizations(env environment) api.Organizations {
	return api.Organizations{Teams: i.teams, Keys: apikey.New(env.db, time.Now), Audit: auditlog.New(env.db)}
}
