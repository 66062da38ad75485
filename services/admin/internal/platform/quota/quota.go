// Package quota bounds how many of each thing an account, an organization or a venue has, and how
// many it adds in a day. Its table is the one place of these numbers; deploy/docs/bounds.md shows
// them.
package quota

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// Thing is something that accounts add.
type Thing string

// The things that are bounded.
const (
	Organizations Thing = "organizations"
	Events        Thing = "events"
	Images        Thing = "images" // of events
	Venues        Thing = "venues"
	Spaces        Thing = "spaces"
	Contributors  Thing = "contributors"
	Lists         Thing = "lists"
	Portals       Thing = "portals"
	Series        Thing = "series"
	Sources       Thing = "sources"
	Webhooks      Thing = "webhooks"
	Keys          Thing = "api_keys"
)

// Bound is how many of a thing one owner has and adds.
type Bound struct {
	Owner string // "account", "organization" or "venue"
	InAll int    // 0: bounded by the day and by what holds it
	ADay  int
	// Code is that of the fault of one more than InAll.
	Code string
	// count counts those of the owner $1.
	count string
}

// reached is the code of bounds that need none of their own, and today that of the bound of a day.
const (
	reached = "quota_reached"
	today   = "too_many_today"
)

// ownedBy matches what belongs to an organization by its uuid, or to an account by its id.
const ownedBy = `CASE WHEN length($1) = 36 THEN org_uuid::text = $1 ELSE org_uuid IS NULL AND user_id::text = $1 END`

// Bounds are all bounds.
var Bounds = map[Thing]Bound{
	Organizations: {"account", 200, 100, reached, `SELECT count(*) FROM membership WHERE user_id = $1::integer AND role = 'owner'`},
	Events:        {"organization", 50_000, 20_000, reached, `SELECT count(*) FROM event WHERE org_uuid = $1::uuid`},
	Images:        {"organization", 0, 10_000, reached, ""},
	Venues:        {"organization", 10_000, 5_000, reached, `SELECT count(*) FROM venue WHERE org_uuid = $1::uuid`},
	Spaces:        {"venue", 500, 500, reached, `SELECT count(*) FROM space WHERE venue_uuid = $1::uuid`},
	Contributors:  {"organization", 20_000, 5_000, reached, `SELECT count(*) FROM contributor WHERE org_uuid = $1::uuid`},
	Lists:         {"organization", 100, 500, "too_many_lists", `SELECT count(*) FROM list WHERE org_uuid = $1::uuid`},
	Portals:       {"organization", 20, 200, "too_many_portals", `SELECT count(*) FROM portal WHERE org_uuid = $1::uuid`},
	Series:        {"organization", 100, 500, "too_many_series", `SELECT count(*) FROM series WHERE org_uuid = $1::uuid`},
	Sources:       {"organization", 50, 200, "too_many_sources", `SELECT count(*) FROM event_source WHERE org_uuid = $1::uuid`},
	Webhooks: {"account or organization", 20, 200, "too_many_webhooks", `
SELECT count(*)
FROM webhook
WHERE ` + ownedBy},
	Keys: {"account or organization", 50, 200, "too_many_api_keys", `
SELECT count(*)
FROM api_key
WHERE revoked_at IS NULL AND ` + ownedBy},
}

const add = `
INSERT INTO quota AS stored (owner, thing, day, added)
VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date, $3)
ON CONFLICT (owner, thing) DO UPDATE SET
    added = CASE WHEN stored.day >= excluded.day THEN stored.added ELSE 0 END + excluded.added,
    day = greatest(stored.day, excluded.day)
RETURNING added`

// Add counts things that the transaction has added for an owner: the uuid of an organization or a
// venue, or the id of an account. Until it ends, other transactions that add the same wait. The
// error is a Conflict fault with the violated bound when there are too many in all, or for a day.
func Add(ctx context.Context, tx pgx.Tx, thing Thing, owner string, count int) error {
	var added int
	if err := tx.QueryRow(ctx, add, owner, string(thing), count).Scan(&added); err != nil {
		return fmt.Errorf("count the %s of a day: %w", thing, err)
	}
	bound := Bounds[thing]
	if added > bound.ADay {
		return refuse(thing, today, reason.TooManyToday(bound.ADay), "%d %s were added today, which is the maximum", bound.ADay)
	}
	return InAll(ctx, tx, thing, owner)
}

// InAll checks the bound of all things of an owner only. Callers hold a lock under which no other
// transaction adds one.
func InAll(ctx context.Context, tx pgx.Tx, thing Thing, owner string) error {
	bound := Bounds[thing]
	if bound.InAll == 0 {
		return nil
	}
	var has int
	if err := tx.QueryRow(ctx, bound.count, owner).Scan(&has); err != nil {
		return fmt.Errorf("count %s: %w", thing, err)
	}
	if has > bound.InAll {
		return refuse(thing, bound.Code, reason.TooManyOwned(bound.InAll), "there are already %d %s, which is the maximum", bound.InAll)
	}
	return nil
}

// refuse returns the fault of a bound, which it names.
func refuse(thing Thing, code string, why *reason.Reason, message string, most int) error {
	f := fault.New(fault.Conflict, code, message, most, thing)
	f.Violations = []fault.Violation{fault.Violate(string(thing), why)}
	return f
}

const deleteOwner = `
DELETE FROM quota
WHERE owner = $1`

// Forget deletes the counts of an owner that is deleted.
func Forget(ctx context.Context, tx pgx.Tx, owner string) error {
	if _, err := tx.Exec(ctx, deleteOwner, owner); err != nil {
		return fmt.Errorf("delete the counts of an owner: %w", err)
	}
	return nil
}

const deleteFormer = `
DELETE FROM quota
WHERE day < (now() AT TIME ZONE 'UTC')::date - 1`

// Prune deletes the counts of former days.
func Prune(ctx context.Context, tx pgx.Tx, _ time.Time) error {
	if _, err := tx.Exec(ctx, deleteFormer); err != nil {
		return fmt.Errorf("prune the counts of former days: %w", err)
	}
	return nil
}
