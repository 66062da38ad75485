package editing

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
)

// MaxBulk is the maximum number of events that one request may edit.
const MaxBulk = 200

// EventEdit is the edit of one of several events.
type EventEdit struct {
	At   Target
	Edit func(*rules.Event) error
}

// UpdateEvents applies an edit to each of several events, which differ: to all of them or, when one
// is refused, to none. For each event it needs the rights of UpdateEvent. The fault has the kind of
// the refusals, or when these differ is Forbidden if one of them is, else Invalid. It names every
// refused event by its uuid: "<uuid>.tags[0]", or only "<uuid>".
func (e *Editor) UpdateEvents(ctx context.Context, edits []EventEdit) (updated []Versioned[*rules.Event], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		var refused refusals
		proposals, err := e.proposeAll(ctx, tx, edits, &refused)
		if err != nil {
			return err
		}
		if updated, err = e.writeAll(ctx, tx, edits, proposals, &refused); err != nil {
			return err
		}
		return refused.fault()
	})
	return updated, err
}

// proposeAll makes the edits; the proposals of refused ones are nil. Nothing is locked yet.
func (e *Editor) proposeAll(
	ctx context.Context, tx pgx.Tx, edits []EventEdit, refused *refusals,
) ([]*proposal[*rules.Event], error) {
	proposals := make([]*proposal[*rules.Event], len(edits))
	for i, edit := range edits {
		p, err := events.propose(ctx, tx, e, edit.At, edit.Edit)
		if err == nil {
			proposals[i] = &p
		} else if err := refused.add(edit.At.Key, err); err != nil {
			return nil, err
		}
	}
	return proposals, nil
}

// writeAll locks the events of the proposals together, so that two bulks never deadlock, and stores
// them. It continues after a refused one: all refusals are to be named.
func (e *Editor) writeAll(
	ctx context.Context, tx pgx.Tx, edits []EventEdit, proposals []*proposal[*rules.Event], refused *refusals,
) ([]Versioned[*rules.Event], error) {
	var items []*item
	for _, p := range proposals {
		if p != nil {
			items = append(items, p.items()...)
		}
	}
	locks, err := lockAll(ctx, tx, items)
	if err != nil {
		return nil, err
	}
	updated := make([]Versioned[*rules.Event], len(edits))
	for i, edit := range edits {
		if proposals[i] == nil {
			continue
		}
		p, err := events.confirm(ctx, tx, e, locks, edit.At, edit.Edit, *proposals[i])
		if err == nil {
			updated[i], err = events.write(ctx, tx, e, locks, p)
		}
		if err := refused.add(edit.At.Key, err); err != nil {
			return nil, err
		}
	}
	return updated, nil
}

// refusals collects the faults of the refused events of a bulk.
type refusals struct {
	first  *fault.Fault // a Forbidden one if there is any
	mixed  bool         // whether their kinds differ
	fields fault.Violations
}

// add records the fault of an event. It returns any other error.
func (r *refusals) add(event string, err error) error {
	var f *fault.Fault
	if err == nil {
		return nil
	}
	if !errors.As(err, &f) || f.Kind == fault.Internal || f.Kind == fault.Unavailable || f.Kind == fault.Unauthenticated {
		return err
	}
	r.mixed = r.mixed || r.first != nil && (r.first.Kind != f.Kind || r.first.Code != f.Code)
	if r.first == nil || f.Kind == fault.Forbidden && r.first.Kind != fault.Forbidden {
		r.first = f
	}
	if len(f.Violations) == 0 {
		r.fields = append(r.fields, f.At(event))
	}
	for _, violation := range f.Violations {
		violation.Field = event + "." + violation.Field
		r.fields = append(r.fields, violation)
	}
	return nil
}

// fault returns nil when no event is refused.
func (r *refusals) fault() error {
	switch {
	case r.first == nil:
		return nil
	case r.mixed && r.first.Kind != fault.Forbidden:
		return r.fields.Err("events_refused", "some of the events cannot be changed, so that none was")
	}
	f := *r.first
	f.Violations = r.fields
	return &f
}
