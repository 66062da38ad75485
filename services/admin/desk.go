package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/desk"
)

// desk returns the operations on what lies on a user's desk.
func (i *identity) desk(env environment) (api.Desk, error) {
	zone, err := env.config.zone()
	if err != nil {
		return api.Desk{}, err
	}
	return api.Desk{Service: desk.New(desk.Options{DB: env.db, Limiter: i.limiter, Now: time.Now, Zone: zone})}, nil
}
