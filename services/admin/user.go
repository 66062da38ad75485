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

	"litfass/pkg/web"
	"litfass/services/admin/internal/user"
)

// userCommand holds the operator's commands for accounts (decisions.md, Who may do what: only the
// command line makes a user a platform administrator).
type userCommand struct {
	Create     createUserCommand     `cmd:"" help:"Make an account that is active at once."`
	Promote    promoteUserCommand    `cmd:"" help:"Make a user a platform administrator."`
	Deactivate deactivateUserCommand `cmd:"" help:"Lock a user out; their logins and API keys stop at once."`
	Demo       demoPeopleCommand     `cmd:"" help:"Make the people of the demo catalogue, one of every role; refused unless PUBLIC_URL is this machine's."`
}

type createUserCommand struct {
	Email         string `arg:"" help:"E-mail address, used to log in."`
	DisplayName   string `help:"Name that others see."`
	FirstName     string `help:"First name."`
	LastName      string `help:"Last name."`
	Locale        string `help:"Language: ${enum}." enum:"${languages}" default:"${language}"`
	Admin         bool   `help:"Make them a platform administrator."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input; else one is made and printed."`
}

// Run makes the account and prints what is needed to log in.
func (c createUserCommand) Run(ctx context.Context) error {
	password, shown, err := c.password(os.Stdin)
	if err != nil {
		return err
	}
	return withIdentity(ctx, func(i *identity) error {
		id, err := i.users.CreateUser(ctx, user.NewUser{
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
	return withIdentity(ctx, func(i *identity) error { return i.users.Promote(ctx, c.Email, !c.Undo) })
}

type deactivateUserCommand struct {
	Email string `arg:"" help:"E-mail address of the account."`
	Undo  bool   `help:"Let them log in again."`
}

// Run deactivates the user, and names the organizations that have no active owner now.
func (c deactivateUserCommand) Run(ctx context.Context) error {
	return withIdentity(ctx, func(i *identity) error {
		if err := i.users.Deactivate(ctx, c.Email, c.Undo); err != nil {
			return err
		}
		ownerless, err := i.users.Ownerless(ctx, c.Email)
		for _, organization := range ownerless {
			fmt.Fprintf(os.Stdout, "organization %s has no owner left who can log in: %q\n",
				organization.UUID, organization.Name)
		}
		return err
	})
}

// keysCommand holds the operator's commands for the keys that sign tokens.
type keysCommand struct {
	Rotate rotateKeysCommand `cmd:"" help:"Sign with another key, on every node within a minute. Logins stay valid."`
}

type rotateKeysCommand struct{}

// Run rotates the keys and prints the id of the new active one; running nodes use it within a
// minute.
func (rotateKeysCommand) Run(ctx context.Context) error {
	return withIdentity(ctx, func(i *identity) error {
		kid, err := i.keys.Rotate(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(os.Stdout, kid)
		return err
	})
}

// withIdentity runs fn with the services of accounts.
func withIdentity(ctx context.Context, fn func(i *identity) error) error {
	env, err := open(ctx)
	if err != nil {
		return err
	}
	defer env.db.Close()
	i, err := openIdentity(ctx, env, web.NewMetrics())
	if err != nil {
		return err
	}
	defer i.Close()
	return fn(i)
}
