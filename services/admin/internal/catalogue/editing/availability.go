package editing

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/publish/outbox"
)

// auditAvailabilityEvery is how often the audit records that an account or a key changes the
// availability of a date: box offices do so for every ticket.
const auditAvailabilityEvery = time.Hour

// Availability returns whether there are places at a date, to members of the organization of its
// event. A stranger's is a NotFound fault.
func (e *Editor) Availability(ctx context.Context, date string) (found Versioned[adminapi.AvailabilityOfDate], err error) {
	err = e.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		stored, err := store.ReadAvailability(ctx, tx, date, false)
		if err == nil {
			_, err = access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), stored.EventUUID, 0)
		}
		found.Version, found.Answer = stored.Version, stored.AvailabilityOfDate
		return ofUnknownDate(err)
	})
	return found, err
}

// SetAvailability changes whether there are places at a date. It needs SetAvailability, also for a
// public event. It reads and writes nothing else of the event, whose version and time of change
// stay. The faults: NotFound, Forbidden, Stale, and Invalid naming the fields.
func (e *Editor) SetAvailability(
	ctx context.Context, at Target, edit func(*adminapi.DateAvailability) error,
) (written Versioned[adminapi.AvailabilityOfDate], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		stored, org, err := lockAvailability(ctx, tx, at.Key)
		if err != nil {
			return err
		}
		if err := at.Expected.Check("availability", stored.Version); err != nil {
			return err
		}
		is := stored.DateAvailability
		if err := edit(&is); err != nil {
			return err
		}
		rules.KeepNewerAvailability(stored.DateAvailability, &is)
		rules.FollowAvailability(stored.DateAvailability, &is)
		if err := rules.CheckAvailability(stored.DateAvailability, &is); err != nil {
			return err
		}
		written.Version, written.Answer = stored.Version, stored.AvailabilityOfDate
		if is == stored.DateAvailability {
			return nil
		}
		written.Version++
		is.AvailabilityVersion = value.Counted(int(written.Version))
		written.Answer.DateAvailability = is
		return e.storeAvailability(ctx, tx, org, stored, is)
	})
	return written, err
}

// lockAvailability returns the availability of a date, which is locked, and the organization of its
// event. An event that is not public is kept so until the transaction ends: its release would
// otherwise publish the state before, and nothing would publish this one.
func lockAvailability(ctx context.Context, tx pgx.Tx, date string) (found store.StoredAvailability, org string, err error) {
	before, err := store.ReadAvailability(ctx, tx, date, false)
	if err != nil {
		return found, "", err
	}
	org, err = access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), before.EventUUID, permission.SetAvailability)
	if err != nil {
		return found, "", ofUnknownDate(err)
	}
	if !before.Public {
		if err := store.LockRow(ctx, tx, rules.KindEvent, store.ForReference, before.EventUUID); err != nil {
			return found, "", err
		}
	}
	found, err = store.ReadAvailability(ctx, tx, date, true)
	found.Public = found.Public || before.Public
	return found, org, err
}

func (e *Editor) storeAvailability(
	ctx context.Context, tx pgx.Tx, org string, was store.StoredAvailability, is adminapi.DateAvailability,
) error {
	if err := store.WriteAvailability(ctx, tx, was.UUID, is); err != nil {
		return err
	}
	if was.Public {
		if err := outbox.Enqueue(ctx, tx, change.KindEvent, []string{was.EventUUID}); err != nil {
			return err
		}
	}
	return audit.RecordSeldom(ctx, tx, auditAvailabilityEvery, audit.Entry{
		At: e.Now(), Action: "date.availability", EntityKind: "date", EntityID: was.UUID, OrgUUID: org,
		Before: was.DateAvailability, After: is,
	})
}

// holdDates keeps box offices from changing the dates of events of which edits change the
// availability of a date.
func holdDates(ctx context.Context, tx pgx.Tx, diffs []diff[*rules.Event]) (held bool, err error) {
	var keys []string
	for _, d := range diffs {
		if d.after.StatesAvailability(d.before) {
			keys = append(keys, d.key)
		}
	}
	if len(keys) == 0 {
		return false, nil
	}
	return true, store.LockDates(ctx, tx, keys)
}

// ofUnknownDate makes the fault about the event of a stranger's date that of a date which does not
// exist.
func ofUnknownDate(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, "date_not_found", "there is no such date")
	}
	return err
}
