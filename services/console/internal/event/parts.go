package event

import (
	"maps"
	"strings"

	"github.com/a-h/templ"

	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// group is some fields of an event that are saved together.
type group struct {
	name     string   // of the part in addresses
	write    string   // the operation that writes it, as the last part of its path
	keys     []string // of the event, in their order on the page
	read     func(*formBody)
	draw     func(*sheet, version.Values, view.State) templ.Component // the fields
	together bool                                                     // its keys say something only together
	button   bool                                                     // as are many fields of a key: its form is saved by its button
	// redraw reports whether the fields depend on the input; nil for never.
	redraw func(page.Form) bool
	// locked reports whether the person may not change it although they may edit; nil for no.
	locked func(*sheet) bool
	// frame is the form around the fields; nil for one that is saved as it is edited.
	frame func(*text.Texts, view.AutoForm, templ.Component) templ.Component
}

// groups are all of them, by their sections.
var groups = map[string][]group{
	"what":      {titles},
	"place":     {online},
	"texts":     {summary, description},
	"price":     {price},
	"kind":      {types, tags, occasion},
	"audience":  {participation, ages, attendees, visitorInfo},
	"tickets":   {tariffs, tickets},
	"languages": {languages},
	"links":     {source, video},
	"release":   {releaseDate, statusNote},
	"move":      {organization},
}

// groupOf returns a group by its name.
func groupOf(name string) (group, bool) {
	for _, section := range groups {
		for _, g := range section {
			if g.name == name {
				return g, true
			}
		}
	}
	return group{}, false
}

// partOf returns a group as a part of the event.
func (s *sheet) partOf(g group) autosave.Part {
	names, labels := map[string]string{}, make([]string, len(g.keys))
	for i, key := range g.keys {
		labels[i] = s.Text.T("event.field." + key)
		names[key] = labels[i]
	}
	part := autosave.Part{
		ID: "edit-" + g.name, Label: strings.Join(labels, ", "), Write: s.Admin().WriteEvent(s.event.UUID, g.write), Names: names, Print: s.print,
		Redraw: g.redraw,
		Body: func(form page.Form) (map[string]any, view.Errors) {
			d := readBody(s.Request, form)
			g.read(d)
			return d.body, d.errors
		},
	}
	if g.together {
		part.Dependent = g.keys
	}
	shown := maps.Clone(names)
	shown["add_tags"] = names["tags"]
	frame := auto
	if g.frame != nil {
		frame = g.frame
	}
	part.Draw = func(values version.Values, state view.State) templ.Component {
		form := view.AutoForm{
			ID: part.ID, Action: s.address("edit", g.name), Label: part.Label, Names: shown, State: state,
			Locked: s.locked(g), Button: g.button,
		}
		if s.gathers(g) {
			return s.gather(form, g.keys, g.draw(s, values, state))
		}
		return frame(s.Text, form, g.draw(s, values, state))
	}
	return part
}

// locked reports whether the person may not change a group.
func (s *sheet) locked(g group) bool { return !s.edits() || g.locked != nil && g.locked(s) }

// group draws one with its stored values, unless it is drawn already.
func (s *sheet) group(g group) templ.Component {
	part := s.partOf(g)
	if drawn, given := s.drawn[part.ID]; given {
		return drawn
	}
	return part.Draw(s.values, view.State{Base: part.Base(s.values)})
}

// field returns the field of a key with its value.
func (s *sheet) field(key string, values version.Values, state view.State) view.Field {
	field := view.Field{
		Name: key, Label: s.Text.T("event.field." + key), Value: values.Text(key), Error: state.Errors[key], Content: true,
	}
	if hint := "event.hint." + key; s.Text.Has(hint) {
		field.Hint = s.Text.T(hint)
	}
	return field
}
