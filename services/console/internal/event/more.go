package event

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// action is a link of the menu in the head of the page.
type action struct{ address, words string }

// further returns the actions of the menu that the person may take.
func (s *sheet) further() (all []action) {
	if s.may().Has(mayAdd) {
		all = append(all, action{s.address("duplicate"), s.Text.T("event.duplicate")})
	}
	if s.edits() {
		all = append(all, action{s.address("contributors"), s.Text.T("contributor.of_event")})
	}
	if s.writes() {
		all = append(all, action{s.address("history"), s.Text.T("event.history")})
		all = append(all, action{s.address("translations"), s.Text.T("translations")})
		all = append(all, action{s.address("series"), s.Text.T("series.of_event")})
	}
	if s.may().Has(permission.EditOrganization) {
		all = append(all, action{s.address("lists"), s.Text.T("curated.add_event")})
	}
	if s.mayMove(adminapi.StatusCancelled) {
		all = append(all, action{s.address("release", adminapi.StatusCancelled), s.moveWords("to", adminapi.StatusCancelled)})
	}
	if s.may().Has(permission.DeleteEvent) {
		all = append(all, action{s.address("delete"), s.Text.T("event.delete")})
	}
	return all
}

// askDuplicate asks for the dates of a duplicate.
func askDuplicate(r *page.Request) error {
	s, err := allowed(r, mayAdd)
	if err != nil {
		return err
	}
	return s.showQuestion("event.duplicate", nil)
}

// showQuestion answers with one of the pages that ask, and with the errors of its form.
func (s *sheet) showQuestion(title string, errors view.Errors) error {
	content := deletePage(s, errors)
	if title == "event.duplicate" {
		content = duplicatePage(s, errors)
	}
	return s.Show(view.Page{Title: s.Text.T(title), Section: s.event.OrgUUID, Content: content})
}

// maxShifted is by how many days dates can be moved: a hundred years.
const maxShifted = 36_525

const week = 7

// duplicate adds a draft like the event and leads to it.
func duplicate(r *page.Request) error {
	s, err := allowed(r, mayAdd)
	if err != nil {
		return err
	}
	d := readBody(r, r.Form)
	how := adminapi.Duplication{LeaveOutDates: r.Form.Get("dates") == "none"}
	if r.Form.Get("dates") == "shift" {
		d.number("count", -maxShifted, maxShifted)
		how.ShiftDays, _ = d.body["count"].(int)
		if r.Form.Get("unit") != "days" {
			how.ShiftDays *= week
		}
	}
	var made adminapi.WrittenEvent
	if len(d.errors) == 0 {
		made, err = r.Admin().DuplicateEvent(s.event.UUID, how)
	}
	switch {
	case err == nil && len(d.errors) == 0:
		return r.Go(page.Root+"/event/"+made.UUID, "event_duplicated")
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.Conflict):
		d.errors["count"] = fault.Of(err).Message
	case err != nil:
		return err
	}
	r.Status(http.StatusUnprocessableEntity)
	return s.showQuestion("event.duplicate", d.errors)
}

// askDelete asks before the event is deleted.
func askDelete(r *page.Request) error {
	s, err := allowed(r, permission.DeleteEvent)
	if err != nil {
		return err
	}
	return s.showQuestion("event.delete", nil)
}

// remove deletes the event. It needs the person's password.
func remove(r *page.Request) error {
	s, err := allowed(r, permission.DeleteEvent)
	if err != nil {
		return err
	}
	errors, err := r.DeleteConfirmed(r.Admin().DeleteEvent(s.event.UUID))
	if err != nil {
		return err
	}
	if len(errors) > 0 {
		r.Status(http.StatusUnprocessableEntity)
		return s.showQuestion("event.delete", errors)
	}
	return r.Go(s.organization(), "event_deleted")
}

// duplicateOptions are the choices for the dates; the first one is chosen unless the form says
// otherwise.
func (s *sheet) duplicateOptions() []view.Option {
	chosen := s.Form.Get("dates")
	if chosen == "" {
		chosen = "shift"
	}
	options := make([]view.Option, 0, len(datesOfDuplicates))
	for _, what := range datesOfDuplicates {
		options = append(options, view.Option{Value: what, Label: s.Text.T("event.duplicate_dates." + what), Chosen: what == chosen})
	}
	return options
}

var datesOfDuplicates = []string{"shift", "same", "none"}

// shift returns by how much the dates are moved: as it was typed, else by one.
func (s *sheet) shift() string {
	if typed := s.Form.Text("count"); typed != "" {
		return typed
	}
	return "1"
}
