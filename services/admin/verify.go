package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/publish/verify"
)

type verifyCommand struct {
	Wait time.Duration `default:"60s" help:"How long the outbox may take to become empty, and NATS to answer."`
}

// Run compares database and stream, prints every difference, and fails when there is one.
func (c verifyCommand) Run(ctx context.Context) error {
	db, changes, err := app.OpenStream(ctx, c.Wait)
	if err != nil {
		return err
	}
	defer db.Close()
	defer changes.Close()
	verifier := verify.Verifier{DB: db, Stream: changes, Wait: c.Wait}
	counts, err := verifier.Run(ctx, func(d verify.Difference) { fmt.Fprintln(os.Stdout, d) })
	if err != nil {
		return err
	}
	different := 0
	for _, kind := range append(slices.Clone(change.Kinds), change.KindKey, "") {
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
