package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"litfass/services/admin/internal/app"
	"litfass/services/admin/internal/people/user"
)

// userCommand holds the operator's commands for accounts (RULES.md, Rights: only the command line
// makes a user a platform administrator).
type userCommand struct {
	Create     createUserCommand     `cmd:"" help:"Create an active account."`
	Promote    promoteUserCommand    `cmd:"" help:"Make a user a platform administrator."`
	Deactivate deactivateUserCommand `cmd:"" help:"Deactivate an account; its sessions and API keys end immediately."`
	Demo       demoPeopleCommand     `cmd:"" help:"Create the accounts of the demo, one for each role; refused unless PUBLIC_URL is this machine's."`
}

type createUserCommand struct {
	Email         string `arg:"" help:"E-mail address, used to log in."`
	DisplayName   string `help:"Display name."`
	FirstName     string `help:"First name."`
	LastName      string `help:"Last name."`
	Locale        string `help:"Language: ${enum}." enum:"${languages}" default:"${language}"`
	Admin         bool   `help:"Make them a platform administrator."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input; by default one is generated and printed."`
}

// Run creates the account and prints its login.
func (c createUserCommand) Run(ctx context.Context) error {
	password, shown, err := c.password(os.Stdin)
	if err != nil {
		return err
	}
	return withUsers(ctx, func(users *user.Service) error {
		id, err := users.CreateUser(ctx, user.NewUser{
			Email: c.Email, Password: password, DisplayName: c.DisplayName, FirstName: c.FirstName, LastName: c.LastName,
			Locale: c.Locale, PlatformAdmin: c.Admin,
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(os.Stdout, "user %d: %s%s\n", id, c.Email, shown)
		return err
	})
}

// password returns the new password, and the text that shows it.
func (c createUserCommand) password(input io.Reader) (password, shown string, err error) {
	if !c.PasswordStdin {
		password = rand.Text() // 130 random bits
		return password, ", password " + password, nil
	}
	line, err := bufio.NewReader(io.LimitReader(input, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", "", fmt.Errorf("read password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), "", nil
}

type promoteUserCommand struct {
	Email string `arg:"" help:"E-mail address of the account."`
	Undo  bool   `help:"Make them no longer a platform administrator."`
}

// Run promotes the user.
func (c promoteUserCommand) Run(ctx context.Context) error {
	return withUsers(ctx, func(users *user.Service) error { return users.Promote(ctx, c.Email, !c.Undo) })
}

type deactivateUserCommand struct {
	Email string `arg:"" help:"E-mail address of the account."`
	Undo  bool   `help:"Reactivate the account."`
}

// Run deactivates the user, and names the organizations that have no active owner now.
func (c deactivateUserCommand) Run(ctx context.Context) error {
	return withUsers(ctx, func(users *user.Service) error {
		if err := users.Deactivate(ctx, c.Email, c.Undo); err != nil {
			return err
		}
		ownerless, err := users.Ownerless(ctx, c.Email)
		for _, organization := range ownerless {
			fmt.Fprintf(os.Stdout, "organization %s has no owner left who can log in: %q\n",
				organization.UUID, organization.Name)
		}
		return err
	})
}

// withUsers runs fn with the accounts of the database.
func withUsers(ctx context.Context, fn func(users *user.Service) error) error {
	db, err := app.OpenDatabase(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return fn(app.OperatorUsers(db))
}
