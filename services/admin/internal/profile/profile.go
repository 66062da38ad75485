// Package profile is what users keep about themselves: their names, address, language and look of the application, and their
// password.
//
// Each function is one use case in one transaction, with the audit entry and the mail that belong to it. It concerns the
// user in person: an API key is not enough. Who asks is taken from the context (package auth).
package profile

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/value"
	"litfass/services/admin/internal/access"
	"litfass/services/admin/internal/account"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/postgres"
)

// Options are what the service needs.
type Options struct {
	DB        *postgres.DB
	Accounts  *account.Service
	Hash      func(ctx context.Context, password string) (string, error) // auth.Hasher.Hash
	Now       auth.Clock
	PublicURL string // where avatars are shown from, without a slash at its end
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

// Profile is what a user sees of themselves (known-clients.md, User profile).
type Profile struct {
	UserID       int        `json:"user_id"`
	Email        string     `json:"email"`
	PendingEmail value.Text `json:"pending_email"` // asked for; becomes Email once the link is followed that was mailed there
	DisplayName  value.Text `json:"display_name"`
	FirstName    value.Text `json:"first_name"`
	LastName     value.Text `json:"last_name"`
	Locale       string     `json:"locale"`
	Theme        string     `json:"theme"`
	AvatarURL    value.Text `json:"avatar_url"` // absolute, of 64 pixels
}

// Stored is a profile with its version.
type Stored struct {
	Profile
	Version int64
}

const selectProfile = `
SELECT
    id, email, coalesce(pending_email, ''), coalesce(display_name, ''), coalesce(first_name, ''), coalesce(last_name, ''),
    locale, theme, avatar_key IS NOT NULL, version
FROM app_user
WHERE id = $1`

const selectProfileForUpdate = selectProfile + `
FOR UPDATE`

// Get returns the profile of the user who is logged in. The fault is Forbidden for an API key.
func (s *Service) Get(ctx context.Context) (Stored, error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return Stored{}, err
	}
	return s.read(s.DB.QueryRow(ctx, selectProfile, who.UserID))
}

func (s *Service) read(row pgx.Row) (Stored, error) {
	var p Stored
	var pictured bool
	err := row.Scan(&p.UserID, &p.Email, &p.PendingEmail, &p.DisplayName, &p.FirstName, &p.LastName, &p.Locale, &p.Theme,
		&pictured, &p.Version)
	if err != nil {
		return p, fmt.Errorf("read profile: %w", err)
	}
	if pictured {
		p.AvatarURL = value.Text(s.PublicURL + "/api/user/" + strconv.Itoa(p.UserID) + "/avatar/64")
	}
	return p, nil
}

// audit records what a user did to their own account.
func (s *Service) audit(ctx context.Context, tx pgx.Tx, action string, userID int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID), Before: before, After: after,
	})
}
