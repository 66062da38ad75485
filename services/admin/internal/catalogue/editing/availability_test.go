package editing

import (
	"context"
	"fmt"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

const selectWaitsForLock = `
SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`

// TestReleaseDuringASaleIsPublished: while a box office states that a draft's date is sold out, the
// draft is released and published. The statement of the box office must be published, too.
func TestReleaseDuringASaleIsPublished(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	event := h.event()
	event.ReleaseStatus = rules.StatusDraft
	h.mustSave(event)
	h.clearOutbox()
	released := make(chan error, 1)
	release := func() {
		_, err := h.editor.Release(ctx, Target{Key: event.UUID}, func(e *rules.Event) error {
			e.ReleaseStatus = rules.StatusReleased
			return nil
		})
		released <- err
	}
	waited := false
	_, err := h.editor.SetAvailability(ctx, Target{Key: event.Dates[0].UUID}, func(a *adminapi.DateAvailability) error {
		go release()
		for a.Availability = rules.SoldOut; !waited; {
			select {
			case err := <-released: // and published by the relay
				h.clearOutbox()
				released <- err
				return nil
			default:
				waited = one[bool](h.stage, selectWaitsForLock)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-released; err != nil {
		t.Fatal(err)
	}
	const enqueued = "SELECT count(*) FROM outbox WHERE kind = $1 AND entity_id = $2"
	if got := one[int](h.stage, enqueued, change.KindEvent, event.UUID); got == 0 {
		t.Error("nothing publishes that the date is sold out")
	}
}

// TestASaleDuringAnEditIsKept: a box office sells between the moments at which an edit reads an
// event and locks it. An edit of the availability that the editor has read is then too old, and one
// of a part of it is made on what the box office has written.
func TestASaleDuringAnEditIsKept(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	edit := func(change func(*rules.Date)) (e *rules.Event, written Versioned[WrittenDates], err error) {
		e = h.event()
		h.mustSave(e)
		sold := false
		written, err = h.editor.UpdateDates(ctx, atDate(e.UUID, e.Dates[0].UUID, ""), func(d *rules.Date) error {
			if !sold {
				sold = true
				h.state(ctx, e.Dates[0].UUID, adminapi.DateAvailability{Availability: rules.SoldOut, RemainingPlaces: value.Counted(0)})
			}
			change(d)
			return nil
		})
		return e, written, err
	}
	soldOut := adminapi.DateAvailability{
		Availability: rules.SoldOut, RemainingPlaces: value.Counted(0), AvailabilityVersion: value.Counted(2),
	}
	e, written, err := edit(func(d *rules.Date) {
		d.Availability, d.RemainingPlaces, d.AvailabilityVersion = "few_left", value.Counted(5), value.Counted(1)
		d.AccessibilityInfo = "Rampe"
	})
	if stored := h.storedEvent(e.UUID).Entity.Dates[0]; err != nil || stored.DateAvailability != soldOut || stored.AccessibilityInfo != "Rampe" {
		t.Errorf("%+v is stored: %v", stored, err)
	}
	if written.Answer.DateAvailability != soldOut {
		t.Errorf("%+v is answered", written.Answer)
	}
	e, _, err = edit(func(d *rules.Date) { d.RemainingPlaces = value.Counted(5) })
	h.mustRefuse(err, fault.Invalid, "remaining_places")
	if stored := h.storedEvent(e.UUID).Entity.Dates[0]; stored.DateAvailability != soldOut {
		t.Errorf("%+v is stored", stored)
	}
}

// state states the availability of a date as a box office does.
func (h *house) state(ctx context.Context, date string, is adminapi.DateAvailability) {
	h.Helper()
	_, err := h.editor.SetAvailability(ctx, Target{Key: date}, func(a *adminapi.DateAvailability) error {
		a.Availability, a.RemainingPlaces = is.Availability, is.RemainingPlaces
		return nil
	})
	if err != nil {
		h.Error(err)
	}
}

// TestFilesDuringASale: a file that states the availability which it has exported takes back no
// sale, whichever comes first.
func TestFilesDuringASale(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := h.member(permission.All, 0)
	e := h.event()
	h.mustSave(e)
	for round := range 12 {
		given := h.storedEvent(e.UUID).Entity
		given.Title = fmt.Sprint("Fassung ", round)
		given.Dates[0].Availability, given.Dates[0].RemainingPlaces = "available", value.Counted(500+round)
		left := value.Counted(round)
		together(t, 2, func(n int) error {
			if n == 0 {
				return h.saveOne(given).Err
			}
			h.state(ctx, e.Dates[0].UUID, adminapi.DateAvailability{Availability: "few_left", RemainingPlaces: left})
			return nil
		})
		if stored := h.storedEvent(e.UUID).Entity; stored.Dates[0].RemainingPlaces != left || stored.Title != given.Title {
			t.Errorf("round %d: %s with %v", round, stored.Title, stored.Dates[0].DateAvailability)
		}
	}
}
