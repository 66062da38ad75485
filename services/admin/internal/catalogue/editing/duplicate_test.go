package editing

import (
	"maps"
	"slices"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
)

const mayAdd = permission.AddEvent | permission.ChooseAsEventOrganization

func TestDuplicatesAreDrafts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	original := rulestest.Event(h.org.UUID, h.venue.UUID, h.space.UUID)
	h.mustSave(original)
	h.clearOutbox()
	ctx := h.member(mayAdd, 0)
	for _, test := range []struct {
		how   Duplication
		dates string
		rules int
	}{
		{Duplication{}, "02-29 19:30-2028-03-01 01:00, 04-01-2028-04-02", 1},
		{Duplication{ShiftDays: 366}, "03-01 19:30-2029-03-02 01:00, 04-02-2029-04-03", 1},
		{Duplication{ShiftDays: -29}, "01-31 19:30-2028-02-01 01:00, 03-03-2028-03-04", 1},
		{Duplication{LeaveOutDates: true}, "", 0},
	} {
		made, err := h.images.DuplicateEvent(ctx, at(original.UUID, 1), test.how)
		if err != nil || made.Version != 1 {
			t.Fatalf("%+v, %v", made, err)
		}
		e := h.storedEvent(made.Answer.UUID).Entity
		same(t, e, made.Answer.Event)
		if got := starts(e.Dates); got != test.dates {
			t.Errorf("%+v: %s, want %s", test.how, got, test.dates)
		}
		if len(e.DateRules) != test.rules {
			t.Errorf("%+v: %d rules", test.how, len(e.DateRules))
		}
		want := *original
		want.UUID, want.ReleaseStatus, want.ReleaseDate, want.Images = e.UUID, rules.StatusDraft, nil, []rules.Image{}
		want.Dates, want.DateRules, want.StatusNote = e.Dates, e.DateRules, ""
		want.StatusChangedAt = ""
		want.EventLinks = slices.Clone(want.EventLinks)
		for i := range want.EventLinks {
			if e.EventLinks[i].UUID == want.EventLinks[i].UUID {
				t.Errorf("%+v is that of the original", e.EventLinks[i])
			}
			want.EventLinks[i].UUID = e.EventLinks[i].UUID
		}
		want.Texts = maps.Clone(want.Texts) // the images have no files, and are left out
		for language, text := range want.Texts {
			text.StatusNote, text.Images = "", nil
			for _, date := range text.Dates {
				text.Dates = nil
				if len(e.Dates) > 0 {
					text.Dates = map[string]adminapi.DateText{e.Dates[0].UUID: {AccessibilityInfo: date.AccessibilityInfo}}
				}
			}
			want.Texts[language] = text
		}
		same(t, e, &want)
		for _, d := range e.Dates {
			if d.StatusNote != "" {
				t.Errorf("%+v has the note of another one's status", d)
			}
			if d.UUID == original.Dates[0].UUID || d.RuleUUID != "" && string(d.RuleUUID) == original.DateRules[0].UUID {
				t.Errorf("%+v has a uuid of the original", d)
			}
		}
		if test.how.ShiftDays != 0 {
			h.wantRules(e, test.rules) // a list of its dates, where the original's rule also names dates that are gone
		}
	}
	h.wantOutbox() // of drafts
	h.wantAudited(h.org.UUID, "event.create", "event.create", "event.create", "event.create")
}

func TestDuplicatesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	e := h.event()
	h.mustSave(e)
	ctx := h.member(mayAdd, 0)
	duplicate := func(where Target, how Duplication) error {
		_, err := h.images.DuplicateEvent(ctx, where, how)
		return err
	}
	h.mustRefuse(duplicate(at(e.UUID), Duplication{ShiftDays: 40_000}), fault.Invalid, "shift_days")
	h.mustRefuse(duplicate(at(e.UUID), Duplication{ShiftDays: 1, LeaveOutDates: true}), fault.Invalid, "shift_days")
	h.wantFault("an old version", duplicate(at(e.UUID, 7), Duplication{}), fault.Stale, "stale_event")
	h.wantFault("an unknown event", duplicate(at(newID()), Duplication{}), fault.NotFound, "event_not_found")
	late := h.event()
	late.Dates[0].StartDate = "2999-12-31"
	h.mustSave(late)
	h.mustRefuse(duplicate(at(late.UUID), Duplication{ShiftDays: 1}), fault.Invalid, "shift_days")
	_, err := h.images.DuplicateEvent(h.member(permission.All&^permission.AddEvent, 0), at(e.UUID), Duplication{})
	h.wantFault("without the right to add", err, fault.Forbidden, "permission_missing")
	_, err = h.images.DuplicateEvent(h.member(0, permission.All), at(e.UUID), Duplication{})
	h.wantFault("a stranger", err, fault.NotFound, "event_not_found")
	guest := h.event()
	guest.VenueUUID, guest.Dates[0].VenueUUID = "", ""
	guest.OnlineLink = "https://example.org"
	h.mustSave(guest)
	h.wantFault("an event online", duplicate(at(guest.UUID), Duplication{}), "", "")
}
