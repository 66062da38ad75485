package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"litfass/pkg/chassis/limit"
	"litfass/pkg/chassis/run"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/people/apikey"
)

// apiKeyCommand holds the operator's commands for API keys.
type apiKeyCommand struct {
	Tier keyTierCommand `cmd:"" help:"Give an API key the limits of a tier of LIMIT_TIERS, everywhere within a second."`
}

type keyTierCommand struct {
	UUID string `arg:"" name:"uuid" help:"uuid of the key."`
	Tier string `arg:"" help:"Name of the tier."`
}

// Run sets the tier.
func (c keyTierCommand) Run(ctx context.Context) error {
	config, err := run.Config[limit.Config]()
	if err != nil {
		return err
	}
	tiers, err := config.ReadTiers()
	if err != nil {
		return err
	}
	uuid, valid := value.UUIDv7(c.UUID)
	if !valid {
		return fmt.Errorf("%q is no uuid of a key", c.UUID)
	}
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := apikey.New(db, time.Now).SetTier(ctx, uuid, c.Tier, tiers); err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stdout, "API key %s: %s, %d times the limits\n", uuid, c.Tier, tiers[c.Tier])
	return err
}
