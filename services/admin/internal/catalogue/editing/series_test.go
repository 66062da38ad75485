package editing

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

// festival returns a house with a series of the neighbour, which is notified of nothing.
func festival(t *testing.T) (h *house, series string) {
	t.Helper()
	h = newHouse(t)
	h.editor.NotifySeries = func(context.Context, pgx.Tx, *rules.Series, *rules.Event, string) error { return nil }
	s := &rules.Series{UUID: newID(), OrgUUID: h.neighbour.UUID, Slug: newID(), Title: "Festival", Public: true}
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

// TestMovedEventsAskAgain: who may edit the events of two organizations, but not decide on series,
// adds none of the other organization to a series by moving an event that belongs to it.
func TestMovedEventsAskAgain(t *testing.T) {
	t.Parallel()
	h, series := festival(t)
	const edits = permission.AddEvent | permission.EditEvent | permission.ReleaseEvent | permission.ChooseAsEventOrganization
	ctx, event := h.member(edits, edits), h.event()
	event.OrgUUID, event.Series = h.neighbour.UUID, []rules.EventSeries{{SeriesUUID: series, State: adminapi.SeriesAccepted}}
	h.mustSave(event)
	moved := func(to, want string) {
		t.Helper()
		_, err := h.editor.UpdateEvent(ctx, Target{Key: event.UUID}, func(e *rules.Event) error {
			e.OrgUUID = to
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if is := h.storedEvent(event.UUID).Entity.SeriesState(series); is != want {
			t.Errorf("moved: it is %s, want %s", is, want)
		}
	}
	moved(h.org.UUID, adminapi.SeriesAsked)
	moved(h.neighbour.UUID, adminapi.SeriesAccepted)
	event.Series[0].State = adminapi.SeriesRefused
	h.mustSave(event)
	moved(h.org.UUID, adminapi.SeriesRefused)
}

// TestAFileIsOfOneImage: the file of an image is deleted with it, so that no event or series may
// have the image of another one.
func TestAFileIsOfOneImage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	owner, thief, event := rulestest.Series(s.org.UUID), rulestest.Series(s.org.UUID), s.event()
	s.mustSave(owner)
	owner.Texts, thief.Texts = nil, nil // which name the image
	thief.Image.UUID = owner.Image.UUID
	s.mustRefuse(s.saveOne(thief).Err, fault.Conflict, "image.uuid")
	event.Images = []rules.Image{rules.Image(*owner.Image)}
	s.mustRefuse(s.saveOne(event).Err, fault.Conflict, "images[0].uuid")
	event.Images[0].UUID = newID()
	s.mustSave(event)
	owner.Image.UUID = event.Images[0].UUID
	s.mustRefuse(s.saveOne(owner).Err, fault.Conflict, "image.uuid")
}
