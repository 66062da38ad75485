// Package auth authenticates: passwords, tokens and their signing keys, sessions, one-time tokens
// in mails, and limits on attempts. Package access decides the rights of an authenticated
// principal.
//
// Functions that write take the transaction of their caller, so that a use case is atomic.
package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"

	"litfass/pkg/contracts/permission"
)

// Principal is the user or API key that makes a request.
type Principal struct {
	UserID        int    // 0: an organization's API key
	PlatformAdmin bool   // may act in every organization; never with an API key
	Locale        string // the user's language: de, en or da
	SessionID     string // the login; "" with an API key
	APIKey        string // uuid of the key; "" after a login
	KeyOrg        string // uuid of the organization that the key acts for; "" when it acts for its user
	KeyLimit      permission.Set
	KeyTier       string // of the API key, for limits
	KeyOwner      string // of the API key, for limits; see change.KeyOwner
}

// LoggedIn reports whether the principal is a user with a session, not an API key.
func (p Principal) LoggedIn() bool { return p.SessionID != "" }

// Origin is the client of a request.
type Origin struct {
	Address   netip.Addr // of the client
	UserAgent string
	RequestID string
}

type (
	principalKey struct{}
	originKey    struct{}
)

// WithPrincipal returns a context that carries the principal of the request.
func WithPrincipal(ctx context.Context, principal Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// PrincipalOf returns the principal of the request. Without one it is the zero Principal, which has
// no rights.
func PrincipalOf(ctx context.Context) Principal {
	principal, _ := ctx.Value(principalKey{}).(Principal)
	return principal
}

// WithOrigin returns a context that carries the origin of the request.
func WithOrigin(ctx context.Context, origin Origin) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}

// OriginOf returns the origin of the request; the zero Origin outside of requests.
func OriginOf(ctx context.Context) Origin {
	origin, _ := ctx.Value(originKey{}).(Origin)
	return origin
}

// Digest returns the hash of a random secret for storage: unlike a password's, it need not be slow.
func Digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// NewSecret returns 256 random bits as text that may stand in a link.
func NewSecret() string { return base64.RawURLEncoding.EncodeToString(randomBytes(32)) }
