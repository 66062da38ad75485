package importing

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/lookup"
	"litfass/services/console/internal/page"
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
