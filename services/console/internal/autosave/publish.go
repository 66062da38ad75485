package autosave

import (
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// Publication is a form with several parts of a resource that visitors see. Its changes are stored
// together, so that visitors see all of them at the same time.
type Publication struct {
	Resource
	Parts []Part
	Write client.Write // of any fields of the resource
	// Notice is shown on the page once the changes are stored.
	Notice string
	// Question is asked instead of storing anything, with the fields as they were typed; "" for none.
	Question string
	// Show answers with the page, with the parts as they are drawn.
	Show func(r *page.Request, drawn map[string]templ.Component, refused Refused) error
}

// Refused is a publication that was not stored.
type Refused struct {
	Base    string // digests of the values that the form is filled with
	Problem string // with the form as a whole; "" for none
}

// Base returns the digests of the values that the form was filled with.
func (p Publication) Base(values version.Values) string {
	all := version.Seen{}
	for _, part := range p.Parts {
		maps.Copy(all, version.ParseSeen(part.Base(values)))
	}
	return all.String()
}

// publication is a request that stores the changes of all parts.
type publication struct {
	*page.Request
	Publication
	changes []partChange
	whole   version.Values // of the resource, as they are now
	tag     string
}

// partChange is the change of one part.
type partChange struct {
	Part
	change version.Change
	body   map[string]any
	errors view.Errors
}

// Publish stores the changes of all parts in one request, and leads back to the page. Where others
// have changed the same fields, or a field is invalid, nothing is stored, and the page is shown
// again: to a script with the stored values, which it replaces by its own. Conflicts are solved as
// in Save. The error is Forbidden for people who may not change the resource.
func Publish(r *page.Request, p Publication) error {
	if err := r.Require(p.Org, p.Need); err != nil {
		return err
	}
	s := &publication{Request: r, Publication: p}
	overwritten, _, _ := strings.Cut(r.Form.Get("mine"), " ")
	seen := version.ParseSeen(r.Form.Get("base"))
	maps.Copy(seen, version.ParseSeen(overwritten))
	for _, part := range p.Parts {
		body, invalid := part.Body(r.Form)
		s.changes = append(s.changes, partChange{Part: part, body: body, errors: invalid, change: version.Change{
			Keys: part.keys(), Dependent: part.Dependent, Seen: seen, Typed: version.ValuesOf(body),
		}})
	}
	s.take(p.Stored, p.Tag)
	s.takeTheirs()
	if s.invalid() || p.Question != "" {
		return s.refuse(p.Question)
	}
	return s.write()
}

// take makes a version the current one.
func (s *publication) take(whole version.Values, tag string) {
	s.whole, s.tag = whole, tag
	for i := range s.changes {
		s.changes[i].change.Stored = whole
	}
}

func (s *publication) read() error {
	answer, err := s.Read()
	if err != nil {
		return err
	}
	var whole version.Values
	if err := answer.Read(&whole); err != nil {
		return err
	}
	s.take(whole, answer.Tag)
	return nil
}

// takeTheirs replaces the fields in which the person gives way to others by the stored ones.
func (s *publication) takeTheirs() {
	theirs := s.Form.Get("theirs")
	if theirs == "" {
		return
	}
	for i := range s.changes {
		c := &s.changes[i]
		for _, key := range c.change.WithDependent(strings.Split(theirs, ",")) {
			if _, known := c.body[key]; known {
				c.body[key] = c.change.Stored.Decoded(key)
				delete(c.errors, key)
			}
		}
		c.change.Typed = version.ValuesOf(c.body)
	}
}

func (s *publication) invalid() bool {
	for _, c := range s.changes {
		if len(c.errors) > 0 {
			return true
		}
	}
	return false
}

// fields returns what is to be written; ErrChanged when others have changed some of it, too.
func (s *publication) fields() (map[string]any, error) {
	fields := map[string]any{}
	for _, c := range s.changes {
		if len(c.change.Disputed()) > 0 {
			return nil, version.ErrChanged
		}
		if len(c.change.Writes()) == 0 {
			continue
		}
		for _, key := range c.change.Mine() {
			fields[key] = c.body[key]
		}
	}
	return fields, nil
}

func (s *publication) write() error {
	notice := "saved"
	err := version.Write(s.Text, func() error {
		fields, err := s.fields()
		if err != nil || len(fields) == 0 {
			return err
		}
		notice = s.Notice
		_, err = s.Write(s.tag, fields)
		return err
	}, s.read)
	switch {
	case err == nil:
		return s.Go(s.Page, notice)
	case errors.Is(err, version.ErrChanged):
		return s.refuse("")
	}
	message, known := failureOf(err)
	if !known {
		return err
	}
	if !s.assign(view.ErrorsOf(err)) {
		return s.refuse(s.Text.T(message) + " " + fault.Of(err).Message)
	}
	return s.refuse("")
}

// assign gives errors of the service to the parts that have the fields, and reports whether there
// are some and all have found one.
func (s *publication) assign(invalid view.Errors) bool {
	found := 0
	for i := range s.changes {
		for key, reason := range invalid {
			if s.changes[i].Names[key] != "" {
				s.changes[i].errors[key] = reason
				found++
			}
		}
	}
	return found > 0 && found == len(invalid)
}

// refuse shows the page again, with the fields as they were typed.
func (s *publication) refuse(problem string) error {
	scripts := s.Form.Get("scripts") != ""
	drawn, base := map[string]templ.Component{}, version.Seen{}
	for _, c := range s.changes {
		state, values := view.State{Errors: c.errors}, s.whole
		if disputed := c.change.Disputed(); len(disputed) > 0 {
			state.Conflict, state.Mine = c.differences(disputed), c.change.Overwritten(disputed).String()
			state.Changed = s.changedBy(disputed)
		}
		if !scripts {
			values = s.whole.With(c.change.Typed)
		}
		drawn[c.ID] = c.Draw(values, state)
		maps.Copy(base, version.ParseSeen(c.change.Base(values)))
	}
	s.Status(http.StatusUnprocessableEntity)
	return s.Publication.Show(s.Request, drawn, Refused{Base: base.String(), Problem: problem})
}

// differences are both versions of some fields.
func (c partChange) differences(keys []string) []view.Difference {
	all := make([]view.Difference, len(keys))
	for i, key := range keys {
		all[i] = view.Difference{
			Key: key, Label: c.Names[key], Mine: c.words(key, c.change.Typed[key]), Theirs: c.words(key, c.change.Stored[key]),
		}
	}
	return all
}
