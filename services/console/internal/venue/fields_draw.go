package venue

import (
	"net/url"

	"litfass/services/console/internal/view"
)

// types are the types of inputs by kind.
var types = map[kind]string{link: "url", email: "email", day: "date"}

// field returns a field as it is drawn.
func (e entity) field(g group, f field) view.Field {
	drawn := view.Field{
		ID: f.key, Name: f.key, Label: e.label(f.key), Hint: e.hint(f.key), Value: e.values.Text(f.key), Error: e.state(g).Errors[f.key],
		Type: types[f.kind], Max: f.max, Required: f.required, Disabled: e.locked, Content: f.kind == line || f.kind == area, Rows: 4,
	}
	if f.kind == number {
		drawn.Inputmode = "numeric"
	}
	if f.kind == email || f.key == "contact_phone" {
		drawn.Autocomplete = "off"
	}
	return drawn
}

// position returns the position of a venue with the venues around.
func (e entity) position() position {
	values := url.Values{}
	for _, key := range []string{"lat", "lon", "street", "postal_code", "city"} {
		if text := e.values.Text(key); text != "" {
			values.Set(key, text)
		}
	}
	w := positionOf(e.Request, values)
	w.Locked = e.locked
	for i, v := range w.Neighbours {
		if v.UUID == e.uuid {
			w.Neighbours = append(w.Neighbours[:i], w.Neighbours[i+1:]...)
			break
		}
	}
	return w
}
