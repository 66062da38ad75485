package venue

import (
	"encoding/json"
	"strconv"

	"github.com/a-h/templ"

	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/autosave"
	"litfass/services/console/internal/client"
	"litfass/services/console/internal/geo"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// kind is how a field is edited and read.
type kind int

const (
	line kind = iota
	area
	link
	email
	day
	number
	country
	spaceType
	degree
	flags
)

// field is a field of a venue or a space.
type field struct {
	key      string
	kind     kind
	max      int // characters; 0 for no limit
	required bool
}

// group is the fields that are saved as one: few requests change much (RULES.md, Limits).
type group struct {
	id     string // in the address of its form; its heading is the message "<kind>.part.<id>"
	fields []field
}

// form returns the id of its form. The prefix keeps it apart from a field of the same name.
func (g group) form() string { return "part-" + g.id }

// entity is a venue or a space as its page shows it.
type entity struct {
	*page.Request
	kind   string // "venue" or "space"
	uuid   string
	read   client.Read
	write  client.Write
	delete client.Delete
	values version.Values
	tag    string // its ETag
	locked bool
	sets   lookup.Sets
	states map[string]view.State
	groups []group
}

func (e entity) path() string { return page.Root + "/" + e.kind + "/" + e.uuid }

// label returns the label of a field.
func (e entity) label(key string) string {
	switch key {
	case "lat", "lon":
		return e.Text.T("position." + key)
	}
	return e.Text.T(e.kind + "." + key)
}

// hint returns the hint of a field; "" for none.
func (e entity) hint(key string) string {
	if id := e.kind + "." + key + "_hint"; e.Text.Has(id) {
		return e.Text.T(id)
	}
	return ""
}

func (e entity) names(g group) map[string]string {
	names := map[string]string{}
	for _, f := range g.fields {
		names[f.key] = e.label(f.key)
	}
	return names
}

// state returns how the saving of a group went: nothing yet, unless a form was sent.
func (e entity) state(g group) view.State {
	if state, sent := e.states[g.id]; sent {
		return state
	}
	return view.State{Base: e.part(g).Base(e.values)}
}

// part returns a group as it is saved.
func (e entity) part(g group) autosave.Part {
	return autosave.Part{
		ID: g.form(), Label: e.Text.T(e.kind + ".part." + g.id), Write: e.write,
		Names: e.names(g), Dependent: geo.DependentKeys, Redraw: func(page.Form) bool { return hasFlags(g) },
		Body: func(form page.Form) (map[string]any, view.Errors) { return bodyOf(e.Text, form, g) },
		Draw: func(values version.Values, state view.State) templ.Component {
			drawn := e
			drawn.values, drawn.states = values, map[string]view.State{g.id: state}
			return groupForm(drawn, g)
		},
		Print: e.print,
	}
}

func hasFlags(g group) bool {
	for _, f := range g.fields {
		if f.kind == flags {
			return true
		}
	}
	return false
}

// print writes a value for people.
func (e entity) print(key string, stored json.RawMessage) string {
	text := version.Values{key: stored}.Text(key)
	switch key {
	case "accessibility_flags":
		return e.printFlags(stored)
	case "country":
		return e.sets.Countries.Name(text)
	case "space_type":
		return e.sets.SpaceTypes.Name(text)
	}
	return text
}

func (e entity) printFlags(stored json.RawMessage) string {
	var mask *value.Mask
	if json.Unmarshal(stored, &mask) != nil || mask == nil {
		return e.Text.T("flags.unknown")
	}
	words := ""
	for _, flag := range e.sets.Accessibility {
		if bit, err := strconv.Atoi(flag.ID); err == nil && *mask&(1<<bit) != 0 {
			if words != "" {
				words += ", "
			}
			words += flag.Name
		}
	}
	return words
}

// mask returns the flags of a field; nil for unknown.
func (e entity) mask(key string) *value.Mask {
	var mask *value.Mask
	if e.values.Read(key, &mask) != nil {
		return nil
	}
	return mask
}

// bodyOf reads a group from a form.
func bodyOf(t *text.Texts, form page.Form, g group) (map[string]any, view.Errors) {
	body, errors := map[string]any{}, view.Errors{}
	for _, f := range g.fields {
		stored, wrong := f.read(t, form)
		body[f.key] = stored
		if wrong != "" {
			errors[f.key] = wrong
		}
	}
	if _, positioned := body["lat"]; positioned {
		for key, wrong := range wrongPosition(t, form.Text("lat"), form.Text("lon")) {
			errors[key] = wrong
		}
	}
	return body, errors
}

// read reads a field from a form, and returns its error; "" for none.
func (f field) read(t *text.Texts, form page.Form) (stored any, wrong string) {
	typed := form.Text(f.key)
	switch {
	case f.kind == flags:
		return maskOf(form.Values, f.key), ""
	case typed == "" && f.required:
		return "", t.T("venue.name_missing")
	case typed == "":
		return nil, ""
	}
	switch f.kind {
	case link:
		address, valid := form.Link(f.key)
		if !valid {
			return address, t.T("place.link_wrong")
		}
		return address, ""
	case number:
		n, err := strconv.Atoi(typed)
		if err != nil {
			return typed, t.T("venue.number_wrong")
		}
		return n, ""
	case degree:
		n, err := strconv.ParseFloat(geo.Decimal(typed), 64)
		if err != nil {
			return typed, "" // wrongPosition names it
		}
		return n, ""
	default:
		return typed, ""
	}
}
