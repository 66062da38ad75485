package event

import (
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// moves are the statuses that an event of a status may come to have (RULES.md, Release status).
var moves = map[string][]string{
	adminapi.StatusDraft:  {adminapi.StatusReleased, adminapi.StatusReview},
	adminapi.StatusReview: {adminapi.StatusReleased, adminapi.StatusDraft},
	adminapi.StatusReleased: {
		adminapi.StatusCancelled, adminapi.StatusDeferred, adminapi.StatusRescheduled, adminapi.StatusDraft,
	},
	adminapi.StatusCancelled:   {adminapi.StatusReleased, adminapi.StatusDraft},
	adminapi.StatusDeferred:    {adminapi.StatusReleased, adminapi.StatusDraft},
	adminapi.StatusRescheduled: {adminapi.StatusReleased, adminapi.StatusDraft},
}

// moves returns the statuses that the person may give the event.
func (s *sheet) moves() []string {
	var allowed []string
	for _, to := range moves[s.event.ReleaseStatus] {
		if s.mayMove(to) {
			allowed = append(allowed, to)
		}
	}
	return allowed
}

func (s *sheet) mayMove(to string) bool {
	return s.canMove(to) && s.may().Has(s.needFor(to))
}

// canMove reports whether the event can come to have a status.
func (s *sheet) canMove(to string) bool {
	return slices.Contains(moves[s.event.ReleaseStatus], to) && (s.event.TakenBack == nil || to != adminapi.StatusReleased)
}

// moveWords returns the message about a change of the status. Visitors have not seen a review.
func (s *sheet) moveWords(about, to string) string {
	if to == adminapi.StatusDraft && s.event.ReleaseStatus == adminapi.StatusReview {
		to = "draft_of_review"
	}
	return s.Text.T("event." + about + "." + to)
}

// needFor is the permission for giving the event a status: drafts and reviews that visitors have
// not seen belong to their writers (RULES.md, Release status).
func (s *sheet) needFor(status string) permission.Set {
	if adminapi.PublicStatus(status) {
		return permission.EditEvent | permission.ReleaseEvent
	}
	return page.EditNeed(s.event)
}

// lacks returns the requirements for the release that the event does not meet.
func (s *sheet) lacks() []adminapi.ChecklistItem {
	var items []adminapi.ChecklistItem
	for _, item := range s.event.Checklist {
		if item.Required {
			items = append(items, item)
		}
	}
	return items
}

// releaseNotice is the message after a change of the status. After a release it explains the next
// step.
func releaseNotice(to string) string {
	if to == adminapi.StatusReleased {
		return "event_released"
	}
	return "saved"
}

// statusSentence says who sees the event.
func (s *sheet) statusSentence() string {
	if s.event.ReleaseStatus == adminapi.StatusReleased && !s.public() {
		return s.Text.With("event.status_planned", "When", when(s.Text, s.event.ReleaseDate.In(s.Now.Location())))
	}
	return s.Text.T("event.status_text." + s.event.ReleaseStatus)
}

// moment is how browsers write a day with a time in a field.
const moment = "2006-01-02T15:04"

var releaseDate = group{
	name: "release-date", write: "release-status", keys: []string{"release_date"},
	read: func(d *formBody) {
		d.body["release_date"] = d.TextOrNil("release_date")
		typed := d.Text("release_date")
		if typed == "" {
			return
		}
		at, err := time.ParseInLocation(moment, typed, d.zone)
		if err != nil {
			d.errors["release_date"] = d.t.T("event.not_a_moment")
			return
		}
		d.body["release_date"] = at.UTC().Format(time.RFC3339)
	},
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		field := s.field("release_date", values, state)
		field.Type, field.Content = "datetime-local", false
		if at, err := time.Parse(time.RFC3339, field.Value); err == nil {
			field.Value = at.In(s.Now.Location()).Format(moment)
		}
		return view.Input(field)
	},
}

var statusNote = group{
	name: "status-note", write: "release-status", keys: []string{"status_note"},
	read: func(d *formBody) { d.text("status_note", adminapi.MaxReason) },
	draw: func(s *sheet, values version.Values, state view.State) templ.Component {
		return s.noteField(values, state)
	},
}

// noteField is the field for why the event does not take place as planned.
func (s *sheet) noteField(values version.Values, state view.State) templ.Component {
	field := s.field("status_note", values, state)
	field.Rows, field.Max = 2, adminapi.MaxReason
	return view.TextArea(field)
}

// altered reports whether an event of a status does not take place as planned; visitors then see
// the note of the organizer.
func altered(status string) bool {
	return adminapi.PublicStatus(status) && status != adminapi.StatusReleased
}

// confirmation is the content of the page that asks before a change of the status.
type confirmation struct {
	to     string
	tag    string // of the event as it is shown
	wrong  string // why it was refused; "" for a first look
	reason string // the same in the words of the service
}

// toMove reads the event for people who may give it the status that the path names.
func toMove(r *page.Request) (*sheet, error) {
	s, err := read(r)
	if err != nil {
		return nil, err
	}
	return s, r.RequireFor(s.event, s.needFor(r.Param("status")))
}

// askRelease explains a change of the status before it is made.
func askRelease(r *page.Request) error {
	s, err := toMove(r)
	if err != nil {
		return err
	}
	if !s.canMove(r.Param("status")) {
		return fault.New(fault.NotFound, "", "the event cannot come to have this status")
	}
	return s.ask(confirmation{to: r.Param("status"), tag: s.tag})
}

func (s *sheet) ask(c confirmation) error {
	return s.Show(view.Page{
		Title: s.moveWords("to", c.to), Section: s.event.OrgUUID, Content: releasePage(s, c),
	})
}

// release gives the event another status, if it still is as it was shown.
func release(r *page.Request) error {
	to := r.Param("status")
	s, err := toMove(r)
	if err != nil {
		return err
	}
	// A note of an earlier cancellation goes with it: the next one may have another reason.
	body := map[string]any{"release_status": to, "status_note": nil}
	if altered(to) {
		body["status_note"] = r.Form.TextOrNil("status_note")
	}
	_, err = r.Admin().WriteEvent(s.event.UUID, "release-status")(r.Form.Get("tag"), body)
	if err == nil {
		return r.Go(s.address(), releaseNotice(to))
	}
	var message string
	switch fault.Of(err).Kind {
	case fault.Stale:
		message = "event.changed"
	case fault.Conflict:
		message = "error.text.conflict"
	case fault.Invalid:
		message = "event.lacks"
	default:
		return err
	}
	s, readErr := read(r) // as it is now
	if readErr != nil {
		return readErr
	}
	again := confirmation{to: to, tag: s.tag, wrong: r.Text.T(message)}
	if !fault.Is(err, fault.Stale) {
		again.reason = fault.Of(err).Message
	}
	if !r.Text.Has("event.to." + to) {
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	return s.ask(again)
}
