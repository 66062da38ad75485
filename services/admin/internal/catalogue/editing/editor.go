// Package editing is the one way to change the catalogue. An Editor makes the edits of users and
// API keys: it takes the principal from the context (package auth) and checks their permissions. An
// Operator makes the edits of operators, such as an import, without a principal, a check of
// permissions or an audit entry.
//
// An edit is a function that changes one entity in place. An operation of the Editor passes it to
// update with the kind of the entity:
//
//	func (e *Editor) CloseVenue(
//		ctx context.Context, at Target, day value.Text,
//	) (Versioned[*rules.Venue], error) {
//		return update(ctx, e, venues, at, func(v *rules.Venue) error {
//			v.ClosedAt = day
//			return nil
//		})
//	}
//
// From there it takes these steps, all in one transaction:
//
//	propose  loads the entity with the right to edit it, edits a copy and validates that
//	lockAll  locks the entity and its references, references first
//	confirm  makes the edit again if the entity has changed since, and checks the rights to it, here
//	         and where it claims more
//	write    saves, warns and audits
//	save     writes the difference (package store) and enqueues the entities whose public views
//	         have changed (package outbox)
//
// A new entity goes from create to lockAll, write and save; the batch of an Operator from lockAll
// to save.
package editing

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/video"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// Options are the dependencies of an Editor.
type Options struct {
	DB      *postgres.DB
	Limiter *auth.Limiter
	Confirm func(ctx context.Context, password string) error // account.Service.ConfirmPassword
	Now     auth.Clock
	// Await makes a new organization wait for approval; nil where none is needed.
	Await func(ctx context.Context, tx pgx.Tx, org *rules.Organization) error
	// NotifyTeam notifies an event's team that a platform administrator has taken it back, or has
	// lifted that (takedown is nil).
	NotifyTeam func(ctx context.Context, tx pgx.Tx, event *rules.Event, takedown *rules.Takedown) error
	// NotifySeries notifies the organization of a series that an event asks to belong to it, or that
	// of the event that it was accepted or refused.
	NotifySeries func(ctx context.Context, tx pgx.Tx, series *rules.Series, event *rules.Event, state string) error
	// NotifyRemoved notifies an organization that a person was taken out of its events.
	NotifyRemoved func(ctx context.Context, tx pgx.Tx, org string, events []store.Naming) error
	Zone          *time.Location // for comparing dates with now
	// PortalSlugs are the slugs that have host names: only operators give them to portals.
	PortalSlugs []string
	VideoHosts  video.Hosts // at which the videos of events may be
}

// Editor changes the catalogue for the principal of the context.
type Editor struct{ Options }

// New returns an editor.
func New(options Options) *Editor { return &Editor{options} }

// Target names the entity, or the part of one, that an operation writes to.
type Target struct {
	Key      string           // of the entity
	Part     string           // uuid of a part of the entity, such as an event's date; "" for the whole
	Scope    string           // if Part is a date of a rule: the dates of it that are meant, see recurrence.Scope
	Expected version.Expected // of the entity
}

// Versioned is the answer of an operation, with the version of the entity: the stored entity, or a
// struct of it and further results. Warnings are nil for kinds without warnings.
type Versioned[A any] struct {
	Version  int64
	Answer   A
	Warnings []adminapi.Warning
}

// get returns an entity to the members of its organization; others get a NotFound fault.
func get[E rules.Entity](ctx context.Context, e *Editor, k ownedKind[E], key string) (found Versioned[E], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		found, err = getIn(ctx, tx, k, key)
		return err
	})
	return found, err
}

// getIn is get within a transaction.
func getIn[E rules.Entity](ctx context.Context, tx pgx.Tx, k ownedKind[E], key string) (Versioned[E], error) {
	stored, _, err := k.load(ctx, tx, Target{Key: key}, 0)
	return Versioned[E]{Version: stored.Version, Answer: stored.Entity}, err
}

// record audits a write of an entity, once for each organization that it concerns. before is nil
// for a new entity, after for a deleted one.
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
