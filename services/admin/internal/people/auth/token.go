package auth

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
)

// Kind is the purpose of a token. It is part of the token's signed header, as RFC 8725 advises, so
// that a token of one kind is not accepted as another.
type Kind string

// The kinds of token.
const (
	AccessToken  Kind = "at+jwt"
	RefreshToken Kind = "rt+jwt"
)

// TokenConfig is the configuration of tokens. The zero Leeway allows no difference between clocks.
type TokenConfig struct {
	Issuer          string        `env:"TOKEN_ISSUER" envDefault:"litfass"`
	Audience        string        `env:"TOKEN_AUDIENCE" envDefault:"litfass-admin"`
	AccessLifetime  time.Duration `env:"ACCESS_TOKEN_LIFETIME" envDefault:"15m"`
	RefreshLifetime time.Duration `env:"REFRESH_TOKEN_LIFETIME" envDefault:"720h"`
	Leeway          time.Duration `env:"TOKEN_LEEWAY" envDefault:"15s"`
}

// Claims are the content of a token.
type Claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

// UserID returns the user that the token was issued to, or 0.
func (c Claims) UserID() int {
	id, err := strconv.Atoi(c.Subject)
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// Tokens issues and verifies JSON Web Tokens, signed with Ed25519: only the admin service can issue
// one, any service with the public keys can verify one, and that takes microseconds.
type Tokens struct {
	keys   *Keyring
	config TokenConfig
	now    Clock
}

// NewTokens returns the issuer and verifier of tokens.
func NewTokens(keys *Keyring, config TokenConfig, now Clock) *Tokens {
	return &Tokens{keys, config, now}
}

// Issue returns a signed token of the kind for the user's session, and when it expires.
func (t *Tokens) Issue(ctx context.Context, kind Kind, userID int, sessionID string) (string, time.Time, error) {
	kid, key, err := t.keys.Signer(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	id, err := uuid.NewRandom() // a version 7 would be guessable
	if err != nil {
		return "", time.Time{}, err
	}
	now := t.now().Truncate(time.Second)
	expires := now.Add(t.lifetime(kind))
	token := jwt.NewWithClaims(jwt.SigningMethodEdDSA, Claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: t.config.Issuer, Audience: jwt.ClaimStrings{t.config.Audience}, Subject: strconv.Itoa(userID),
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(expires),
			ID: id.String(),
		},
		SessionID: sessionID,
	})
	token.Header["kid"], token.Header["typ"] = kid, string(kind)
	signed, err := token.SignedString(key)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("sign token: %w", err)
	}
	return signed, expires, nil
}

func (t *Tokens) lifetime(kind Kind) time.Duration {
	if kind == RefreshToken {
		return t.config.RefreshLifetime
	}
	return t.config.AccessLifetime
}

// CodeExpired is the code of the fault for a token that was valid until it expired.
const CodeExpired = "token_expired"

// Parse verifies a token of the kind and returns its claims. The fault is Unauthenticated, with
// code "token_expired" for an otherwise valid token and "token_invalid" for any other; another
// error means that the keys could not be read.
func (t *Tokens) Parse(ctx context.Context, kind Kind, token string) (Claims, error) {
	var claims Claims
	if len(token) > adminapi.MaxToken {
		return claims, invalidToken(errors.New("too long"))
	}
	var unread error // the keys could not be read
	_, err := t.parser().ParseWithClaims(token, &claims, func(token *jwt.Token) (any, error) {
		var key ed25519.PublicKey
		var err error
		key, unread, err = t.verifier(ctx, kind, token)
		return key, err
	})
	switch {
	case unread != nil:
		return Claims{}, unread
	case errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return Claims{}, fault.Wrap(err, fault.Unauthenticated, CodeExpired, "the token has expired")
	case err != nil:
		return Claims{}, invalidToken(err)
	case claims.UserID() == 0 || uuid.Validate(claims.SessionID) != nil || claims.IssuedAt == nil:
		return Claims{}, invalidToken(errors.New("a claim is missing"))
	}
	return claims, nil
}

func (t *Tokens) parser() *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods([]string{keyAlgorithm}),
		jwt.WithIssuer(t.config.Issuer),
		jwt.WithAudience(t.config.Audience),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(t.config.Leeway),
		jwt.WithTimeFunc(t.now),
		jwt.WithStrictDecoding(),
	)
}

// verifier returns the public key of the token's key id. unread is set when the keys could not be
// read.
func (t *Tokens) verifier(ctx context.Context, kind Kind, token *jwt.Token) (key ed25519.PublicKey, unread, err error) {
	if typ, _ := token.Header["typ"].(string); typ != string(kind) {
		return nil, nil, errors.New("not a token of this kind")
	}
	kid, _ := token.Header["kid"].(string)
	key, err = t.keys.Verifier(ctx, kid)
	if err != nil && !errors.Is(err, errUnknownKey) {
		unread = err
	}
	return key, unread, err
}

func invalidToken(cause error) error {
	return fault.Wrap(cause, fault.Unauthenticated, "token_invalid", "the token is not valid")
}
