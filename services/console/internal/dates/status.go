package dates

import (
	"errors"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
)

// setStatus cancels one date of the list, or takes that back.
func (p pages) setStatus(r *page.Request) error {
	l, d, err := loadDate(r, loadToEdit)
	if errors.Is(err, errGone) {
		return p.refuse(r, l, r.Text.T("dates.gone"))
	}
	if err != nil {
		return err
	}
	if err := r.RequireFor(l.event, permission.EditEvent); err != nil {
		return err
	}
	status, done := adminapi.StatusInherited, "dates.taken_back"
	if r.Form.Text(fieldStatus) == adminapi.StatusCancelled {
		status, done = adminapi.StatusCancelled, "dates.cancelled"
	}
	var written adminapi.WrittenDates
	err = l.write(r, unchanged(d.UUID, r.Form.Get("base")), func(admin client.Admin) (err error) {
		// This button takes no note: one of an earlier cancellation would give a wrong reason.
		fields := map[string]any{"release_status": status, "status_note": nil}
		written, err = admin.ChangeDates(l.event.UUID, d.UUID, l.tag, scopeThis, fields)
		return err
	})
	if err != nil {
		return p.failed(r, l, err)
	}
	return shown(r, l.event.UUID, outcome{
		focus: d.UUID, done: r.Text.With(done, "Date", fullText(r.Text, d)), warnings: warnedOf(written.Warnings, written.Dates),
	})
}

// failed shows the section with why a write failed.
func (p pages) failed(r *page.Request, l parent, err error) error {
	switch {
	case errors.Is(err, errGone):
		return p.refuse(r, l, r.Text.T("dates.gone"))
	case errors.Is(err, version.ErrChanged):
		return p.refuse(r, l, r.Text.T("dates.changed.date"))
	}
	return err
}
