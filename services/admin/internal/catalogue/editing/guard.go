package editing

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// refuseCircles refuses organizations that would hold themselves, directly or through others.
// Transactions that set holding organizations run one after the other.
func refuseCircles(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Organization]) error {
	var held []string
	for _, d := range diffs {
		if d.after.HoldingOrgUUID != "" && (d.created || d.before.HoldingOrgUUID != d.after.HoldingOrgUUID) {
			held = append(held, d.key)
		}
	}
	if len(held) == 0 {
		return nil
	}
	if err := store.LockHoldings(ctx, tx); err != nil {
		return err
	}
	circular, err := store.CircularHoldings(ctx, tx, held)
	if err != nil || len(circular) == 0 {
		return err
	}
	return invalid(rules.KindOrganization, fault.Violations{
		fault.Violate("holding_org_uuid", reason.HoldingCircle),
	})
}

// refuseMovesInUse refuses to move spaces to another venue while events use them.
func refuseMovesInUse(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Space]) error {
	for _, d := range diffs {
		if d.created || d.before.VenueUUID == d.after.VenueUUID {
			continue
		}
		uses, err := store.Spaces.Uses(ctx, tx, d.key)
		if err != nil {
			return err
		}
		if uses.Events > 0 {
			return fault.New(fault.Conflict, "space_in_use", "the space cannot move to another venue: %s", describe(uses))
		}
	}
	return nil
}

// describe names the uses of an entity in an error message.
func describe(uses store.Uses) string {
	var parts []string
	for _, use := range []struct {
		count int
		one   string
	}{{uses.Organizations, "organization"}, {uses.Venues, "venue"}, {uses.Events, "event"}, {uses.Portals, "portal"}, {uses.Lists, "list"}, {uses.Series, "series"}} {
		switch {
		case use.count == 1:
			parts = append(parts, "1 "+use.one)
		case use.count > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", use.count, strings.TrimSuffix(use.one, "s")))
		}
	}
	return "it is used by " + strings.Join(parts, ", ")
}
