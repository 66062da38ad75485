package dates

import (
	"errors"
	"net/http"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
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
	if err := r.Require(l.event.OrgUUID, l.needForStatus()); err != nil {
		return err
	}
	status, done := adminapi.StatusInherited, "dates.taken_back"
	if r.Form.Text(fieldStatus) == adminapi.StatusCancelled {
		status, done = adminapi.StatusCancelled, "dates.cancelled"
	}
	before, answer, err := write(r, unchanged(d.UUID, r.Form.Get("base")), func(l loaded) client.Call {
		return client.Call{
			Method: http.MethodPut, Path: datePath(l, d), Query: scopeQuery(scopeThis), Body: map[string]any{"release_status": status},
		}
	})
	if err != nil {
		return p.failed(r, before, err)
	}
	var written adminapi.WrittenDates
	if err := answer.Read(&written); err != nil {
		return err
	}
	return shown(r, l.event.UUID, outcome{
		focus: d.UUID, done: r.Text.With(done, "Date", fullText(r.Text, d)), warnings: warnedOf(written.Warnings, written.Dates),
	})
}

// failed shows the section with why a write failed.
func (p pages) failed(r *page.Request, l loaded, err error) error {
	switch {
	case errors.Is(err, errGone):
		return p.refuse(r, l, r.Text.T("dates.gone"))
	case errors.Is(err, errChanged):
		return p.refuse(r, l, r.Text.T("dates.changed.date"))
	}
	return err
}
