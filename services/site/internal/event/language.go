package event

import (
	"github.com/a-h/templ"

	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

// in returns the attribute of an element with a text of the event.
func (e eventData) in(s view.Scope, translation func(publicapi.EventText) string) templ.Attributes {
	return view.EventIn(s.Text, e.Event, translation)
}

func subtitle(t publicapi.EventText) string { return t.Subtitle }

func summary(t publicapi.EventText) string { return t.Summary }

func description(t publicapi.EventText) string { return t.Description }

// accessIn is in for the accessibility of a date.
func (e eventData) accessIn(s view.Scope, d *publicapi.Date) templ.Attributes {
	return e.in(s, func(publicapi.EventText) string { return d.Texts[s.Text.Code].AccessibilityInfo })
}

// noteIn is in for the note of a date, or of an event without one.
func (e eventData) noteIn(s view.Scope, d *publicapi.Date) templ.Attributes {
	return e.in(s, func(t publicapi.EventText) string {
		if d != nil && d.StatusNote != "" {
			return d.Texts[s.Text.Code].StatusNote
		}
		return t.StatusNote
	})
}
