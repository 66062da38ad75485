package editing

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth"
)

func (h *house) rename(ctx context.Context, target Target, title string) (Versioned[*rules.Event], error) {
	return update(ctx, h.editor, events, target, func(e *rules.Event) error {
		e.Title = title
		return nil
	})
}

func TestUpdateStoresEnqueuesAndAudits(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	h.clearOutbox()
	ctx := h.member(permission.EditEvent|permission.ReleaseEvent, 0)
	renamed, err := h.rename(ctx, at(e.UUID, 1), "  Neuer Titel ")
	if err != nil || renamed.Version != 2 || renamed.Answer.Title != "Neuer Titel" {
		t.Fatalf("%+v, %v", renamed, err)
	}
	same(t, h.storedEvent(e.UUID).Entity, renamed.Answer)
	h.wantOutbox(event(e))
	h.wantAudited(h.org.UUID, "event.update")

	again, err := h.rename(ctx, at(e.UUID), "Neuer Titel")
	if err != nil || again.Version != 2 {
		t.Fatalf("the same again: %+v, %v", again, err)
	}
	h.wantOutbox()
	h.wantAudited(h.org.UUID, "event.update")
	const changed = "SELECT before ->> 'title' || ' > ' || (after ->> 'title') || (before - 'title')::text FROM audit_entry"
	if got := one[string](h.stage, changed); got != "Konzert > Neuer Titel{}" {
		t.Errorf("audited %s", got)
	}
}

func TestUpdateNeedsTheRight(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	calls := 0
	edit := func(e *rules.Event) error { calls++; e.Title = "Fremd"; return nil }
	key := func(org string, limit permission.Set) context.Context {
		return auth.WithPrincipal(t.Context(), auth.Principal{APIKey: newID(), KeyOrg: org, KeyLimit: limit})
	}
	for what, test := range map[string]struct {
		ctx  context.Context
		kind fault.Kind
		code string
	}{
		"without a principal":          {t.Context(), fault.Unauthenticated, "token_missing"},
		"a stranger":                   {h.member(0, permission.All), fault.NotFound, "event_not_found"},
		"a member without the right":   {h.member(permission.All&^permission.EditEvent, 0), fault.Forbidden, "permission_missing"},
		"a stranger's key":             {key(h.neighbour.UUID, permission.All), fault.NotFound, "event_not_found"},
		"a key that has not the right": {key(h.org.UUID, permission.EditVenue), fault.Forbidden, "permission_missing"},
	} {
		_, err := update(test.ctx, h.editor, events, at(e.UUID), edit)
		h.wantFault(what, err, test.kind, test.code)
	}
	_, err := update(h.member(permission.All, 0), h.editor, events, at(newID()), edit)
	h.wantFault("an unknown event", err, fault.NotFound, "event_not_found")
	if calls > 0 || h.storedEvent(e.UUID).Version != 1 {
		t.Errorf("%d edits were tried without the right", calls)
	}
}

func TestUpdateOfAnotherVersionIsStale(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	ctx := h.member(permission.EditEvent|permission.DeleteEvent|permission.ReleaseEvent, 0)
	_, err := h.rename(ctx, at(e.UUID, 2), "x")
	h.wantFault("a version to come", err, fault.Stale, "stale_event")
	_, err = h.rename(ctx, at(e.UUID, 7, 1), "Zweite Fassung")
	h.wantFault("one of several", err, "", "")
	_, err = h.rename(ctx, at(e.UUID, 1), "x")
	h.wantFault("an old version", err, fault.Stale, "stale_event")
	h.wantFault("removing an old version", remove(ctx, h.editor, events, at(e.UUID, 1), password), fault.Stale, "stale_event")
}

func TestUpdateRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e, other := h.event(), h.event()
	h.mustSave(e, other)
	h.clearOutbox()
	own, unknown := errors.New("a rule of the operation"), value.Text(newID())
	steps := []struct {
		name   string
		edit   func(*rules.Event) error
		kind   fault.Kind
		fields []string
	}{
		{"values", func(e *rules.Event) error { e.Currency, e.Dates[0].StartTime = "euro", "25:00"; return nil },
			fault.Invalid, []string{"currency", "dates[0].start_time"}},
		{"what is no uuid", func(e *rules.Event) error { e.VenueUUID = "\a"; return nil }, fault.Invalid, []string{"venue_uuid"}},
		{"another uuid", func(e *rules.Event) error { e.UUID = newID(); return nil }, fault.Invalid, []string{"uuid"}},
		{"a space of another venue", func(e *rules.Event) error { e.SpaceUUID = value.Text(h.loft.UUID); return nil },
			fault.Invalid, []string{"space_uuid"}},
		{"another event's date", func(e *rules.Event) error {
			e.Dates = append([]rules.Date{{UUID: other.Dates[0].UUID, StartDate: "2020-01-01", AllDay: true}}, e.Dates...)
			return nil
		}, fault.Conflict, []string{"dates[0].uuid"}},
		{"a venue that does not exist", func(e *rules.Event) error { e.VenueUUID = unknown; return nil },
			fault.NotFound, []string{"venue_uuid"}},
	}
	ctx := h.member(permission.All, 0)
	for _, step := range steps {
		t.Log(step.name)
		_, err := update(ctx, h.editor, events, at(e.UUID), step.edit)
		h.mustRefuse(err, step.kind, step.fields...)
	}
	_, err := update(ctx, h.editor, events, at(e.UUID), func(*rules.Event) error { return own })
	if !errors.Is(err, own) {
		t.Errorf("got %v", err)
	}
	same(t, h.storedEvent(e.UUID).Entity, e)
	h.wantOutbox()
	h.wantAudited(h.org.UUID)
}

// TestMovesNeedTheRightInBoth: a move between organizations needs the right in both.
func TestMovesNeedTheRightInBoth(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	moveVenue := func(ctx context.Context) error {
		_, err := update(ctx, h.editor, venues, at(h.other.UUID), func(v *rules.Venue) error {
			v.OrgUUID = h.neighbour.UUID
			return nil
		})
		return err
	}
	moveSpace := func(ctx context.Context) error {
		_, err := update(ctx, h.editor, spaces, at(h.space.UUID), func(s *rules.Space) error {
			s.VenueUUID = h.barn.UUID
			return nil
		})
		return err
	}
	moveEvent := func(ctx context.Context) error {
		_, err := update(ctx, h.editor, events, at(e.UUID), func(e *rules.Event) error {
			e.OrgUUID = h.neighbour.UUID
			return nil
		})
		return err
	}
	for what, test := range map[string]struct {
		move func(context.Context) error
		need permission.Set
		home string // code of the fault when the new home is not found
	}{
		"venue": {moveVenue, permission.EditVenue, "organization_not_found"},
		"space": {moveSpace, permission.EditSpace, "venue_not_found"},
		"event": {moveEvent, permission.EditEvent, "organization_not_found"},
	} {
		h.wantFault(what+" to a stranger", test.move(h.member(permission.All, 0)), fault.NotFound, test.home)
		h.wantFault(what+" from a stranger", test.move(h.member(0, permission.All)), fault.NotFound, what+"_not_found")
		h.wantFault(what+" to where it may not", test.move(h.member(test.need, permission.All&^test.need)),
			fault.Forbidden, "permission_missing")
		h.wantFault(what+" from where it may not", test.move(h.member(permission.All&^test.need, test.need)),
			fault.Forbidden, "permission_missing")
		h.wantFault(what, test.move(h.member(test.need, test.need)), "", "")
	}
	for _, org := range []string{h.org.UUID, h.neighbour.UUID} { // both may read that it went
		if got := one[int](h.stage, "SELECT count(*) FROM audit_entry WHERE org_uuid = $1", org); got != 3 {
			t.Errorf("%d moves are audited", got)
		}
	}
}

// TestForeignVenuesAreChosen: an event in another organization's venue needs that organization's
// consent if the venue is closed, at the date too.
func TestForeignVenuesAreChosen(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.draft()
	h.mustSave(e)
	place := func(ctx context.Context, venue string) error {
		_, err := update(ctx, h.editor, events, at(e.UUID), func(e *rules.Event) error {
			e.Dates[0].VenueUUID = value.Text(venue)
			return nil
		})
		return err
	}
	h.wantFault("an open venue", place(h.member(permission.EditEvent, 0), h.barn.UUID), "", "")
	h.wantFault("an unknown venue", place(h.member(permission.EditEvent, 0), newID()), fault.NotFound, "venue_not_found")
	h.wantFault("back", place(h.member(permission.EditEvent, 0), ""), "", "")
	h.barn.Use = adminapi.VenueClosed
	h.mustSave(h.barn)
	h.wantFault("a stranger", place(h.member(permission.EditEvent, 0), h.barn.UUID), fault.Forbidden, "venue_closed")
	h.wantFault("a member without the right", place(h.member(permission.EditEvent, permission.All&^permission.ChooseVenue), h.barn.UUID),
		fault.Forbidden, "venue_closed")
	h.wantFault("a venue of one's own", place(h.member(permission.EditEvent, 0), h.other.UUID), "", "")
	h.wantFault("with the right", place(h.member(permission.EditEvent, permission.ChooseVenue), h.barn.UUID), "", "")
	_, err := h.rename(h.member(permission.EditEvent, 0), at(e.UUID), "Bleibt dort")
	h.wantFault("an event that stays there", err, "", "")

	_, err = create(h.member(permission.All, 0), h.editor, events, &rules.Event{
		UUID: newID(), OrgUUID: h.org.UUID, Title: "Neu", VenueUUID: value.Text(h.barn.UUID),
	})
	h.wantFault("a new event", err, fault.Forbidden, "venue_closed")
	h.exec("INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", h.neighbour.UUID)
	h.exec("UPDATE venue SET use = 'open'")
	h.wantFault("a venue that is not public", place(h.member(permission.EditEvent, 0), h.barn.UUID), "", "") // it is there
	h.wantFault("elsewhere", place(h.member(permission.EditEvent, 0), ""), "", "")
	h.wantFault("a venue that is not public", place(h.member(permission.EditEvent, 0), h.barn.UUID), fault.NotFound, "venue_not_found")
}

// TestUpdatesOfOneEntityTakeTurns: each sees the values stored by the others, and only one of
// several updates that expect the same version succeeds.
func TestUpdatesOfOneEntityTakeTurns(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.draft()
	h.mustSave(e)
	ctx := h.member(permission.EditEvent, 0)
	const writers = 12
	together(t, writers, func(n int) error {
		_, err := update(ctx, h.editor, events, at(e.UUID), func(e *rules.Event) error {
			e.Tags = append(e.Tags, fmt.Sprintf("Wort %d", n))
			return nil
		})
		return err
	})
	if stored := h.storedEvent(e.UUID); stored.Version != writers+1 || len(stored.Entity.Tags) != writers {
		t.Errorf("version %d with %d tags", stored.Version, len(stored.Entity.Tags))
	}
	var won atomic.Int32
	together(t, 8, func(n int) error {
		if _, err := h.rename(ctx, at(e.UUID, writers+1), fmt.Sprintf("Fassung %d", n)); err == nil {
			won.Add(1)
		} else if !fault.Is(err, fault.Stale) {
			return err
		}
		return nil
	})
	if version := h.storedEvent(e.UUID).Version; won.Load() != 1 || version != writers+2 {
		t.Errorf("%d writers won, version is %d", won.Load(), version)
	}
}

// TestHoldersAtOnceDoNotBlockEachOther: three organizations that come under one another lock each
// other's rows, all in one order. A transaction that was given up for another one would make its
// edit again.
func TestHoldersAtOnceDoNotBlockEachOther(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ctx := auth.WithPrincipal(t.Context(), auth.Principal{UserID: 1, PlatformAdmin: true, SessionID: "a login"})
	orgs := make([]string, 3)
	for n := range orgs {
		orgs[n] = newID()
		h.mustSave(&rules.Organization{UUID: orgs[n], Name: "Verein"})
	}
	for range 10 {
		var refused, edits atomic.Int32
		together(t, len(orgs), func(n int) error {
			_, err := h.editor.UpdateOrganization(ctx, at(orgs[n]), func(o *rules.Organization) error {
				edits.Add(1)
				o.HoldingOrgUUID = value.Text(orgs[(n+1)%len(orgs)])
				return nil
			})
			if fault.Is(err, fault.Invalid) {
				refused.Add(1)
				return nil
			}
			return err
		})
		if refused.Load() != 1 || edits.Load() != int32(len(orgs)) {
			t.Fatalf("%d refused after %d edits", refused.Load(), edits.Load())
		}
		if _, err := h.db.Pool().Exec(t.Context(), "UPDATE organization SET holding_org_uuid = NULL"); err != nil {
			t.Fatal(err)
		}
	}
}
