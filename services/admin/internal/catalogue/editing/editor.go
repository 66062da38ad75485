// Package editing is the one way to change the catalogue. An Editor makes the changes of users and
// API keys: it takes the principal from the context (package auth) and checks their permissions. An
// Operator makes the changes of operators, such as an import: without a principal, a check of
// permissions or an audit entry.
//
// Both take the same steps: an entity is validated once, rows are locked references first,
// differences are written (package store), and the entities whose public view has changed are
// enqueued in the same transaction (package outbox). The relay publishes them.
//
// An operation of the Editor is a closure that edits one entity, handed to update with its kind:
//
//	func (e *Editor) CloseVenue(
//		ctx context.Context, at Target, day value.Text,
//	) (Versioned[*rules.Venue], error) {
//		return update(ctx, e, venues, at, func(v *rules.Venue) error {
//			v.ClosedAt = day
//			return nil
//		})
//	}
package editing

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// Options are what an Editor needs.
type Options struct {
	DB      *postgres.DB
	Limiter *auth.Limiter
	Confirm func(ctx context.Context, password string) error // account.Service.ConfirmPassword
	Now     auth.Clock
	// Await makes a new organization wait for approval; nil where none is needed.
	Await func(ctx context.Context, tx pgx.Tx, org *rules.Organization) error
	// NotifyTeam notifies an event's team of what a platform administrator has done with it: taken
	// it back, for a reason, or lifted that (takedown is nil).
	NotifyTeam func(ctx context.Context, tx pgx.Tx, event *rules.Event, takedown *rules.Takedown) error
	Zone       *time.Location // in which dates are compared with now
}

// Editor changes the catalogue for the principal of the context.
type Editor struct{ Options }

// New returns an editor.
func New(options Options) *Editor { return &Editor{options} }

// Target is what an operation writes to, as a request names it.
type Target struct {
	Key      string           // of the entity
	Part     string           // uuid of a part of the entity, such as an event's date; "" for the whole
	Scope    string           // where Part is a date of a rule: to which dates of it, see recurrence.Scope
	Expected version.Expected // of the entity
}

// Versioned is what an operation answers: an entity as it is now, or a struct of the entity and
// further results, with the entity's version. Warnings are those of a write, nil where none are
// known.
type Versioned[A any] struct {
	Version  int64
	Answer   A
	Warnings []adminapi.Warning
}

// get returns an entity to the members of its organization; others get a NotFound fault.
func get[E rules.Entity](ctx context.Context, e *Editor, k owned[E], key string) (found Versioned[E], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		found, err = getIn(ctx, tx, k, key)
		return err
	})
	return found, err
}

// getIn is get within a transaction.
func getIn[E rules.Entity](ctx context.Context, tx pgx.Tx, k owned[E], key string) (Versioned[E], error) {
	stored, _, err := k.reach(ctx, tx, Target{Key: key}, 0)
	return Versioned[E]{Version: stored.Version, Answer: stored.Entity}, err
}

// record audits what was done to an entity, once for each of the organizations that it concerns.
// before is nil for a new entity, after for a deleted one.
func (e *Editor) record(
	ctx context.Context, tx pgx.Tx, kind rules.Kind, verb, key string, orgs []string, before, after any,
) error {
	for _, org := range slices.Compact(orgs) {
		err := audit.Record(ctx, tx, audit.Entry{
			At: e.Now(), Action: string(kind) + "." + verb, EntityKind: string(kind), EntityID: key, OrgUUID: org,
			Before: before, After: after,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// newUUID returns a new entity's uuid (RULES.md, Ids and names).
func newUUID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}
