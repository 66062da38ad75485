package main

import (
	"time"

	"litfass/services/admin/internal/api"
	"litfass/services/admin/internal/inbox"
)

// inbox returns the operations on messages, todos and notifications.
func (i *identity) inbox(env environment) (api.Inbox, error) {
	zone, err := env.config.zone()
	if err != nil {
		return api.Inbox{}, err
	}
	return api.Inbox{
		Service: inbox.New(inbox.Options{DB: env.db, Limiter: i.limiter, Now: time.Now, Zone: zone}),
	}, nil
}
