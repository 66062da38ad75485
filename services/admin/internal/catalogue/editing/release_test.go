package editing

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
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
		"draft": "review released", "review": "released draft", "released": "draft cancelled deferred rescheduled",
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
			case !rules.PublicStatus(from) && !rules.PublicStatus(to):
				h.wantFault(pair+" by an editor", weak, "", "")
				h.wantFault(pair, strong, "", "")
				continue
			case from != to && !slices.Contains(strings.Fields(allowed[from]), to):
				h.wantFault(pair, strong, fault.Conflict, "status_not_reachable")
				to = from
			default:
				h.wantFault(pair, strong, "", "")
			}
			h.wantFault(pair+" by an editor", weak, fault.Forbidden, "release_right_missing")
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
		"": {}, "draft": {}, "review": {}, "released": {weak: "release_right_missing"},
		"cancelled": {"release_right_missing", "status_not_reachable"}, "deferred": {"release_right_missing", "status_not_reachable"},
		"rescheduled": {"release_right_missing", "status_not_reachable"}, "gone": {"invalid_event", "invalid_event"},
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
		{"released", &future, false}, // at that time; package outbox does it
		{"released", &past, true},
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

// TestAPublicEventNeedsTheReleaseRight: every change of it, also one that changes nothing or is
// invalid or stale, its deletion, and its move in both organizations.
func TestAPublicEventNeedsTheReleaseRight(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	const edits, releases = permission.EditEvent | permission.ChooseVenue, permission.EditEvent | permission.ChooseVenue | permission.ReleaseEvent
	for name, edit := range map[string]func(*rules.Event){
		"its title":        func(e *rules.Event) { e.Title = "Neu" },
		"nothing":          func(*rules.Event) {},
		"a date's status":  func(e *rules.Event) { e.Dates[0].ReleaseStatus = rules.StatusCancelled },
		"its dates":        func(e *rules.Event) { e.Dates[0].StartDate = "2027-02-01" },
		"its organization": func(e *rules.Event) { e.OrgUUID = h.neighbour.UUID },
	} {
		for _, right := range []permission.Set{edits, releases} {
			ctx := h.member(right, 0)
			if name == "its organization" {
				ctx = h.member(releases, right)
			}
			_, err := h.editor.UpdateEvent(ctx, at(e.UUID), func(e *rules.Event) error { edit(e); return nil })
			if right == releases {
				h.wantFault(name, err, "", "")
			} else {
				h.wantFault(name, err, fault.Forbidden, "release_right_missing")
			}
		}
		h.mustSave(e)
	}
	writer := h.member(edits|permission.DeleteEvent, 0)
	_, err := h.editor.UpdateEvent(writer, at(e.UUID), func(e *rules.Event) error { e.Title = ""; return nil })
	h.wantFault("no title", err, fault.Forbidden, "release_right_missing")
	_, err = h.rename(writer, at(e.UUID, 77), "x")
	h.wantFault("a version to come", err, fault.Forbidden, "release_right_missing")
	h.wantFault("its deletion", h.editor.RemoveEvent(writer, at(e.UUID), "wrong"), fault.Forbidden, "release_right_missing")
	draft := h.draft()
	h.mustSave(draft)
	_, err = h.editor.UpdateEvent(writer, at(draft.UUID), func(e *rules.Event) error {
		e.ReleaseDate, e.Dates[0].ReleaseStatus = &future, rules.StatusCancelled
		return nil
	})
	h.wantFault("plans of a draft", err, "", "")
}

// TestRightsComeBeforeContent: who may not release learns nothing of other faults.
func TestRightsComeBeforeContent(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	empty := &rules.Event{UUID: newID(), OrgUUID: h.org.UUID}
	h.mustSave(empty)
	writer := h.member(writesEvents|permission.EditEvent, 0)
	release := func(e *rules.Event) error { e.ReleaseStatus = " Released"; return nil }
	for name, err := range map[string]error{
		"without anything": second(h.editor.Release(writer, at(empty.UUID), release)),
		"stale":            second(h.editor.Release(writer, at(empty.UUID, 5), release)),
		"unreachable": second(h.editor.Release(writer, at(empty.UUID), func(e *rules.Event) error {
			e.ReleaseStatus = rules.StatusCancelled
			return nil
		})),
		"malformed": second(h.editor.Release(writer, at(empty.UUID), func(e *rules.Event) error {
			e.ReleaseStatus = rules.StatusReleased
			return invalid(rules.KindEvent, fault.Violations{fault.Violate("title", reason.NotText)})
		})),
		"in a venue without a uuid": second(h.editor.UpdateEvent(writer, at(empty.UUID), func(e *rules.Event) error {
			e.ReleaseStatus, e.VenueUUID = rules.StatusReleased, "x"
			return nil
		})),
		"new": second(h.editor.CreateEvent(writer, &rules.Event{OrgUUID: h.org.UUID, ReleaseStatus: rules.StatusReleased})),
	} {
		h.wantFault(name, err, fault.Forbidden, "release_right_missing")
	}
	_, err := h.editor.CreateEvent(h.member(permission.EditEvent, 0), &rules.Event{OrgUUID: h.org.UUID, Title: strings.Repeat("x", 5000)})
	h.wantFault("a new one without the right to add", err, fault.Forbidden, "permission_missing")
	_, err = h.editor.CreateEvent(writer, &rules.Event{OrgUUID: "x", Title: strings.Repeat("x", 5000)})
	h.mustRefuse(err, fault.Invalid, "org_uuid", "title")
	both := []EventEdit{
		{at(empty.UUID), func(e *rules.Event) error { e.Tags = []string{""}; return nil }}, {at(h.publicEvent().UUID), release},
	}
	_, err = h.editor.UpdateEvents(writer, both)
	h.wantFault("one of several", err, fault.Forbidden, "release_right_missing")
}

// publicEvent stores a released event.
func (h *house) publicEvent() *rules.Event {
	h.Helper()
	e := h.event()
	h.mustSave(e)
	return e
}

func second[A any](_ A, err error) error { return err }

// TestAPublicEventGetsNoLaterReleaseDate: it would vanish until then. One that waits for its
// release date may get another.
func TestAPublicEventGetsNoLaterReleaseDate(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e, ctx := h.publicEvent(), h.member(permission.All, 0)
	set := func(status string, after time.Duration) error {
		return second(h.editor.Release(ctx, at(e.UUID), func(e *rules.Event) error {
			e.ReleaseStatus, e.ReleaseDate = status, pointer(h.clock.Now().Add(after))
			return nil
		}))
	}
	err := set(rules.StatusReleased, time.Hour)
	h.wantFault("later", err, fault.Conflict, "already_public")
	h.mustRefuse(err, fault.Conflict, "release_date")
	h.wantFault("cancelled, later", set(rules.StatusCancelled, time.Hour), fault.Conflict, "already_public")
	h.wantFault("earlier", set(rules.StatusReleased, -time.Hour), "", "")
	h.wantFault("withdrawn", set(rules.StatusDraft, time.Hour), "", "")
	h.wantFault("released later", set(rules.StatusReleased, time.Hour), "", "")
	h.wantFault("released even later", set(rules.StatusReleased, 2*time.Hour), "", "")
	h.clock.Move(3 * time.Hour)
	h.wantFault("once it is public", set(rules.StatusReleased, time.Hour), fault.Conflict, "already_public")
}
