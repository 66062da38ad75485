package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"text/tabwriter"
	"time"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/app/demo"
	"litfass/services/admin/internal/app/demo/people"
)

// demoPeopleCommand creates accounts whose addresses and roles are public. So that it cannot harm a
// real deployment, it is a separate command, refuses to run unless PUBLIC_URL is this machine's,
// creates no account if there are others, and generates another password each time.
type demoPeopleCommand struct{}

// Run makes them and prints how to log in.
func (demoPeopleCommand) Run(ctx context.Context) error {
	address, err := app.PublicURL()
	if err != nil {
		return err
	}
	if !onThisMachine(address) {
		return errors.New("demo people are for a stack on this machine: PUBLIC_URL leads elsewhere")
	}
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	password := rand.Text() // 130 random bits
	hasher := app.NewHasher(1)
	organization, err := people.Make(ctx, people.Options{DB: db, Hash: hasher.Hash, Now: time.Now}, password)
	if errors.Is(err, people.ErrNotAlone) {
		_, err = fmt.Fprintln(os.Stderr, "No demo people:", err)
		return err
	}
	if err != nil {
		return err
	}
	return writePeople(os.Stdout, organization, password)
}

func writePeople(w io.Writer, organization, password string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "password of all\t%s\n", password)
	for _, person := range demo.People {
		does := "belongs to no organization"
		switch {
		case person.PlatformAdmin:
			does = "platform administrator"
		case person.Role != "":
			does = string(person.Role) + " of " + organization
		}
		fmt.Fprintf(table, "%s\t%s\n", person.Email, does)
	}
	return table.Flush()
}

// onThisMachine reports whether an address leads to the machine that it is used on.
func onThisMachine(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := parsed.Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
