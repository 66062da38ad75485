package filter

import "net/url"

// Choice is a value that a filter can take.
type Choice struct {
	Value  string
	Name   string
	Count  int
	Chosen bool
	Link   string // address of the page with this choice made, or taken back
}

// Group is the values of one parameter of a list, of which several can be chosen.
type Group struct {
	Parameter string
	Title     string
	Choices   []Choice
	Open      bool
	Finer     []Choice // links to parts of the chosen values
	Coarser   Choice   // link to the value that the choices are parts of; empty for none
}

// Form is the state of the form of filters.
type Form struct {
	Search       string
	NoDays       bool     // the page has days of its own
	Hidden       []Choice // parameters that the form keeps and does not show, by name
	Cities       []Choice
	Start        string
	StartsBefore string
	Times        []Choice
	Radius       []Choice // empty unless a place is given
	Prices       []Choice
	Age          string
	Groups       []Group
	Active       int // filters
}

// shownChoices is how many values of a group are shown before the others are asked for.
const shownChoices = 6

// firstChoices returns the choices that are shown at once: the first ones and all that are chosen.
func (g Group) firstChoices() []Choice { return g.part(true) }

// moreChoices returns the others.
func (g Group) moreChoices() []Choice { return g.part(false) }

func (g Group) part(first bool) (choices []Choice) {
	for i, choice := range g.Choices {
		if (i < shownChoices || choice.Chosen) == first {
			choices = append(choices, choice)
		}
	}
	return choices
}

// ElementID returns the id of an element for a value of a parameter: values are any text.
func ElementID(parameter, value string) string {
	return "f-" + parameter + "-" + url.QueryEscape(value)
}
