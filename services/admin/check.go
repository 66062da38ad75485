package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"litfass/pkg/change"
	"litfass/services/admin/internal/verify"
)

type verifyCommand struct {
	Wait time.Duration `default:"60s" help:"How long the outbox may take to become empty, and NATS to answer."`
}

// Run compares database and stream, prints every difference, and fails when there is one.
func (c verifyCommand) Run(ctx context.Context) error {
	env, catalogue, err := openBoth(ctx, c.Wait)
	if err != nil {
		return err
	}
	defer env.db.Close()
	defer catalogue.Close()
	verifier := verify.Verifier{DB: env.db, Stream: catalogue, Wait: c.Wait}
	counts, err := verifier.Run(ctx, func(d verify.Difference) { fmt.Fprintln(os.Stdout, d) })
	if err != nil {
		return err
	}
	different := 0
	for _, kind := range append(change.Kinds, "") {
		count := counts[kind]
		different += count.Different
		if kind != "" {
			fmt.Fprintf(os.Stderr, "%s: %d compared, %d differ\n", kind, count.Compared, count.Different)
		}
	}
	if different > 0 {
		return fmt.Errorf("the stream differs from the database in %d places", different)
	}
	return nil
}

type republishCommand struct {
	Kind string        `help:"Only entities of this kind: lookup, region, organization, venue or event." enum:",lookup,region,organization,venue,event" default:""`
	ID   string        `name:"id" help:"Only the entity of this id; needs --kind." default:""`
	Wait time.Duration `default:"60s" help:"How long NATS may take to answer."`
}

// Run gives the relay what is to be published anew; a serving admin does the publishing.
func (c republishCommand) Run(ctx context.Context) error {
	if c.ID != "" && c.Kind == "" {
		return errors.New("--id needs --kind")
	}
	env, catalogue, err := openBoth(ctx, c.Wait)
	if err != nil {
		return err
	}
	defer env.db.Close()
	defer catalogue.Close()
	republisher := verify.Republisher{DB: env.db, Stream: catalogue}
	done, err := republisher.Run(ctx, verify.Scope{Kind: change.Kind(c.Kind), ID: c.ID})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d entities given to the relay, %d unreadable messages removed\n", done.Enqueued, done.Removed)
	return nil
}
