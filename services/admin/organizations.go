package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/apikey"
	"litfass/services/admin/internal/auditlog"
	"litfass/services/admin/internal/organization"
)

// organizations returns the operations on organizations, which work with what the service does for people.
func (i *identity) organizations(env environment) (api.Organizations, error) {
	zone, err := env.config.zone()
	if err != nil {
		return api.Organizations{}, err
	}
	return api.Organizations{
		Organizations: organization.New(organization.Options{
			DB: env.db, Limiter: i.limiter, Confirm: i.accounts.ConfirmPassword, Now: time.Now, Zone: zone,
		}),
		Teams: i.teams,
		Keys:  apikey.New(env.db, time.Now),
		Audit: auditlog.New(env.db),
	}, nil
}
