package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// KeyMark is change.KeyMark.
const KeyMark = change.KeyMark

// Keys authenticates API keys; see apikey.Service.
type Keys interface {
	// Authenticate returns the principal of a key, or an Unauthenticated fault.
	Authenticate(ctx context.Context, key string) (Principal, error)
}

// Authenticator finds the principal of a request.
type Authenticator struct {
	db     *postgres.DB
	tokens *Tokens
	keys   Keys
}

// NewAuthenticator returns the authenticator of the service.
func NewAuthenticator(db *postgres.DB, tokens *Tokens, keys Keys) *Authenticator {
	return &Authenticator{db, tokens, keys}
}

const selectPrincipal = `
SELECT u.is_platform_admin, u.locale
FROM session s
JOIN app_user u ON u.id = s.user_id
WHERE s.id = $1
    AND u.id = $2
    AND s.revoked_at IS NULL
    AND u.activated_at IS NOT NULL
    AND u.deactivated_at IS NULL`

// Authenticate returns the principal of a request with this Authorization header: "Bearer" and an
// access token or an API key. The session and the user are read each time, so that a logout or a
// deactivation takes effect immediately. The fault is Unauthenticated; its code distinguishes a
// missing header, an expired token and an invalid one.
func (a *Authenticator) Authenticate(ctx context.Context, header string) (Principal, error) {
	bearer, err := Bearer(header)
	if err != nil {
		return Principal{}, err
	}
	if strings.HasPrefix(bearer, KeyMark) {
		return a.keys.Authenticate(ctx, bearer)
	}
	claims, err := a.tokens.Parse(ctx, AccessToken, bearer)
	if err != nil {
		return Principal{}, err
	}
	principal := Principal{UserID: claims.UserID(), SessionID: claims.SessionID}
	err = a.db.QueryRow(ctx, selectPrincipal, principal.SessionID, principal.UserID).
		Scan(&principal.PlatformAdmin, &principal.Locale)
	if errors.Is(err, pgx.ErrNoRows) {
		return Principal{}, errSessionEnded()
	}
	if err != nil {
		return Principal{}, fmt.Errorf("read session: %w", err)
	}
	return principal, nil
}

// Signed reports whether an Authorization header contains an access token with a valid signature,
// even an expired one. It does not read the session.
func (a *Authenticator) Signed(ctx context.Context, header string) bool {
	bearer, err := Bearer(header)
	if err != nil || strings.HasPrefix(bearer, KeyMark) {
		return false
	}
	_, err = a.tokens.Parse(ctx, AccessToken, bearer)
	return err == nil || fault.Of(err).Code == CodeExpired
}

// Bearer returns the token of an Authorization header, or an Unauthenticated fault.
func Bearer(header string) (string, error) {
	scheme, token, _ := strings.Cut(strings.TrimSpace(header), " ")
	token = strings.TrimSpace(token)
	if header == "" {
		return "", fault.New(fault.Unauthenticated, "token_missing", "this needs the header Authorization: Bearer …")
	}
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", fault.New(fault.Unauthenticated, "token_invalid",
			"the header Authorization must hold Bearer and a token")
	}
	return token, nil
}
