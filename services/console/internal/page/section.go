package page

import "github.com/a-h/templ"

// WholePage shows the page of an event with one of its sections as it is drawn: how a section
// answers a form that was not right to people without scripts.
type WholePage func(r *Request, event, section string, drawn templ.Component) error
