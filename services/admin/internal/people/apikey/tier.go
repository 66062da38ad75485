package apikey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
)

const selectTier = `
SELECT tier, coalesce(org_uuid::text, '')
FROM api_key
WHERE uuid = $1 AND revoked_at IS NULL
FOR UPDATE`

const updateTier = `
UPDATE api_key
SET tier = $2
WHERE uuid = $1`

// SetTier assigns a key to one of the configured tiers of limits. Only the command line does this.
// The faults: Invalid for an unknown tier; NotFound for an unknown or revoked key.
func (s *Service) SetTier(ctx context.Context, id, tier string, tiers map[string]int) error {
	if tiers[tier] == 0 {
		return fault.New(fault.Invalid, "tier_unknown", "%q is no tier; those of LIMIT_TIERS are %s",
			tier, strings.Join(slices.Sorted(maps.Keys(tiers)), ", "))
	}
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		var before, org string
		err := tx.QueryRow(ctx, selectTier, id).Scan(&before, &org)
		if errors.Is(err, pgx.ErrNoRows) {
			return errKeyNotFound()
		}
		if err != nil {
			return fmt.Errorf("read API key: %w", err)
		}
		if _, err := tx.Exec(ctx, updateTier, id, tier); err != nil {
			return fmt.Errorf("store tier of API key: %w", err)
		}
		return s.record(ctx, tx, "api_key.tier", org, id, map[string]any{"tier": before}, map[string]any{"tier": tier})
	})
}
