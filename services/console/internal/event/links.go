package event

import (
	"net/http"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// linkKeys are the keys of a link that people write.
var linkKeys = []string{"type", "label", "url"}

// readLink reads the fields of a link.
func readLink(d *formBody) {
	d.body["type"] = d.Text("type")
	d.text("label", adminapi.MaxName)
	d.address("url")
	if d.Text("url") == "" {
		d.errors["url"] = d.t.T("reason.required")
	}
}

// linkPart is a link of the event as a part of it that is saved as it is edited.
func (s *sheet) linkPart(link string) autosave.Part {
	names := map[string]string{}
	for _, key := range linkKeys {
		names[key] = s.Text.T("event.link." + key)
	}
	part := autosave.Part{
		ID: "link-" + link, Label: s.Text.T("event.link"), Names: names, Write: s.Admin().WriteLink(s.event.UUID, link),
		Question: s.Text.T("event.publish.became"),
		Of:       func(values version.Values) (version.Values, bool) { return linkOf(values, link) },
		Body: func(form page.Form) (map[string]any, view.Errors) {
			d := readBody(s.Request, form)
			readLink(d)
			return d.body, d.errors
		},
	}
	part.Draw = func(values version.Values, state view.State) templ.Component {
		return auto(s.Text, view.AutoForm{
			ID: part.ID, Action: s.address("link", link), Label: part.Label, Names: names, State: state, Locked: !s.edits(),
			Public: s.public(),
		}, linkFields(s, values, link+"-", state.Errors))
	}
	return part
}

// linkOf returns the values of a link of an event, and whether it is there.
func linkOf(values version.Values, uuid string) (version.Values, bool) {
	var links []adminapi.Link
	if values.Read("event_links", &links) != nil {
		return nil, false
	}
	for _, link := range links {
		if link.UUID == uuid {
			return version.ValuesOf(link), true
		}
	}
	return nil, false
}

// link draws a link with its stored values, unless it is drawn already.
func (s *sheet) link(link adminapi.Link) templ.Component {
	part := s.linkPart(link.UUID)
	if drawn, given := s.drawn[part.ID]; given {
		return drawn
	}
	values := version.ValuesOf(link)
	return part.Draw(values, view.State{Base: part.Base(values)})
}

// saveLink stores a link as it is edited.
func saveLink(r *page.Request) error {
	s, link, err := linkToEdit(r)
	if err != nil {
		return err
	}
	return autosave.Save(r, s.resource(), s.linkPart(link))
}

func linkToEdit(r *page.Request) (*sheet, string, error) {
	link, err := r.UUID("link")
	if err != nil {
		return nil, "", err
	}
	s, err := read(r)
	return s, link, err
}

// addLink adds a link.
func addLink(r *page.Request) error {
	s, err := allowed(r, permission.EditEvent)
	if err != nil {
		return err
	}
	d := readBody(r, r.Form)
	readLink(d)
	if len(d.errors) == 0 {
		err = r.Admin().AddLink(s.event.UUID, d.body)
	}
	switch {
	case err == nil && len(d.errors) == 0:
		return r.Go(s.address()+"#links", "saved")
	case fault.Is(err, fault.Invalid):
		d.errors = view.ErrorsOf(err)
	case err != nil:
		return err
	}
	s.drawn["new-link"] = newLink(s, version.ValuesOf(d.body), d.errors)
	r.Status(http.StatusUnprocessableEntity)
	return s.show()
}

// removeLink deletes a link.
func removeLink(r *page.Request) error {
	s, link, err := linkToEdit(r)
	if err != nil {
		return err
	}
	if err := r.RequireFor(s.event, permission.EditEvent); err != nil {
		return err
	}
	if err := r.Admin().DeleteLink(s.event.UUID, link); err != nil {
		return err
	}
	return r.Go(s.address()+"#links", "link_deleted")
}

// newLinkID is before the ids of the fields of the form that adds a link.
const newLinkID = "new-link-"

// addition draws the form that adds a link.
func (s *sheet) addition() templ.Component {
	if drawn, given := s.drawn["new-link"]; given {
		return drawn
	}
	return newLink(s, nil, nil)
}
