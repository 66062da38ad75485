package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Purpose is the action that a one-time token authorizes.
type Purpose string

// The purposes.
const (
	ForActivation Purpose = "activate" // of an account
	ForReset      Purpose = "reset"    // of a password
	ForAddress    Purpose = "email"    // confirm another e-mail address
	ForInvitation Purpose = "invite"   // accept an invitation to a team
)

// OneTimeToken is a token that is sent in a mail and can be used once. An invitation's has an
// InvitationUUID, every other one a UserID.
type OneTimeToken struct {
	Purpose        Purpose
	UserID         int
	InvitationUUID string
	MailID         int64
	Secret         string // only its hash is stored; "" while the mail is still to be composed
	CreatedAt      time.Time
	ExpiresAt      time.Time
}

// insertOneTimeToken replaces the secret when the mail is composed again.
const insertOneTimeToken = `
INSERT INTO one_time_token (
    purpose, user_id, invitation_uuid, mail_id, hash, created_at, expires_at
)
VALUES ($1, nullif($2, 0), nullif($3, '')::uuid, $4, $5, $6, $7)
ON CONFLICT (mail_id) DO UPDATE
SET hash = excluded.hash, expires_at = excluded.expires_at`

// AddOneTimeToken stores a token. If its mail already has one, that gets the new secret and expiry.
func AddOneTimeToken(ctx context.Context, tx pgx.Tx, token OneTimeToken) error {
	var hash []byte
	if token.Secret != "" {
		hash = Digest(token.Secret)
	}
	_, err := tx.Exec(ctx, insertOneTimeToken, token.Purpose, token.UserID, token.InvitationUUID,
		token.MailID, hash, token.CreatedAt, token.ExpiresAt)
	if err != nil {
		return fmt.Errorf("store %s token: %w", token.Purpose, err)
	}
	return nil
}

// ErrTokenUsed means that a token was used or replaced before its mail was composed.
var ErrTokenUsed = errors.New("the token is used")

const issueOneTimeToken = `
UPDATE one_time_token
SET hash = $3, expires_at = $4
WHERE mail_id = $1 AND purpose = $2 AND used_at IS NULL`

// IssueOneTimeToken sets the secret of a mail's token while the mail is composed, and returns it.
// It must leave the process only in that mail. The error is ErrTokenUsed when there is no unused
// token.
func IssueOneTimeToken(
	ctx context.Context, tx pgx.Tx, purpose Purpose, mailID int64, expires time.Time,
) (secret string, err error) {
	secret = NewSecret()
	tag, err := tx.Exec(ctx, issueOneTimeToken, mailID, purpose, Digest(secret), expires)
	if err != nil {
		return "", fmt.Errorf("issue %s token: %w", purpose, err)
	}
	if tag.RowsAffected() == 0 {
		return "", ErrTokenUsed
	}
	return secret, nil
}

const useUpTokensOfUser = `
UPDATE one_time_token
SET used_at = $3
WHERE user_id = $1 AND purpose = ANY ($2) AND used_at IS NULL`

// UseUpTokens marks every unused token of the user with one of the purposes as used.
func UseUpTokens(ctx context.Context, tx pgx.Tx, userID int, at time.Time, purposes ...Purpose) error {
	if _, err := tx.Exec(ctx, useUpTokensOfUser, userID, purposes, at); err != nil {
		return fmt.Errorf("use up tokens: %w", err)
	}
	return nil
}

const useUpTokensOfInvitation = `
UPDATE one_time_token
SET used_at = $2
WHERE invitation_uuid = $1 AND used_at IS NULL`

// UseUpInvitationTokens marks every unused token of the invitation as used.
func UseUpInvitationTokens(ctx context.Context, tx pgx.Tx, invitation string, at time.Time) error {
	if _, err := tx.Exec(ctx, useUpTokensOfInvitation, invitation, at); err != nil {
		return fmt.Errorf("use up tokens: %w", err)
	}
	return nil
}

const deleteTokensOfUser = `
DELETE FROM one_time_token
WHERE user_id = $1`

// DeleteTokens deletes every one-time token of the user, used or not.
func DeleteTokens(ctx context.Context, tx pgx.Tx, userID int) error {
	if _, err := tx.Exec(ctx, deleteTokensOfUser, userID); err != nil {
		return fmt.Errorf("delete tokens: %w", err)
	}
	return nil
}
