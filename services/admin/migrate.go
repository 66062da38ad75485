package main

import (
	"context"
	"fmt"
	"os"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/catalogue/editing"
)

type migrateCommand struct{}

// Run brings the schema and the value sets up to date.
func (migrateCommand) Run(ctx context.Context) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	applied, err := db.Migrate(ctx)
	if err != nil {
		return err
	}
	changed, err := editing.NewOperator(db).SyncLookups(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d migrations applied, %d value sets written\n", applied, len(changed))
	return nil
}
