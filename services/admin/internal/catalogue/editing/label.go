package editing

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/version"
	"litfass/services/admin/internal/publish/outbox"
)

// maxLabels is the maximum number of labels of the platform.
const maxLabels = 200

// LabelEvent replaces the labels of an event. It takes a platform administrator: labels are the
// operator's words about events. The faults: NotFound for a stranger; Forbidden for all others,
// and for an API key; Stale; Invalid, naming an unknown label.
func (e *Editor) LabelEvent(ctx context.Context, at Target, keys []string) (Versioned[EventView], error) {
	return e.moderate(ctx, at, func(tx pgx.Tx) (int64, error) {
		labelled, err := updateIn(ctx, tx, e, events, at, func(event *rules.Event) error {
			event.Labels = slices.Clone(keys)
			if keys == nil {
				return invalid(rules.KindEvent, fault.Violations{fault.Violate("labels", reason.Required)})
			}
			return nil
		})
		return labelled.Version, err
	})
}

// SaveLabel adds or changes a label. It takes a platform administrator. The faults: Forbidden;
// Stale; Invalid, naming every bad field.
func (e *Editor) SaveLabel(
	ctx context.Context, label *rules.Label, expected version.Expected,
) (saved Versioned[*rules.Label], created bool, err error) {
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return saved, false, err
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		it, err := newItem(label)
		if err != nil {
			return err
		}
		locks, err := lockAll(ctx, tx, []*item{it})
		if err != nil {
			return err
		}
		stored, err := store.Labels.Read(ctx, tx, []string{label.Key()})
		if err != nil {
			return err
		}
		before, exists := stored[label.Key()]
		if exists {
			err = expected.Check(string(rules.KindLabel), before.Version)
		} else {
			err = expected.CheckUnversioned(string(rules.KindLabel))
		}
		if err != nil {
			return err
		}
		_, err = trySave(ctx, tx, locks, []*item{it}, func(tx pgx.Tx, locks lockSet, items []*item) error {
			return labels.save(ctx, tx, locks, items, stored)
		})
		if err = cmp.Or(err, it.result.Err); err != nil {
			return err
		}
		saved, created = Versioned[*rules.Label]{Version: it.result.Version, Answer: label}, it.result.Outcome == Created
		if it.result.Outcome == Unchanged {
			return nil
		}
		verb, was := "update", any(before.Entity)
		if created {
			verb, was = "create", nil
		}
		return e.record(ctx, tx, rules.KindLabel, verb, label.Key(), ofPlatform, was, label)
	})
	return saved, created, err
}

// ofPlatform are the organizations in whose audit a write of the platform is.
var ofPlatform = []string{""}

// RemoveLabel deletes a label and takes it off all events, whose number it returns. It takes a
// platform administrator. The faults: Forbidden, also for a wrong password; NotFound; Stale.
func (e *Editor) RemoveLabel(ctx context.Context, at Target, password string) (taken int, err error) {
	if err := access.RequirePlatform(auth.PrincipalOf(ctx)); err != nil {
		return 0, err
	}
	if err := e.Confirm(ctx, password); err != nil {
		return 0, err
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		if err := store.LockRow(ctx, tx, rules.KindLabel, store.ForDelete, at.Key); err != nil {
			return err
		}
		stored, err := store.Labels.Read(ctx, tx, []string{at.Key})
		if err != nil {
			return err
		}
		before, exists := stored[at.Key]
		if !exists {
			return fault.New(fault.NotFound, "label_not_found", "there is no such label")
		}
		if err := at.Expected.Check(string(rules.KindLabel), before.Version); err != nil {
			return err
		}
		var public []string
		if taken, public, err = store.TakeLabelOff(ctx, tx, at.Key); err != nil {
			return err
		}
		if err := outbox.Enqueue(ctx, tx, change.KindEvent, public); err != nil {
			return err
		}
		if err := store.Labels.Delete(ctx, tx, at.Key); err != nil {
			return err
		}
		if err := enqueueLabels(ctx, tx, nil); err != nil {
			return err
		}
		return e.record(ctx, tx, rules.KindLabel, "delete", at.Key, ofPlatform, before.Entity, nil)
	})
	return taken, err
}

// refuseManyLabels refuses more labels than facets and forms show.
func refuseManyLabels(ctx context.Context, tx pgx.Tx, _ []diff[*rules.Label]) error {
	count, err := store.CountLabels(ctx, tx)
	if err != nil || count <= maxLabels {
		return err
	}
	return fault.New(fault.Conflict, "too_many_labels", "there are already %d labels, which is the maximum", maxLabels)
}
