package importing

import (
	"github.com/a-h/templ"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/view"
)

// options are the choices of the first step.
type options struct {
	Places, Languages, Types []view.Option
}

func readOptions(r *page.Request, sets lookup.Sets, s settings) (options, error) {
	places, err := lookup.Places(r.Admin())
	if err != nil {
		return options{}, err
	}
	o := options{
		Places:    []view.Option{{Label: r.Text.T("import.place.none")}},
		Languages: sets.Languages.OptionsOrNone(r.Text.T("import.language.none"), s.Language),
		Types:     types(sets).OptionsOrNone(r.Text.T("import.type.none"), s.Type),
	}
	for _, p := range places {
		o.Places = append(o.Places, placeOption(p, s.Place))
	}
	return o, nil
}

// Options are the choices of the default place, language and type of events.
func Options(r *page.Request, place, language, kind string) (places, languages, kinds []view.Option, err error) {
	o, err := readOptions(r, r.Lookup().Sets(), settings{Place: place, Language: language, Type: kind})
	return o.Places, o.Languages, o.Types, err
}

// Entries are the events of a report by action.
func Entries(t *text.Texts, report adminapi.ImportReport) templ.Component { return entries(t, report) }

// Reasons explain why an event of a report is refused.
func Reasons(t *text.Texts, list []adminapi.ImportReason) templ.Component { return reasons(t, list) }

// Start writes when an event of a report begins.
func Start(t *text.Texts, at string) string { return start(t, at) }

func placeOption(p adminapi.ChoosablePlace, chosen string) view.Option {
	o := view.Option{Value: p.VenueUUID, Label: p.VenueName}
	if p.SpaceUUID != "" {
		o.Value, o.Label = o.Value+"/"+string(p.SpaceUUID), o.Label+" / "+string(p.SpaceName)
	} else if p.City != "" {
		o.Label += ", " + string(p.City)
	}
	o.Chosen = o.Value == chosen
	return o
}

// types are the event types by name, none without the public API.
func types(sets lookup.Sets) (known lookup.Choices) {
	for _, t := range sets.Types {
		known = append(known, t.Choice)
	}
	return known
}
