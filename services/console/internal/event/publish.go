package event

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// publishForm is the id of the form that groups belong to whose changes are stored together.
const publishForm = "publish"

// oneForm reports whether the page has one form for all groups: visitors see the event, or without
// scripts no field can be saved when it is left.
func (s *sheet) oneForm() bool { return s.edits() && (s.public() || !s.Scripts()) }

// gathers reports whether a group is a part of that form.
func (s *sheet) gathers(g group) bool { return s.oneForm() && s.joins(g) }

// joins reports whether a group can be stored together with others.
func (s *sheet) joins(g group) bool { return g.frame == nil && !s.locked(g) }

// gathered returns the parts whose changes are stored together. A form that was filled in while the
// event was public can arrive after it was withdrawn.
func (s *sheet) gathered() []autosave.Part {
	var parts []autosave.Part
	for _, g := range allGroups() {
		if s.joins(g) {
			parts = append(parts, s.partOf(g))
		}
	}
	return parts
}

// publication is the form with all of them.
func (s *sheet) publication() autosave.Publication {
	notice := "saved"
	if s.public() {
		notice = "published"
	}
	return autosave.Publication{
		Resource: s.resource(), Parts: s.gathered(), Write: s.Admin().PatchEvent(s.event.UUID), Show: showRefused, Notice: notice,
	}
}

// publish stores the gathered changes of a public event.
func publish(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	return autosave.Publish(r, s.publication())
}

// saveAll stores the fields of all sections, without scripts. A form that was filled in while the
// event was a draft publishes nothing.
func saveAll(r *page.Request) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	p := s.publication()
	if s.public() {
		p.Question = s.Text.T("event.publish.became")
	}
	return autosave.Publish(r, p)
}

// becamePublic answers a form that was filled in while visitors did not see the event: nothing is
// stored, and the page shows what was typed as a change to publish. A script opens the page again,
// and fills it in.
func (s *sheet) becamePublic(g group) error {
	if s.Script {
		s.Header("HX-Refresh", "true")
		return s.ShowPart()
	}
	part := s.partOf(g)
	body, invalid := part.Body(s.Form)
	drawn := part.Draw(s.values.With(version.ValuesOf(body)), view.State{Errors: invalid})
	s.Status(http.StatusUnprocessableEntity)
	return showRefused(s.Request, map[string]templ.Component{part.ID: drawn}, autosave.Refused{Problem: s.Text.T("event.publish.became")})
}

// showRefused shows the page of an event whose changes were not published.
func showRefused(r *page.Request, drawn map[string]templ.Component, refused autosave.Refused) error {
	s, err := read(r)
	if err != nil {
		return err
	}
	s.drawn, s.refused = drawn, refused
	return s.show()
}

// publishBase returns the digests of the values that the form is filled with.
func (s *sheet) publishBase() string {
	if s.refused.Base != "" {
		return s.refused.Base
	}
	return s.publication().Base(s.values)
}

// gather draws a group as a part of the one form, with the values that visitors see.
func (s *sheet) gather(form view.AutoForm, keys []string, fields templ.Component) templ.Component {
	if !s.public() {
		return gathered(s.Text, form, nil, fields)
	}
	seen := make([]view.Value, len(keys))
	for i, key := range keys {
		seen[i] = view.Value{Label: form.Names[key], Text: s.print(key, s.values[key])}
	}
	return gathered(s.Text, form, slices.DeleteFunc(seen, func(v view.Value) bool { return v.Label == "" }), fields)
}

// problem returns why the changes were not published as a whole; "" for none.
func (s *sheet) problem() string { return s.refused.Problem }
