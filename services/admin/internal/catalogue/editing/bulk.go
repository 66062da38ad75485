package editing

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/rules"
)

// MaxBulk is how many events one request may edit.
const MaxBulk = 200

// EventEdit is the edit of one of several events.
type EventEdit struct {
	At   Target
	Edit func(*rules.Event) error
}

// UpdateEvents applies an edit to each of several events, which differ: to all of them or, when one
// is refused, to none. It needs for each what UpdateEvent needs. The fault has the kind of the
// refusals, or is Invalid when these differ, and names every refused event by its uuid:
// "<uuid>.tags[0]", or "<uuid>" alone.
func (e *Editor) UpdateEvents(ctx context.Context, edits []EventEdit) (updated []Versioned[*rules.Event], err error) {
	err = e.DB.InKeyedTx(ctx, func(tx pgx.Tx) error {
		var refused refusals
		drafts, err := draftAll(ctx, tx, edits, &refused)
		if err != nil {
			return err
		}
		if updated, err = e.applyAll(ctx, tx, edits, drafts, &refused); err != nil {
			return err
		}
		return refused.fault()
	})
	return updated, err
}

// draftAll makes the edits; the drafts of refused ones are nil. Nothing is locked yet.
func draftAll(ctx context.Context, tx pgx.Tx, edits []EventEdit, refused *refusals) ([]*draft[*rules.Event], error) {
	drafts := make([]*draft[*rules.Event], len(edits))
	for i, edit := range edits {
		d, err := events.draft(ctx, tx, edit.At, checked(edit.Edit))
		if err == nil {
			drafts[i] = &d
		} else if err := refused.add(edit.At.Key, err); err != nil {
			return nil, err
		}
	}
	return drafts, nil
}

// applyAll locks the events of the drafts together, so that two bulks never wait for each other in
// a circle, and stores them. It goes on behind a refused one: all refusals are to be named.
func (e *Editor) applyAll(
	ctx context.Context, tx pgx.Tx, edits []EventEdit, drafts []*draft[*rules.Event], refused *refusals,
) ([]Versioned[*rules.Event], error) {
	var items []*item
	for _, d := range drafts {
		if d != nil {
			items = append(items, d.items()...)
		}
	}
	held, err := lockAll(ctx, tx, items)
	if err != nil {
		return nil, err
	}
	updated := make([]Versioned[*rules.Event], len(edits))
	for i, edit := range edits {
		if drafts[i] == nil {
			continue
		}
		d, err := events.redraft(ctx, tx, held, edit.At, checked(edit.Edit), *drafts[i])
		if err == nil {
			updated[i], err = events.apply(ctx, tx, e, held, d)
		}
		if err := refused.add(edit.At.Key, err); err != nil {
			return nil, err
		}
	}
	return updated, nil
}

// refusals collects why events of a bulk are refused.
type refusals struct {
	first  *fault.Fault
	mixed  bool // whether their kinds differ
	fields fault.Violations
}

// add records what refuses an event. It returns an error that is no answer about the event.
func (r *refusals) add(event string, err error) error {
	var f *fault.Fault
	if err == nil {
		return nil
	}
	if !errors.As(err, &f) || f.Kind == fault.Internal || f.Kind == fault.Unavailable || f.Kind == fault.Unauthenticated {
		return err
	}
	if r.first == nil {
		r.first = f
	}
	r.mixed = r.mixed || r.first.Kind != f.Kind || r.first.Code != f.Code
	if len(f.Violations) == 0 {
		r.fields.Add(event, "%s", f.Message)
	}
	for _, violation := range f.Violations {
		r.fields.Add(event+"."+violation.Field, "%s", violation.Reason)
	}
	return nil
}

// fault returns nil when no event is refused.
func (r *refusals) fault() error {
	switch {
	case r.first == nil:
		return nil
	case r.mixed:
		return r.fields.Err("events_refused", "some of the events cannot be changed, so that none was")
	}
	f := *r.first
	f.Violations = r.fields
	return &f
}
