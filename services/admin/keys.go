package main

import (
	"context"
	"fmt"
	"os"

	"litfass/services/admin/internal/app"
)

// keysCommand holds the operator's commands for the keys that sign tokens.
type keysCommand struct {
	Rotate rotateKeysCommand `cmd:"" help:"Sign with another key, on every node within a minute. Logins stay valid."`
}

type rotateKeysCommand struct{}

// Run rotates the keys and prints the id of the new active one; running nodes use it within a
// minute.
func (rotateKeysCommand) Run(ctx context.Context) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	keys, err := app.OperatorKeys(db)
	if err != nil {
		return err
	}
	kid, err := keys.Rotate(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(os.Stdout, kid)
	return err
}
