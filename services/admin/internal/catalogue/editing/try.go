package editing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
)

// errTried rolls back a trial.
var errTried = errors.New("only tried")

// TryEvents returns for each event the fault with which CreateEvent would refuse it, or UpdateEvent
// for one that has a uuid; nil for none. It takes their steps for all events together in one
// transaction, which takes a fraction of the time, and rolls back. The events may be at venues and
// name contributors that are added before, which have their uuids.
func (e *Editor) TryEvents(
	ctx context.Context, list []*rules.Event, at []*rules.Venue, named []*rules.Contributor,
) (refused []error, err error) {
	added := make([]bool, len(list))
	for i, event := range list {
		added[i] = event.UUID == ""
	}
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		for i, event := range list {
			if added[i] {
				clearUUIDs(event)
			}
		}
		for _, venue := range at {
			added := *venue
			if err := (Writer{tx, e}).CreateVenue(ctx, &added); err != nil {
				return err
			}
		}
		for _, contributor := range named {
			added := *contributor
			if err := (Writer{tx, e}).CreateContributor(ctx, &added); err != nil {
				return err
			}
		}
		if refused, err = e.tryEvents(ctx, tx, list); err != nil {
			return err
		}
		return errTried
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return refused, err
}

// clearUUIDs makes an event new again, for begin.
func clearUUIDs(event *rules.Event) {
	event.UUID = ""
	for i := range event.Dates {
		event.Dates[i].UUID = ""
	}
}

func (e *Editor) tryEvents(ctx context.Context, tx pgx.Tx, list []*rules.Event) ([]error, error) {
	var keys []string
	for _, event := range list {
		if event.UUID != "" {
			keys = append(keys, event.UUID)
		}
	}
	stored, err := store.Events.Read(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	refused, rights := make([]error, len(list)), map[string]error{}
	var items []*item
	var places []int
	for i, event := range list {
		it, err := e.tryItem(ctx, tx, stored[event.UUID].Entity, event, rights)
		switch {
		case err == nil:
			items, places = append(items, it), append(places, i)
		case isRefusal(err):
			refused[i] = err
		default:
			return nil, err
		}
	}
	if err := tryItems(ctx, tx, items, stored); err != nil {
		return nil, err
	}
	for n, it := range items {
		if it.result.Err != nil {
			refused[places[n]] = it.result.Err
		}
	}
	return refused, nil
}

// tryItem returns the item of an event that may be written as far as rights and its own values go.
// before is nil for a new event. rights are the results for rights that other events took.
func (e *Editor) tryItem(
	ctx context.Context, tx pgx.Tx, before, event *rules.Event, rights map[string]error,
) (*item, error) {
	if before == nil && event.UUID != "" {
		return nil, fault.New(fault.NotFound, "event_not_found", "there is no such event")
	}
	event.Normalize()
	if before != nil {
		event.DropTextsOfDates(before)
	}
	taken := fmt.Sprint(before == nil, event.OrgUUID, events.claims(before, event), events.extraRight(before, event))
	if before != nil {
		taken += fmt.Sprint(before.OrgUUID, events.extraRight(before, before))
	}
	if _, known := rights[taken]; !known {
		rights[taken] = requireToTry(ctx, tx, before, event)
	}
	if err := rights[taken]; err != nil {
		return nil, err
	}
	if before == nil {
		if err := e.begin(event); err != nil {
			return nil, err
		}
	} else if err := checkRelease(e, before, event); err != nil {
		return nil, err
	}
	return newItem(event)
}

func requireToTry(ctx context.Context, tx pgx.Tx, before, after *rules.Event) error {
	org := ""
	if before != nil {
		var err error
		if org, err = requireAt(ctx, tx, events.home(before), events.editRight); err != nil {
			return err
		}
		if err := events.requireExtraRight(ctx, tx, org, before, before); err != nil {
			return err
		}
	}
	_, err := events.requireRights(ctx, tx, org, before, after)
	return err
}

// tryItems saves the items, together or else one by one, for their results.
func tryItems(ctx context.Context, tx pgx.Tx, items []*item, stored store.Found[*rules.Event]) error {
	if len(items) == 0 {
		return nil
	}
	locks, err := lockAll(ctx, tx, items)
	if err != nil {
		return err
	}
	save := func(tx pgx.Tx, locks lockSet, items []*item) error { return events.save(ctx, tx, locks, items, stored) }
	saved, err := trySave(ctx, tx, locks, items, save)
	if err != nil || saved || len(items) == 1 {
		return err
	}
	for _, it := range items {
		if _, err := trySave(ctx, tx, locks, []*item{it}, save); err != nil {
			return err
		}
	}
	return nil
}

// isRefusal reports whether an error is the fault of a write that rights or rules refuse.
func isRefusal(err error) bool {
	var f *fault.Fault
	refusals := []fault.Kind{fault.Invalid, fault.Conflict, fault.Forbidden, fault.NotFound, fault.Stale}
	return errors.As(err, &f) && slices.Contains(refusals, f.Kind)
}
