package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
)

// Grant is a pair of tokens for a session. They are accepted once the grant is stored.
type Grant struct {
	UserID    int
	SessionID string
	Access    string
	Refresh   string
	ExpiresIn time.Duration // of Access

	issued  time.Time
	expires time.Time // of Refresh
}

// Sessions stores logins: a session is one login with the family of refresh tokens that continue
// it.
type Sessions struct {
	tokens *Tokens
	now    Clock
}

// NewSessions returns the store of sessions.
func NewSessions(tokens *Tokens, now Clock) *Sessions { return &Sessions{tokens, now} }

// Grant makes tokens for a new session of the user. Store it with Open.
func (s *Sessions) Grant(ctx context.Context, userID int) (Grant, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Grant{}, err
	}
	return s.grant(ctx, userID, id.String())
}

// grant signs outside of any transaction: reading the keys takes another connection.
func (s *Sessions) grant(ctx context.Context, userID int, sessionID string) (Grant, error) {
	now := s.now()
	access, accessExpires, err := s.tokens.Issue(ctx, AccessToken, userID, sessionID)
	if err != nil {
		return Grant{}, err
	}
	refresh, expires, err := s.tokens.Issue(ctx, RefreshToken, userID, sessionID)
	if err != nil {
		return Grant{}, err
	}
	return Grant{
		UserID: userID, SessionID: sessionID, Access: access, Refresh: refresh,
		ExpiresIn: accessExpires.Sub(now).Round(time.Second), issued: now, expires: expires,
	}, nil
}

const insertSession = `
INSERT INTO session (id, user_id, user_agent, created_at, used_at, expires_at)
VALUES ($1, $2, nullif($3, ''), $4, $4, $5)`

const insertRefreshToken = `
INSERT INTO refresh_token (hash, session_id, rotated_from, issued_at, expires_at)
VALUES ($1, $2, $3, $4, $5)`

// Open stores a new session with its first refresh token.
func (s *Sessions) Open(ctx context.Context, tx pgx.Tx, grant Grant, userAgent string) error {
	_, err := tx.Exec(ctx, insertSession, grant.SessionID, grant.UserID, storable(userAgent, 200),
		grant.issued, grant.expires)
	if err != nil {
		return fmt.Errorf("store session: %w", err)
	}
	return s.store(ctx, tx, grant, nil)
}

func (s *Sessions) store(ctx context.Context, tx pgx.Tx, grant Grant, from []byte) error {
	_, err := tx.Exec(ctx, insertRefreshToken, Digest(grant.Refresh), grant.SessionID, from,
		grant.issued, grant.expires)
	if err != nil {
		return fmt.Errorf("store refresh token: %w", err)
	}
	return nil
}

// Continue makes the tokens that follow a refresh token. Store them with Rotate. It returns the
// faults of Tokens.Parse.
func (s *Sessions) Continue(ctx context.Context, refresh string) (Grant, error) {
	claims, err := s.tokens.Parse(ctx, RefreshToken, refresh)
	if err != nil {
		return Grant{}, err
	}
	return s.grant(ctx, claims.UserID(), claims.SessionID)
}

const selectRefreshToken = `
SELECT
    t.spent_at,
    s.revoked_at IS NULL AND u.deactivated_at IS NULL AND t.expires_at > $4 AS open
FROM refresh_token t
JOIN session s ON s.id = t.session_id
JOIN app_user u ON u.id = s.user_id
WHERE t.hash = $1 AND s.id = $2 AND u.id = $3
FOR UPDATE OF t, s`

const spendRefreshToken = `
UPDATE refresh_token
SET spent_at = coalesce(spent_at, $2)
WHERE hash = $1`

const extendSession = `
UPDATE session
SET used_at = $2, expires_at = $3
WHERE id = $1`

// refreshGrace is the time after its first use in which a refresh token may be sent again
// (RULES.md, Accounts): by another tab, or because the first answer was lost.
const refreshGrace = 10 * time.Second

// Rotate marks the refresh token as used and stores the next grant. When a token is sent again
// after refreshGrace, one of the two senders has stolen it, so the whole session ends and reused is
// true; the caller must commit that. Within refreshGrace, another grant of the same session is
// stored, and the time of first use does not change. The fault is Unauthenticated when the session
// is over.
func (s *Sessions) Rotate(ctx context.Context, tx pgx.Tx, refresh string, next Grant) (reused bool, err error) {
	var spentAt *time.Time
	var open bool
	hash, now := Digest(refresh), s.now()
	err = tx.QueryRow(ctx, selectRefreshToken, hash, next.SessionID, next.UserID, now).Scan(&spentAt, &open)
	switch {
	case errors.Is(err, pgx.ErrNoRows), err == nil && !open:
		return false, errSessionEnded()
	case err != nil:
		return false, fmt.Errorf("read refresh token: %w", err)
	case spentAt != nil && now.Sub(*spentAt) > refreshGrace:
		return true, s.End(ctx, tx, next.SessionID, EndedByReuse)
	}
	if _, err = tx.Exec(ctx, spendRefreshToken, hash, now); err != nil {
		return false, fmt.Errorf("spend refresh token: %w", err)
	}
	if _, err = tx.Exec(ctx, extendSession, next.SessionID, now, next.expires); err != nil {
		return false, fmt.Errorf("extend session: %w", err)
	}
	return false, s.store(ctx, tx, next, hash)
}

// Reason is the reason why a session ended before it expired.
type Reason string

// The reasons.
const (
	EndedByLogout       Reason = "logout"
	EndedByReuse        Reason = "reuse" // a used refresh token was sent again
	EndedByPassword     Reason = "password"
	EndedByDeactivation Reason = "deactivation"
)

const endSession = `
UPDATE session
SET revoked_at = $2, revoked_for = $3
WHERE id = $1 AND revoked_at IS NULL`

// End ends a session: neither its refresh token nor its access tokens are accepted from now on.
func (s *Sessions) End(ctx context.Context, tx pgx.Tx, sessionID string, reason Reason) error {
	if _, err := tx.Exec(ctx, endSession, sessionID, s.now(), reason); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

const endSessionsOfUser = `
UPDATE session
SET revoked_at = $2, revoked_for = $3
WHERE user_id = $1 AND revoked_at IS NULL`

// EndAll ends every session of the user.
func (s *Sessions) EndAll(ctx context.Context, tx pgx.Tx, userID int, reason Reason) error {
	if _, err := tx.Exec(ctx, endSessionsOfUser, userID, s.now(), reason); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

const endOtherSessionsOfUser = `
UPDATE session
SET revoked_at = $3, revoked_for = $4
WHERE user_id = $1 AND id <> $2 AND revoked_at IS NULL`

// EndOthers ends every session of the user but one.
func (s *Sessions) EndOthers(ctx context.Context, tx pgx.Tx, userID int, keep string, reason Reason) error {
	if _, err := tx.Exec(ctx, endOtherSessionsOfUser, userID, keep, s.now(), reason); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	return nil
}

func errSessionEnded() error {
	return fault.New(fault.Unauthenticated, "session_ended", "you are no longer logged in")
}

// storable returns text that PostgreSQL can store, truncated to a number of characters.
func storable(text string, maxLength int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	if runes := []rune(text); len(runes) > maxLength {
		return string(runes[:maxLength])
	}
	return text
}
