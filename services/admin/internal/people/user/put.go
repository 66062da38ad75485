package user

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Person is an account for Put. Its display name is first and last name.
type Person struct {
	Email         string // in normal form
	PasswordHash  string // of auth.Hasher
	FirstName     string
	LastName      string
	Locale        string // de, en or da
	PlatformAdmin bool
}

const upsertUser = `
INSERT INTO app_user (
    email, password_hash, display_name, first_name, last_name, locale, is_platform_admin,
    activated_at, created_at, updated_at
)
VALUES ($1, $2, $3 || ' ' || $4, $3, $4, $5, $6, $7, $7, $7)
ON CONFLICT (lower(email)) DO UPDATE
SET
    password_hash = excluded.password_hash, is_platform_admin = excluded.is_platform_admin,
    activated_at = coalesce(app_user.activated_at, excluded.activated_at), deactivated_at = NULL,
    updated_at = excluded.updated_at, version = app_user.version + 1
RETURNING id`

// Put makes an active account, records it and returns its id. An existing account gets the
// password, is reactivated, and keeps its names. Put checks no rights: it is for the operator's
// commands.
func Put(ctx context.Context, tx pgx.Tx, at time.Time, person Person) (id int, err error) {
	err = tx.QueryRow(ctx, upsertUser, person.Email, person.PasswordHash, person.FirstName, person.LastName,
		person.Locale, person.PlatformAdmin, at).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("store account: %w", err)
	}
	return id, recordByOther(ctx, tx, at, "user.create", id, nil, recordedUser(person.PlatformAdmin))
}
