// Package source has the pages of an organization's sources: addresses whose events are imported
// on a schedule. They show the health of each, and the events that may be duplicates.
package source

import (
	"net/http"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/importing"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Mount adds the pages.
func Mount(r page.Router) {
	const sources = "/organization/:organization/sources"
	r.Get(sources, showList)
	r.Get(sources+"/new", showNew)
	r.Post(sources+"/new", add)
	r.Get(sources+"/:source", showOne)
	r.Post(sources+"/:source", change)
	r.Post(sources+"/:source/read", readNow)
	r.Post(sources+"/:source/duplicate", decide)
	r.Post(sources+"/:source/delete", remove)
}

// managing are the permissions of those who see and change sources.
const managing = permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent

// timeout is that of a reading, as of an import.
const timeout = 45 * time.Second

// sourceList are the sources of an organization.
type sourceList struct {
	r       *page.Request
	org     page.Organization
	sources []adminapi.Source
}

func showList(r *page.Request) error {
	org, err := r.OrganizationFor(managing)
	if err != nil {
		return err
	}
	all, err := r.Admin().Sources(org.UUID)
	if err != nil {
		return err
	}
	return r.Show(view.Page{
		Title: r.Text.T("organization.nav.sources") + " · " + org.Name, Section: org.UUID,
		Content: listed(sourceList{r, org, all.Sources}),
	})
}

// draft is the form of a source, that is new or stored.
type draft struct {
	r                        *page.Request
	org                      page.Organization
	body                     adminapi.SourceBody
	errors                   view.Errors
	stored                   bool
	report                   *adminapi.ImportReport // of a preview; nil for none
	places, languages, kinds []view.Option
}

func showNew(r *page.Request) error {
	org, err := r.OrganizationFor(managing)
	if err != nil {
		return err
	}
	body := adminapi.SourceBody{IntervalMinutes: 24 * 60, Missing: adminapi.MissingKeep}
	return showDraft(draft{r: r, org: org, body: body})
}

// add answers the form of a new source with a preview of its first reading, or stores it.
func add(r *page.Request) error {
	org, err := r.OrganizationFor(managing)
	if err != nil {
		return err
	}
	d := draft{r: r, org: org}
	d.body, d.errors = readForm(r, org, adminapi.SourceBody{})
	if len(d.errors) > 0 {
		return showDraft(d)
	}
	if r.Form.Get("action") == "save" {
		made, err := r.Admin().MakeSource(org.UUID, d.body)
		if err == nil {
			return r.Go(org.Path("sources/"+made.UUID), "source_made")
		}
		return d.refused(err)
	}
	report, err := r.Admin().PreviewSource(org.UUID, d.body, timeout)
	if err != nil {
		return d.refused(err)
	}
	d.report = &report
	return showDraft(d)
}

// refused shows the form again with the reasons of an error that it can show.
func (d draft) refused(err error) error {
	if !view.Refusable(err, fault.TooLarge) {
		return err
	}
	d.errors = explain(d.r.Text, err)
	return showDraft(d)
}

// explain returns the errors of the fields of the form, under "" one of none of them.
func explain(t *text.Texts, err error) view.Errors {
	f, errors := fault.Of(err), view.Errors{}
	for _, v := range f.Violations {
		name := map[string]string{
			"interval_minutes": "interval", "defaults.venue_uuid": "place", "defaults.space_uuid": "place",
			"defaults.languages": "language", "defaults.event_types": "type", "name": "name", "address": "address", "missing": "missing",
		}[v.Field]
		if v.Field == "content" || v.Field == "format" {
			name = "address"
		}
		if errors[name] == "" {
			errors[name] = text.Reason(t, v)
		}
	}
	if len(errors) == 0 {
		errors[""] = text.Refusal(t, f.StableCode(), f.Message)
	}
	return errors
}

func showDraft(d draft) (err error) {
	if len(d.errors) > 0 {
		d.r.Status(http.StatusUnprocessableEntity)
	}
	if err := d.readOptions(); err != nil {
		return err
	}
	return d.r.Show(view.Page{
		Title: d.r.Text.T("source.new") + " · " + d.org.Name, Section: d.org.UUID, Content: newSource(d),
	})
}

// readOptions reads the choices of the form.
func (d *draft) readOptions() (err error) {
	d.places, d.languages, d.kinds, err = importing.Options(d.r, placeOf(d.body), first(d.body.Defaults.Languages), kindOf(d.body))
	return err
}
