package editing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/publish/outbox"
)

// draft is an event that could be released.
func (h *house) draft() *rules.Event {
	e := h.event()
	e.ReleaseStatus = rules.StatusDraft
	return e
}

// TestEveryMoveOfTheReleaseStatus tries every pair with the release right, and with only the right
// to edit.
func TestEveryMoveOfTheReleaseStatus(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	releases, edits := h.member(permission.EditEvent|permission.ReleaseEvent, 0), h.member(permission.EditEvent, 0)
	statuses := []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}
	allowed := map[string]string{
		"draft": "review released", "review": "released", "released": "draft cancelled deferred rescheduled",
		"cancelled": "draft released", "deferred": "draft released", "rescheduled": "draft released",
	}
	for _, from := range statuses {
		for _, to := range statuses {
			e := h.draft()
			e.ReleaseStatus = from
			h.mustSave(e)
			set := func(e *rules.Event) error { e.ReleaseStatus = to; return nil }
			_, weak := h.editor.Release(edits, at(e.UUID), set)
			status := h.storedEvent(e.UUID).Entity.ReleaseStatus
			_, strong := h.editor.Release(releases, at(e.UUID), set)
			pair := from + " to " + to
			switch {
			case from == to, from == "draft" && to == "review":
				h.wantFault(pair+" by an editor", weak, "", "")
				h.wantFault(pair, strong, "", "")
				continue
			case !slices.Contains(strings.Fields(allowed[from]), to):
				h.wantFault(pair+" by an editor", weak, fault.Conflict, "status_not_reachable")
				h.wantFault(pair, strong, fault.Conflict, "status_not_reachable")
				to = from
			default:
				h.wantFault(pair+" by an editor", weak, fault.Forbidden, "permission_missing")
				h.wantFault(pair, strong, "", "")
			}
			if got := h.storedEvent(e.UUID).Entity.ReleaseStatus; status != from || got != to {
				t.Errorf("%s: %s after the editor, then %s", pair, status, got)
			}
		}
	}
}

func TestNewEventsBeginInsideTheStateMachine(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for status, want := range map[string]struct{ weak, strong string }{
		"": {}, "draft": {}, "review": {}, "released": {weak: "permission_missing"},
		"cancelled": {"status_not_reachable", "status_not_reachable"}, "deferred": {"status_not_reachable", "status_not_reachable"},
		"rescheduled": {"status_not_reachable", "status_not_reachable"}, "gone": {"invalid_event", "invalid_event"},
	} {
		for right, code := range map[permission.Set]string{writesEvents: want.weak, writesEvents | permission.ReleaseEvent: want.strong} {
			e := h.event()
			e.Dates[0].UUID, e.ReleaseStatus = "", status
			_, err := h.editor.CreateEvent(h.member(right, 0), e)
			if code == "" && err != nil || code != "" && fault.Of(err).Code != code {
				t.Errorf("%q with %s: %v, want %s", status, right, err, code)
			}
		}
	}
}

func TestReleasingNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(e)
	ctx := h.member(permission.All, 0)
	release := func(e *rules.Event) error { e.ReleaseStatus = rules.StatusReleased; return nil }
	_, err := h.editor.Release(ctx, at(e.UUID), release)
	h.mustRefuse(err, fault.Invalid, "title", "dates", "venue_uuid")
	_, err = h.editor.Release(ctx, at(e.UUID), func(e *rules.Event) error { e.ReleaseStatus = ""; return nil })
	h.mustRefuse(err, fault.Invalid, "release_status")
	_, err = h.editor.UpdateEvent(ctx, at(e.UUID), func(e *rules.Event) error {
		e.Title, e.OnlineLink = "Stream", "https://example.org/live"
		e.Dates = []rules.Date{{UUID: newID(), StartDate: "2027-01-01", AllDay: true}}
		return nil
	})
	h.wantFault("complete it", err, "", "")
	_, err = h.editor.Release(ctx, at(e.UUID), release)
	h.wantFault("release it", err, "", "")
	_, err = h.editor.UpdateEvent(ctx, at(e.UUID), func(e *rules.Event) error { e.OnlineLink = ""; return nil })
	h.mustRefuse(err, fault.Invalid, "venue_uuid")
}

// public reports whether the public sees an event.
func (h *house) public(event string) bool {
	h.Helper()
	var snapshots map[string]any
	err := h.db.InTx(h.Context(), func(tx pgx.Tx) (err error) {
		snapshots, err = outbox.Snapshots(h.Context(), tx, change.KindEvent, []string{event})
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	return snapshots[event] != nil
}

func TestReleaseReachesAndLeavesThePublic(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.draft()
	h.mustSave(e)
	h.clearOutbox()
	ctx := h.member(permission.All, 0)
	for _, step := range []struct {
		status string
		date   *time.Time
		public bool
	}{
		{"review", nil, false},
		{"released", pointer(time.Now().Add(time.Hour)), false}, // at that time; package outbox does it
		{"released", pointer(time.Now().Add(-time.Hour)), true},
		{"cancelled", nil, true},
		{"released", nil, true},
		{"draft", nil, false},
	} {
		before := h.public(e.UUID)
		_, err := h.editor.Release(ctx, at(e.UUID), func(e *rules.Event) error {
			e.ReleaseStatus, e.ReleaseDate = step.status, step.date
			return nil
		})
		h.wantFault(step.status, err, "", "")
		if h.public(e.UUID) != step.public {
			t.Errorf("%s until %v: public is %v", step.status, step.date, !step.public)
		}
		if lines := h.outbox(); (before || step.public) && !slices.Contains(lines, line(change.KindEvent, e.UUID)) {
			t.Errorf("%s until %v: the outbox holds %v", step.status, step.date, lines)
		}
	}
}

func TestWhatThePublicSeesNeedsTheReleaseRight(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	for name, edit := range map[string]func(*rules.Event){
		"its release date": func(e *rules.Event) { e.ReleaseDate = pointer(time.Now().Add(time.Hour)) },
		"a date's status":  func(e *rules.Event) { e.Dates[0].ReleaseStatus = rules.StatusCancelled },
		"a new date's status": func(e *rules.Event) {
			e.Dates = append(e.Dates, rules.Date{UUID: newID(), StartDate: "2027-01-01", AllDay: true, ReleaseStatus: rules.StatusDeferred})
		},
		"its organization": func(e *rules.Event) { e.OrgUUID = h.neighbour.UUID },
	} {
		for _, right := range []permission.Set{permission.EditEvent, permission.EditEvent | permission.ReleaseEvent} {
			ctx := h.member(permission.EditEvent|permission.ReleaseEvent|permission.ChooseVenue, right|permission.ChooseVenue)
			if name != "its organization" {
				ctx = h.member(right, 0)
			}
			_, err := h.editor.UpdateEvent(ctx, at(e.UUID), func(e *rules.Event) error { edit(e); return nil })
			if right.Has(permission.ReleaseEvent) {
				h.wantFault(name, err, "", "")
			} else {
				h.wantFault(name, err, fault.Forbidden, "permission_missing")
			}
		}
		h.mustSave(e)
	}
	draft := h.draft()
	h.mustSave(draft)
	_, err := h.editor.UpdateEvent(h.member(permission.EditEvent, 0), at(draft.UUID), func(e *rules.Event) error {
		e.ReleaseDate, e.Dates[0].ReleaseStatus = pointer(time.Now()), rules.StatusCancelled
		return nil
	})
	h.wantFault("plans of a draft", err, "", "")
}
