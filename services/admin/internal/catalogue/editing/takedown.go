package editing

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// TakeBack takes an event back: one of a public status becomes a draft, and every way of releasing
// the event is refused until LiftTakedown. Its team is notified of the reason, and reads it in the
// event and in the audit. The same reason again changes nothing; another one replaces it. The
// faults: NotFound for a stranger; Forbidden for all others except platform administrators, and for
// an API key; Stale; Invalid, naming the bad field.
func (e *Editor) TakeBack(ctx context.Context, at Target, reason string) (Versioned[EventView], error) {
	takedown := rules.Takedown{Reason: reason, At: e.Now()}
	takedown.Normalize()
	return e.moderate(ctx, at, func(tx pgx.Tx) (version int64, err error) {
		if err := takedown.Validate().Err("invalid_takedown", "the takedown is not valid"); err != nil {
			return 0, err
		}
		withdrawn, err := updateIn(ctx, tx, e, events, at, func(event *rules.Event) error {
			if rules.PublicStatus(event.ReleaseStatus) {
				event.ReleaseStatus = rules.StatusDraft
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
		before, err := store.ReadTakedown(ctx, tx, at.Key)
		if err != nil || before != nil && before.Reason == takedown.Reason {
			return withdrawn.Version, err
		}
		return e.writeTakedown(ctx, tx, "takedown", withdrawn.Answer, before, &takedown)
	})
}

// LiftTakedown allows an event that was taken back to be released again; its status stays until
// then. It changes nothing for an event that is not taken back. It returns the faults of TakeBack.
func (e *Editor) LiftTakedown(ctx context.Context, at Target) (Versioned[EventView], error) {
	return e.moderate(ctx, at, func(tx pgx.Tx) (version int64, err error) {
		if err := store.LockRow(ctx, tx, rules.KindEvent, store.ForChange, at.Key); err != nil {
			return 0, err
		}
		stored, _, err := events.load(ctx, tx, at, 0)
		if err != nil {
			return 0, err
		}
		before, err := store.ReadTakedown(ctx, tx, at.Key)
		if err != nil || before == nil {
			return stored.Version, err
		}
		return e.writeTakedown(ctx, tx, "takedown_lift", stored.Entity, before, nil)
	})
}

// moderate runs an operation of a platform administrator on an event, and returns the event
// afterwards. do returns its version.
func (e *Editor) moderate(
	ctx context.Context, at Target, do func(tx pgx.Tx) (version int64, err error),
) (moderated Versioned[EventView], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		if _, _, err := events.load(ctx, tx, Target{Key: at.Key}, 0); err != nil {
			return err
		}
		if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
			return err
		}
		version, err := do(tx)
		if err != nil {
			return err
		}
		stored, _, err := events.load(ctx, tx, Target{Key: at.Key}, 0)
		if err != nil {
			return err
		}
		moderated, err = viewOfEvent(ctx, tx, Versioned[*rules.Event]{Version: version, Answer: stored.Entity})
		return err
	})
	return moderated, err
}

// writeTakedown stores a takedown or, where after is nil, that there is none, records it and
// notifies the team.
func (e *Editor) writeTakedown(
	ctx context.Context, tx pgx.Tx, verb string, event *rules.Event, before, after *rules.Takedown,
) (version int64, err error) {
	if version, err = store.WriteTakedown(ctx, tx, event.UUID, after); err != nil {
		return 0, err
	}
	recorded := func(t *rules.Takedown) any { return map[string]any{"taken_back": t} }
	err = e.record(ctx, tx, rules.KindEvent, verb, event.UUID, []string{event.OrgUUID}, recorded(before), recorded(after))
	if err != nil {
		return 0, err
	}
	return version, e.NotifyTeam(ctx, tx, event, after)
}

// refuseTakenBack returns a Conflict fault for an event that is taken back.
func refuseTakenBack(ctx context.Context, tx pgx.Tx, event string) error {
	takedown, err := store.ReadTakedown(ctx, tx, event)
	if err == nil && takedown != nil {
		return rules.ErrTakenBack()
	}
	return err
}
