package user

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/audit"
)

// record adds an audit entry for a change by the account's own user.
func (s *Service) record(ctx context.Context, tx pgx.Tx, action string, userID int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID), ActorID: userID,
		Before: before, After: after,
	})
}

// recordByOther adds an audit entry for a change by another actor: the principal of the context, a
// platform administrator; without one, the operator, since the command line has no user, or a
// visitor who entered the address.
func recordByOther(
	ctx context.Context, tx pgx.Tx, at time.Time, action string, userID int, before, after any,
) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: at, Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID),
		Before: before, After: after,
	})
}
