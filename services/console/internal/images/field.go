package images

import (
	"github.com/a-h/templ"

	"litfass/services/console/internal/version"
	"litfass/services/console/internal/view"
)

// field is a field of the form with the words about an image.
func (s *sheet) field(form view.AutoForm, key string, values version.Values) view.Field {
	field := view.Field{
		ID: form.ID + "-" + key, Name: key, Label: s.Text.T("images." + key), Value: values.Text(key),
		Error: form.State.Errors[key], Max: maxCharacters[key], Content: true,
	}
	if hint := "images." + key + ".hint"; s.Text.Has(hint) {
		field.Hint = s.Text.T(hint)
	}
	return field
}

// percentField is a coordinate of the focus point in percent.
func (s *sheet) percentField(form view.AutoForm, key string, values version.Values) view.Field {
	return view.Field{
		ID: form.ID + "-" + key, Name: key, Label: s.Text.T("images." + key), Value: typedPercent(values[key]),
		Error: form.State.Errors[key], Inputmode: "decimal", Autocomplete: "off",
	}
}

// besideImage has the components that a script replaces when the words about an image were saved.
func (s *sheet) besideImage(uuid string) []templ.Component {
	for _, m := range s.of.Images {
		if m.UUID == uuid {
			return []templ.Component{thumb(s, m, true), reminder(s, m, true)}
		}
	}
	return nil
}
