// Package entity edits organizations, venues and spaces: their fields by kind, in groups that are
// saved as one.
package entity

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// Entity is an organization, a venue or a space as its page edits it.
type Entity struct {
	*page.Request
	Kind   string         // begins the ids of its messages: "organization", "venue" or "space"
	Org    string         // uuid of the organization that it belongs to
	Need   permission.Set // permissions there that a change takes
	Page   string         // path of its page, and of the forms of its groups
	Read   client.Read
	Write  client.Write
	Values version.Values
	Tag    string // ETag of Values; "" has Save read them again
	Locked bool   // the person may not change it
	Sets   lookup.Sets
	Groups []Group
	// Public reports whether visitors see it.
	Public func() bool

	shown map[string]templ.Component // forms to show as they were sent, by their ids
}

// Group is the fields that are saved as one: few requests change much (RULES.md, Limits).
type Group struct {
	ID     string // in the address of its form; its heading is the message "<kind>.part.<id>"
	Fields []Field
	// Draw draws the fields with values; nil draws one after the other.
	Draw func(Entity, version.Values, view.Errors) templ.Component
}

// Load reads the current version.
func (e *Entity) Load() error {
	answer, err := e.Read()
	if err != nil {
		return err
	}
	e.Tag = answer.Tag
	return answer.Read(&e.Values)
}

// Save stores the group that the path names. show shows the page after a form that was not right,
// to people without scripts.
func (e Entity) Save(show func(Entity) error) error {
	i := slices.IndexFunc(e.Groups, func(g Group) bool { return g.ID == e.Param("part") })
	if i < 0 {
		return fault.New(fault.NotFound, "", "there is no such page")
	}
	group := e.Groups[i]
	resource := autosave.Resource{
		Org: e.Org, Need: e.Need, Read: e.Read, Page: e.Page, Public: func(version.Values) bool { return e.Public() },
		Whole: func(_ *page.Request, id string, form templ.Component) error {
			e.shown = map[string]templ.Component{id: form}
			return show(e)
		},
		Elsewhere: func(_ *page.Request, stored version.Values) []templ.Component { return e.dependents(group, stored) },
	}
	if e.Tag != "" {
		resource.Stored, resource.Tag = e.Values, e.Tag
	}
	return autosave.Save(e.Request, resource, e.part(group))
}

// dependents are the fields of a group whose options depend on other fields, for a script to
// replace.
func (e Entity) dependents(g Group, stored version.Values) (fields []templ.Component) {
	for _, f := range g.Fields {
		if f.Fits != nil {
			fields = append(fields, named(f, e.draw(f, stored, nil), true))
		}
	}
	return fields
}

// part returns a group as it is saved. The prefix of its id keeps the form apart from a field of
// the same name.
func (e Entity) part(g Group) autosave.Part {
	part := autosave.Part{
		ID: "part-" + g.ID, Label: e.heading(g), Write: e.Write, Names: map[string]string{}, Dependent: geo.DependentKeys,
		Redraw: func(page.Form) bool {
			return slices.ContainsFunc(g.Fields, func(f Field) bool { return f.Kind == Facts })
		},
		Body:  func(form page.Form) (map[string]any, view.Errors) { return g.Body(e.Request, form) },
		Print: func(key string, stored json.RawMessage) string { return e.print(g, key, stored) },
	}
	for _, f := range g.Fields {
		part.Names[f.Key] = e.label(f.Key)
	}
	part.Draw = func(values version.Values, state view.State) templ.Component {
		form := view.AutoForm{
			ID: part.ID, Action: e.Page + "/" + g.ID, Label: part.Label, Names: part.Names, State: state, Locked: e.Locked,
		}
		if g.Draw != nil {
			return groupForm(e, form, []templ.Component{g.Draw(e, values, state.Errors)})
		}
		var fields []templ.Component
		for _, f := range g.Fields {
			fields = append(fields, named(f, e.draw(f, values, state.Errors), false))
		}
		return groupForm(e, form, fields)
	}
	return part
}

// form returns the form of a group, with the stored values unless another one is to be shown.
func (e Entity) form(g Group) templ.Component {
	part := e.part(g)
	if form, given := e.shown[part.ID]; given {
		return form
	}
	return part.Draw(e.Values, view.State{Base: part.Base(e.Values)})
}

func (e Entity) heading(g Group) string { return e.Text.T(e.Kind + ".part." + g.ID) }

// label returns the label of a field.
func (e Entity) label(key string) string {
	if id := "position." + key; e.Text.Has(id) && isDegree(key) {
		return e.Text.T(id)
	}
	return e.Text.T(e.Kind + "." + key)
}

// print writes a value of a group for people.
func (e Entity) print(g Group, key string, stored json.RawMessage) string {
	values := e.Values.With(version.Values{key: stored})
	i := slices.IndexFunc(g.Fields, func(f Field) bool { return f.Key == key })
	if i < 0 {
		return values.Text(key)
	}
	switch f := g.Fields[i]; f.Kind {
	case Facts:
		return e.printFacts(values.Mask(key))
	case Hours:
		return hoursIn(values, key).Shown(e.Text)
	case Choice, Triple:
		for _, option := range e.options(f, values) {
			if option.Chosen {
				return option.Label
			}
		}
	default:
	}
	return values.Text(key)
}

func (e Entity) printFacts(mask *value.Mask) string {
	if mask == nil {
		return e.Text.T("flags.unknown")
	}
	var set []string
	for _, topic := range (facts{Flags: e.Sets.Accessibility, Mask: mask}).topics() {
		for _, flag := range topic.Flags {
			if flag.Set {
				set = append(set, flag.Name)
			}
		}
	}
	return strings.Join(set, ", ")
}
