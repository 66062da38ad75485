package audit

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	forgetAddresses = `
UPDATE audit_entry
SET address = NULL
WHERE address IS NOT NULL
    AND (actor_user_id = $1 OR entity_kind = 'user' AND entity_id = $1::integer::text)`

	// forgetOwn clears the values of entries that concern only the user; the names of the fields
	// stay.
	forgetOwn = `
UPDATE audit_entry
SET
    before = (SELECT jsonb_object_agg(field, NULL) FROM jsonb_object_keys(before) AS field),
    after = (SELECT jsonb_object_agg(field, NULL) FROM jsonb_object_keys(after) AS field)
WHERE entity_kind = 'user' AND entity_id = $1::integer::text
    OR actor_user_id = $1 AND org_uuid IS NULL AND entity_kind <> 'region'`

	forgetInvited = `
UPDATE audit_entry
SET
    before = CASE WHEN lower(before ->> 'email') = ANY ($1) THEN before || '{"email": null}' ELSE before END,
    after = CASE WHEN lower(after ->> 'email') = ANY ($1) THEN after || '{"email": null}' ELSE after END
WHERE entity_kind = 'invitation'
    AND (lower(before ->> 'email') = ANY ($1) OR lower(after ->> 'email') = ANY ($1))`
)

// Forget removes personal data of a user who deletes their account from the entries: IP addresses,
// the values of entries that concern only them, and their addresses (in lower case) in invitations.
// Action, time and user id stay; the id no longer identifies a person.
func Forget(ctx context.Context, tx pgx.Tx, userID int, addresses []string) error {
	for _, statement := range []string{forgetAddresses, forgetOwn} {
		if _, err := tx.Exec(ctx, statement, userID); err != nil {
			return fmt.Errorf("forget user in audit: %w", err)
		}
	}
	if _, err := tx.Exec(ctx, forgetInvited, addresses); err != nil {
		return fmt.Errorf("forget addresses in audit: %w", err)
	}
	return nil
}
