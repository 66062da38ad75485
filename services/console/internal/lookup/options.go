package lookup

import (
	"slices"

	"litfass/services/console/internal/view"
)

// Options returns the choices as options of a field. A chosen code that has no name is one, too; ""
// and "0" stand for no code.
func (c Choices) Options(chosen ...string) []view.Option {
	all := make([]view.Option, 0, len(c))
	for _, choice := range c {
		all = append(all, view.Option{Value: choice.ID, Label: choice.Name, Chosen: slices.Contains(chosen, choice.ID)})
	}
	for _, code := range chosen {
		known := slices.ContainsFunc(c, func(choice Choice) bool { return choice.ID == code })
		if !known && code != "" && code != "0" {
			all = append(all, view.Option{Value: code, Label: code, Chosen: true})
		}
	}
	return all
}

// OptionsOrNone is Options for a field that may stay empty, which its first option with the label
// none stands for. chosen is "" when it is.
func (c Choices) OptionsOrNone(none, chosen string) []view.Option {
	return append([]view.Option{{Label: none, Chosen: chosen == ""}}, c.Options(chosen)...)
}
