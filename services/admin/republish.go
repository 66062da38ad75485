package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/publish/verify"
)

type republishCommand struct {
	Kind string        `help:"Only entities of this kind: lookup, region, organization, venue or event." enum:",lookup,region,organization,venue,event" default:""`
	ID   string        `name:"id" help:"Only the entity of this id; needs --kind." default:""`
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run enqueues entities for the relay of a serving admin, which publishes them again.
func (c republishCommand) Run(ctx context.Context) error {
	if c.ID != "" && c.Kind == "" {
		return errors.New("--id needs --kind")
	}
	db, changes, err := app.OpenStream(ctx, c.Wait)
	if err != nil {
		return err
	}
	defer db.Close()
	defer changes.Close()
	republisher := verify.Republisher{DB: db, Stream: changes}
	done, err := republisher.Run(ctx, verify.Scope{Kind: change.Kind(c.Kind), ID: c.ID})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d entities given to the relay, %d unreadable messages removed\n", done.Enqueued, done.Removed)
	return nil
}

type restoredCommand struct {
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run raises the revisions, so that new changes are newer than everything published before.
func (c restoredCommand) Run(ctx context.Context) error {
	db, changes, err := app.OpenStream(ctx, c.Wait)
	if err != nil {
		return err
	}
	defer db.Close()
	defer changes.Close()
	done, err := verify.Republisher{DB: db, Stream: changes}.AfterRestore(ctx, time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d entities given to the relay, %d unreadable messages removed\n", done.Enqueued, done.Removed)
	return nil
}
