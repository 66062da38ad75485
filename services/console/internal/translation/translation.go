// Package translation is the form with the texts of an event or a series in all languages next to
// each other.
package translation

import (
	"slices"
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	"litfass/pkg/contracts/value"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// Form is the texts of an entity with their translations.
type Form struct {
	Words    *text.Texts
	Tag      string // of the entity as it was read
	Original string // language of the original texts; "" for one that is not stated
	Texts    []Text
	Errors   view.Errors // by the names of the fields, such as "da.title"
	Disabled bool
}

// Text is a text of an entity.
type Text struct {
	// Path leads to its translation in the body of the write, below the language: "title", or
	// "images.UUID.alt_text".
	Path     string
	Label    string
	Original string
	Max      int               // characters; 0 for no limit
	Rows     int               // of the field; 0 for one line
	Always   bool              // has fields, too, while neither the original nor a translation is there
	Into     map[string]string // translations by language
}

// By returns the translations of a text. of returns it from those of a language.
func By[T any](texts map[string]T, of func(T) value.Text) map[string]string {
	into := map[string]string{}
	for code, translated := range texts {
		into[code] = string(of(translated))
	}
	return into
}

// OfImage are the texts of an image. images returns those of all images in a language.
func OfImage[T any](
	words *text.Texts, name string, image adminapi.Image, texts map[string]T, images func(T) map[string]adminapi.ImageText,
) []Text {
	path := "images." + image.UUID
	return []Text{{
		Path: path + ".alt_text", Label: name + ": " + words.T("images.alt_text"), Original: string(image.AltText), Always: true,
		Into: By(texts, func(t T) value.Text { return images(t)[image.UUID].AltText }),
	}, {
		Path: path + ".description", Label: name + ": " + words.T("images.description"), Original: string(image.Description), Rows: 2,
		Into: By(texts, func(t T) value.Text { return images(t)[image.UUID].Description }),
	}}
}

// Read takes the fields of the form, and returns what is to be stored: null for a text that is
// empty, and for a language that has become that of the original.
func (f *Form) Read(typed page.Form) map[string]any {
	f.Original = typed.Text("text_language")
	texts := map[string]any{}
	for _, code := range language.Codes {
		if code == f.Original {
			texts[code] = nil
			continue
		}
		fields := map[string]any{}
		for _, one := range f.Texts {
			if name := code + "." + one.Path; typed.Has(name) {
				one.Into[code] = typed.Text(name)
				put(fields, strings.Split(one.Path, "."), typed.TextOrNil(name))
			}
		}
		texts[code] = fields
	}
	return map[string]any{"text_language": typed.TextOrNil("text_language"), "texts": texts}
}

// put sets a value in objects within each other.
func put(object map[string]any, path []string, value any) {
	if len(path) == 1 {
		object[path[0]] = value
		return
	}
	inner, _ := object[path[0]].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		object[path[0]] = inner
	}
	put(inner, path[1:], value)
}

// Refuse takes the reasons for which a write was refused.
func (f *Form) Refuse(err error) {
	f.Errors = view.Errors{}
	for field, why := range view.Reasons(err) {
		f.Errors[strings.TrimPrefix(field, "texts.")] = why
	}
}

// languages are those that the original may be translated into.
func (f *Form) languages() []string {
	return slices.DeleteFunc(slices.Clone(language.Codes), func(code string) bool { return code == f.Original })
}

// originals are the choices of the language of the original.
func (f *Form) originals() []view.Option {
	options := []view.Option{{Value: "", Label: f.Words.T("translations.unstated"), Chosen: f.Original == ""}}
	for _, code := range language.Codes {
		options = append(options, view.Option{Value: code, Label: f.Words.T("language." + code), Chosen: code == f.Original})
	}
	return options
}

// field is a text of the original with the field of its translation into a language.
type field struct {
	view.Field
	original string
	lines    bool // it has several
}

// fields are the texts that there are, in the original or in the language.
func (f *Form) fields(code string) (fields []field) {
	for _, one := range f.Texts {
		if one.Original == "" && one.Into[code] == "" && !one.Always {
			continue
		}
		name := code + "." + one.Path
		fields = append(fields, field{
			Field: view.Field{
				Name: name, Label: one.Label, Value: one.Into[code], Error: f.Errors[name], Content: true,
				Max: one.Max, Rows: one.Rows, Disabled: f.Disabled,
			},
			original: one.Original, lines: one.Rows > 0,
		})
	}
	return fields
}

// state is a line about the texts that are missing in a language.
func (f *Form) state(code string) string {
	var missing []string
	for _, field := range f.fields(code) {
		if field.original != "" && field.Value == "" {
			missing = append(missing, field.Label)
		}
	}
	switch {
	case len(missing) == 0:
		return f.Words.T("translations.complete")
	case f.isEmpty(code):
		return f.Words.T("translations.none")
	default:
		return f.Words.With("translations.missing", "Fields", strings.Join(missing, ", "))
	}
}

// isEmpty reports whether nothing is translated into a language.
func (f *Form) isEmpty(code string) bool {
	return !slices.ContainsFunc(f.Texts, func(one Text) bool { return one.Into[code] != "" })
}

// labels name the fields above the form.
func (f *Form) labels() map[string]string {
	labels := map[string]string{"text_language": f.Words.T("translations.language"), "texts": f.Words.T("translations")}
	for _, code := range f.languages() {
		labels[code] = f.Words.T("language." + code)
		for _, field := range f.fields(code) {
			labels[field.Name] = f.Words.T("language."+code) + ", " + field.Label
		}
	}
	return labels
}

// Languages names languages in a line, in which there are texts; "" for none.
func Languages[T any](words *text.Texts, texts map[string]T) string {
	var names []string
	for _, code := range language.Codes {
		if _, is := texts[code]; is {
			names = append(names, words.T("language."+code))
		}
	}
	return strings.Join(names, ", ")
}
