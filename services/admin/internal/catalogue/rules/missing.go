package rules

import (
	"slices"

	"litfass/pkg/chassis/fault/reason"
)

// Missing is a field that an event lacks.
type Missing struct {
	Field    string // of the event
	Reason   *reason.Reason
	Required bool // before the event is released (RULES.md, Release status)
}

// Missing returns the fields that the event lacks, without regard to its places. Fields that a
// release requires come first.
func (e *Event) Missing() []Missing {
	var missing []Missing
	lacks := func(lacking bool, m Missing) {
		if lacking {
			missing = append(missing, m)
		}
	}
	lacks(e.Title == "", Missing{"title", reason.RequiredForRelease, true})
	lacks(len(e.Dates) == 0, Missing{"dates", reason.DatesRequiredForRelease, true})
	lacks(e.VenueUUID == "" && e.OnlineLink == "" && !e.everyDateHasVenue(), Missing{
		"venue_uuid", reason.PlaceRequiredForRelease, true,
	})
	lacks(e.Summary == "", Missing{"summary", reason.SummaryMissing, false})
	lacks(len(e.Images) == 0, Missing{"images", reason.ImageMissing, false})
	lacks(slices.ContainsFunc(e.Images, Image.lacksAltText), Missing{
		"alt_text", reason.AltTextMissing, false,
	})
	return missing
}

func (e *Event) everyDateHasVenue() bool {
	return len(e.Dates) > 0 && !slices.ContainsFunc(e.Dates, func(d Date) bool { return d.VenueUUID == "" })
}
