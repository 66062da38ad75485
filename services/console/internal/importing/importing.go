// Package importing has the pages on which organizers import events from files and calendars: the
// choice of a file, a preview, and the report.
//
// The console keeps nothing on the server. The file goes from one page to the next in a field of
// the form, compressed: that works without scripts, on every node, and for as long as the page is
// open. The field is as trustworthy as the upload was, and is read under the same limits. A file
// that is too large for it is chosen again. A file at an address is read again at each step.
package importing

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/organization/:organization/import", showChoice)
	r.Post("/organization/:organization/import", importFile)
}

// timeout is that of an import: the admin service ends its own after 15 s and reports how far it
// got, but reads the file before that, and lets imports wait for each other.
const timeout = 45 * time.Second

// organization returns the uuid of the organization that the address names, for people who may
// import at all; the permissions for each event are checked later. The error is Forbidden for its
// other members.
func organization(r *page.Request) (uuid string, err error) {
	if uuid, err = r.UUID("organization"); err != nil {
		return "", err
	}
	if r.Require(uuid, permission.EditEvent) == nil {
		return uuid, nil
	}
	return uuid, r.Require(uuid, permission.AddEvent|permission.ChooseAsEventOrganization)
}

// showChoice is the first step. Its address may fill in the fields, as the link of a report does.
func showChoice(r *page.Request) error {
	org, err := organization(r)
	if err != nil {
		return err
	}
	return choose(r, org, formOf(r.Query), nil, "")
}

// importFile answers the forms of all steps with a preview, or with the import.
func importFile(r *page.Request) error {
	org, err := organization(r)
	if err != nil {
		return err
	}
	f, errors := readForm(r)
	if len(errors) > 0 {
		return choose(r, org, f, errors, "")
	}
	asked := r.Form.Get("action") == "import"
	// Only the input of the last preview is imported.
	do := asked && f.seen == f.digest() && len(f.doubled) == 0
	report, err := send(r, org, f, !do)
	forgotten := isOfMapping(err)
	if forgotten { // the columns are others than when they were mapped
		f.Columns, do = nil, false
		report, err = send(r, org, f, true)
	}
	switch {
	case err != nil:
		return again(r, org, f, do, err)
	case do:
		return show(r, org, result(outcome{r: r, path: r.Path, form: f, report: report}))
	}
	f.adopt(report)
	next := preview{r: r, path: r.Path, form: f, report: report, changed: asked && !forgotten, forgotten: forgotten, may: r.Rights(org)}
	if len(report.Kinds) > 0 {
		next.types = types(r.Lookup().Sets())
	}
	return show(r, org, previewed(next))
}

// send asks the admin service.
func send(r *page.Request, org string, f form, dryRun bool) (adminapi.ImportReport, error) {
	return r.Admin().Import(org, f.request(dryRun), timeout)
}

// isOfMapping reports whether an import was refused because its mapping does not fit the file.
func isOfMapping(err error) bool {
	return err != nil && slices.ContainsFunc(fault.Of(err).Violations, func(v fault.Violation) bool {
		return strings.HasPrefix(v.Field, "mapping")
	})
}

// again shows the first step with why the file was refused. An import of which it is not known how
// far it got may be sent again.
func again(r *page.Request, org string, f form, did bool, err error) error {
	switch {
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.TooLarge):
		errors, reason := explain(r.Text, err)
		return choose(r, org, f, errors, reason)
	case fault.Is(err, fault.Unavailable), fault.Is(err, fault.TooMany):
		return show(r.Status(http.StatusServiceUnavailable), org, interrupted(r.Text, r.Path, f, did))
	}
	return err
}

// choose shows the first step; errors and reason explain why it was refused.
func choose(r *page.Request, org string, f form, errors view.Errors, reason string) error {
	if len(errors) > 0 || reason != "" {
		r.Status(http.StatusUnprocessableEntity)
	}
	c := choice{t: r.Text, path: r.Path, form: f, errors: errors, reason: reason, may: r.Rights(org)}
	var err error
	if c.options, err = readOptions(r, r.Lookup().Sets(), f.settings); err != nil {
		return err
	}
	return show(r, org, chosen(c))
}

// show answers with a step below the head of the organization.
func show(r *page.Request, org string, content templ.Component) error {
	head := view.Organization{UUID: org, Section: view.OrganizationImport, May: r.Rights(org)}
	for _, m := range r.Memberships() {
		if m.OrgUUID == org {
			head.Name = m.OrgName
		}
	}
	return r.Show(view.Page{Title: r.Text.T("organization.nav.import"), Section: org, Content: framed(r.Text, head, content)})
}
