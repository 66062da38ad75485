package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/organization"
)

// organizations returns the operations on organizations, teams and API keys.
func (i *identity) organizations(env environment) (api.Organizations, error) {
	zone, err := env.config.zone()
	if err != nil {
		return api.Organizations{}, err
	}
	return api.Organizations{
		Organizations: organization.New(organization.Options{
			DB: env.db, Limiter: i.limiter, Confirm: i.users.ConfirmPassword, Now: time.Now, Zone: zone,
		}),
		Teams: i.teams,
		Keys:  i.apiKeys,
		Audit: audit.New(env.db),
	}, nil
}
