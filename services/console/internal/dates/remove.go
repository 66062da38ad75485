package dates

import (
	"errors"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// removeForm is the question before dates are deleted.
type removeForm struct {
	parent
	formState
	date   adminapi.Date
	scopes []view.Option
}

// askDelete asks before a date is deleted.
func (p pages) askDelete(r *page.Request) error {
	l, d, err := loadDate(r, loadToEdit)
	if err != nil {
		return err
	}
	f := removeForm{
		parent: l, date: d, scopes: scopeOptions(r.Text, l, d, scopeThis),
		formState: formState{script: r.Script, base: l.digestOf(d)},
	}
	return form(r, l, r.Text.T("dates.delete"), deleteDate(r.Text, f), false)
}

// digestOf is the digest of the dates that deleting one can concern.
func (l parent) digestOf(d adminapi.Date) string {
	return version.ValuesOf(map[string]any{"dates": l.affected(d, scopeAll)}).DigestOf("dates")
}

// remove deletes a date, and with a scope further ones of its rule.
func (p pages) remove(r *page.Request) error {
	l, d, err := loadDate(r, loadToEdit)
	if errors.Is(err, errGone) {
		return p.refuse(r, l, r.Text.T("dates.gone"))
	}
	if err != nil {
		return err
	}
	same := func(l parent) error {
		stored, found := l.find(d.UUID)
		switch {
		case !found:
			return errGone
		case l.digestOf(stored) != r.Form.Get("base"):
			return version.ErrChanged
		}
		return nil
	}
	scope := readScope(r.Form)
	var deleted adminapi.DeletedDates
	err = l.write(r, same, func(admin client.Admin) (err error) {
		deleted, err = admin.DeleteDates(l.event.UUID, d.UUID, l.tag, scope)
		return err
	})
	if err != nil {
		return p.failed(r, l, err)
	}
	return shown(r, l.event.UUID, outcome{
		focus: onHeading, done: r.Text.Count("dates.deleted", len(deleted.DateUUIDs), "Date", fullText(r.Text, d)),
	})
}
