package user

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/audit"
)

// record records what users did to their own account.
func (s *Service) record(ctx context.Context, tx pgx.Tx, action string, userID int, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID), ActorID: userID,
		Before: before, After: after,
	})
}

// recordByOther records what was done to an account by another: by the principal of the context, a
// platform administrator, or, without one, by the operator, since the command line has no user, or
// by a visitor who entered its address.
func recordByOther(
	ctx context.Context, tx pgx.Tx, at time.Time, action string, userID int, before, after any,
) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: at, Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID),
		Before: before, After: after,
	})
}
