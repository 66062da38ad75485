package source

import (
	"net/http"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/view"
)

// shown is the page of a source.
type shown struct {
	draft
	source adminapi.ShownSource
	tag    string // of the version that the form was filled with
}

// sourceOf returns the organization and the uuid of the source that the address names.
func sourceOf(r *page.Request) (org page.Organization, id string, err error) {
	if org, err = r.OrganizationFor(managing); err != nil {
		return org, "", err
	}
	id, err = r.UUID("source")
	return org, id, err
}

func showOne(r *page.Request) error {
	org, id, err := sourceOf(r)
	if err != nil {
		return err
	}
	source, tag, err := r.Admin().Source(org.UUID, id)
	if err != nil {
		return err
	}
	return showSource(shown{draft{r: r, org: org, body: source.SourceBody, stored: true}, source, tag})
}

func showSource(s shown) error {
	if len(s.errors) > 0 {
		s.r.Status(http.StatusUnprocessableEntity)
	}
	if err := s.readOptions(); err != nil {
		return err
	}
	return s.r.Show(view.Page{Title: s.source.Name + " · " + s.org.Name, Section: s.org.UUID, Content: oneSource(s)})
}

// change saves the form of a source, unless others have saved since the page was shown, or answers
// it with a preview.
func change(r *page.Request) error {
	org, id, err := sourceOf(r)
	if err != nil {
		return err
	}
	source, _, err := r.Admin().Source(org.UUID, id)
	if err != nil {
		return err
	}
	s := shown{draft{r: r, org: org, stored: true}, source, r.Form.Get("tag")}
	s.body, s.errors = readForm(r, org, source.SourceBody)
	if len(s.errors) > 0 {
		return showSource(s)
	}
	if r.Form.Get("action") == "preview" {
		report, err := r.Admin().PreviewSource(org.UUID, s.body, timeout)
		if err != nil {
			return s.refuse(err)
		}
		s.report = &report
		return showSource(s)
	}
	switch err = r.Admin().ChangeSource(org.UUID, id, s.tag, s.body); {
	case err == nil:
		return r.Go(org.Path("sources/"+id), "saved")
	case fault.Is(err, fault.Stale):
		s.errors = view.Errors{"": r.Text.T("source.error.stale")}
		return showSource(s)
	}
	return s.refuse(err)
}

// refuse shows the page again with the reasons of an error that it can show.
func (s shown) refuse(err error) error {
	if !view.Refusable(err, fault.TooLarge) {
		return err
	}
	s.errors = explain(s.r.Text, err)
	return showSource(s)
}

// readNow has the source read, also with events that were held back because so many are missing.
func readNow(r *page.Request) error {
	org, id, err := sourceOf(r)
	if err != nil {
		return err
	}
	source, err := r.Admin().ReadSource(org.UUID, id, adminapi.SourceReading{Missing: r.Form.Get("missing") == "true"}, timeout)
	switch {
	case err == nil && source.Failure == nil:
		return r.Go(org.Path("sources/"+id), "source_read")
	case err == nil:
		return r.Go(org.Path("sources/"+id), "")
	}
	return again(r, org, id, err)
}

// again shows the page of the source as it is stored, with the reason of an error.
func again(r *page.Request, org page.Organization, id string, refused error) error {
	if !view.Refusable(refused) {
		return refused
	}
	source, tag, err := r.Admin().Source(org.UUID, id)
	if err != nil {
		return err
	}
	return shown{draft{r: r, org: org, body: source.SourceBody, stored: true}, source, tag}.refuse(refused)
}

// decide decides about a possible duplicate.
func decide(r *page.Request) error {
	org, id, err := sourceOf(r)
	if err != nil {
		return err
	}
	decision := adminapi.SourceDecision{ExternalID: r.Form.Get("external_id"), Decision: r.Form.Get("decision")}
	if err := r.Admin().DecideDuplicate(org.UUID, id, decision); err != nil {
		return again(r, org, id, err)
	}
	return r.Go(org.Path("sources/"+id), "source_decided")
}

func remove(r *page.Request) error {
	org, id, err := sourceOf(r)
	if err != nil {
		return err
	}
	if err := r.Admin().DeleteSource(org.UUID, id); err != nil {
		return err
	}
	return r.Go(org.Path("sources"), "source_deleted")
}
