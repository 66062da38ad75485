package dates

import (
	"errors"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// addForm is the form that adds dates.
type addForm struct {
	parent
	formState
	values  values
	planned plannedDates
	choices
}

// formState is common to all forms of the section.
type formState struct {
	script  bool // the form is part of the section, and answered there
	base    string
	errors  view.Errors
	problem string // why it was not stored
	focus   string // "problems", "preview" or "" for the heading
}

// allDates is the digest of all dates of an event: dates are not added twice by a form that is sent
// twice.
func (l parent) allDates() string {
	return version.ValuesOf(map[string]any{"dates": l.event.Dates}).DigestOf("dates")
}

// askNew shows the form that adds dates.
func (p pages) askNew(r *page.Request) error {
	l, err := loadToEdit(r)
	if err != nil {
		return err
	}
	v := newValues()
	if day := r.Query.Get("day"); isDay(day) {
		v.startDate = day
	}
	return p.showAdd(r, addForm{parent: l, values: v, formState: formState{base: l.allDates()}})
}

// showAdd shows the form with its choices.
func (p pages) showAdd(r *page.Request, f addForm) (err error) {
	if f.choices, err = readChoices(r, f.event, f.values.place); err != nil {
		return err
	}
	f.script = r.Script
	return form(r, f.parent, r.Text.T("dates.add"), addDates(r.Text, f), len(f.errors) > 0 || f.problem != "")
}

// preview shows the dates of the form; a script gets only them.
func (p pages) preview(r *page.Request) error {
	l, err := loadToEdit(r)
	if err != nil {
		return err
	}
	f := addForm{parent: l, values: readValues(r.Text, r.Form), formState: formState{base: r.Form.Get("base")}}
	f.begin(r)
	f.planned, f.errors, err = previewOf(r, l, f.values)
	if err != nil {
		return err
	}
	f.script = r.Script
	if r.Script && r.Form.Get("begin") == "" {
		return r.ShowPart(previewPart(r.Text, f), previewSentence(r.Text, f, true))
	}
	if len(f.errors) == 0 {
		f.focus = "preview"
	}
	return p.showAdd(r, f)
}

// begin takes the first day that was offered for the rule.
func (f *addForm) begin(r *page.Request) {
	if day := r.Form.Get("begin"); isDay(day) {
		f.values.startDate = day
	}
}

// add adds the dates.
func (p pages) add(r *page.Request) error {
	l, err := loadToEdit(r)
	if err != nil {
		return err
	}
	f := addForm{parent: l, values: readValues(r.Text, r.Form), formState: formState{base: r.Form.Get("base")}}
	if f.planned, f.errors, err = previewOf(r, l, f.values); err != nil {
		return p.addFailed(r, f, err)
	}
	if len(f.errors) > 0 {
		return p.showAdd(r, f)
	}
	same := func(l parent) error {
		if l.allDates() != f.base {
			return version.ErrChanged
		}
		return nil
	}
	var added adminapi.WrittenDates
	err = f.write(r, same, func(admin client.Admin) (err error) {
		added, err = admin.AddDates(f.event.UUID, f.tag, f.planned.body)
		return err
	})
	if err != nil {
		return p.addFailed(r, f, err)
	}
	return shown(r, l.event.UUID, outcome{
		focus: added.DateUUID, sent: addFormID, done: r.Text.Count("dates.added", len(added.Dates)),
		warnings: warnedOf(added.Warnings, added.Dates),
	})
}

// gone answers a change of a date that another person has deleted: the input is moved to the form
// that adds dates.
func (p pages) gone(r *page.Request, v values) error {
	l, err := load(r)
	if err != nil {
		return err
	}
	v.repeat, v.status = newValues().repeat, ""
	f := addForm{parent: l, values: v, formState: formState{base: l.allDates(), problem: r.Text.T("dates.gone.typed")}}
	if !r.Script {
		return p.showAdd(r, f)
	}
	f.script = true
	if f.choices, err = readChoices(r, l.event, v.place); err != nil {
		return err
	}
	return p.refuseWith(r, l, outcome{open: addDates(r.Text, f)})
}

// addFailed shows the form again with why the dates were not added.
func (p pages) addFailed(r *page.Request, f addForm, err error) error {
	if errors.Is(err, version.ErrChanged) {
		f.base, f.problem = f.allDates(), r.Text.T("dates.changed.list")
		return p.showAdd(r, f)
	}
	refused, message, shown := refusal(err)
	if !shown {
		return err
	}
	f.errors, f.problem = refused, message
	return p.showAdd(r, f)
}
