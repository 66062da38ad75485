package editing

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
)

// festival returns a house with a series of the neighbour, which is notified of nothing.
func festival(t *testing.T) (h *house, series string) {
	t.Helper()
	h = newHouse(t)
	h.editor.NotifySeries = func(context.Context, pgx.Tx, *rules.Series, *rules.Event, string) error { return nil }
	s := &rules.Series{UUID: newID(), OrgUUID: h.neighbour.UUID, Slug: newID(), Title: "Festival"}
	h.mustSave(s)
	return h, s.UUID
}

func asks(series string) func(*rules.Event) error {
	return func(e *rules.Event) error {
		e.Series = []rules.EventSeries{{SeriesUUID: series}}
		return nil
	}
}

// TestEventsAskAtOnce: more transactions than the pool has connections ask at the same time. None
// waits for a second connection, which no other would give back.
func TestEventsAskAtOnce(t *testing.T) {
	t.Parallel()
	h, series := festival(t)
	ctx := h.member(permission.All, 0)
	events := make([]*rules.Event, 2*h.db.Pool().Config().MaxConns)
	for i := range events {
		events[i] = h.event()
		h.mustSave(events[i])
	}
	together(t, len(events), func(n int) error {
		_, err := h.editor.UpdateEvent(ctx, Target{Key: events[n].UUID}, asks(series))
		return err
	})
}

// TestDecisionsOnOneEventAreFew: each of them notifies the editors of another organization.
func TestDecisionsOnOneEventAreFew(t *testing.T) {
	t.Parallel()
	h, series := festival(t)
	ctx, event := h.member(permission.All, permission.All), h.event()
	h.mustSave(event)
	if _, err := h.editor.UpdateEvent(ctx, Target{Key: event.UUID}, asks(series)); err != nil {
		t.Fatal(err)
	}
	for n := range decidingSeries.Max {
		if _, err := h.editor.DecideSeries(ctx, series, event.UUID, n%2 == 0); err != nil {
			t.Fatal(n, err)
		}
	}
	_, err := h.editor.DecideSeries(ctx, series, event.UUID, true)
	if is := h.storedEvent(event.UUID).Entity.SeriesState(series); !fault.Is(err, fault.TooMany) || is != adminapi.SeriesRefused {
		t.Errorf("another decision: %s, %v", is, err)
	}
	if _, err = h.editor.DecideSeries(ctx, series, event.UUID, false); err != nil {
		t.Errorf("the same decision again: %v", err)
	}
	h.clock.Move(decidingSeries.Window)
	if _, err = h.editor.DecideSeries(ctx, series, event.UUID, true); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}
