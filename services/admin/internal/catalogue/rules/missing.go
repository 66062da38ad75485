package rules

import "slices"

// Missing is a field that an event lacks.
type Missing struct {
	Field    string // of the event
	Reason   string // in words for people
	Required bool   // before the event is released (RULES.md, Release status)
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
	lacks(e.Title == "", Missing{"title", "is missing: a released event has one", true})
	lacks(len(e.Dates) == 0, Missing{"dates", "is empty: a released event has at least one date", true})
	lacks(e.VenueUUID == "" && e.OnlineLink == "" && !e.everyDateHasVenue(), Missing{
		"venue_uuid", "is missing: a released event has a venue, an online link, or a venue for each date", true,
	})
	lacks(e.Summary == "", Missing{"summary", "is missing: lists show it below the title", false})
	lacks(len(e.Images) == 0, Missing{"images", "is empty: an event without a picture is easily passed over", false})
	lacks(slices.ContainsFunc(e.Images, Image.lacksAltText), Missing{
		"alt_text", "is missing for a picture: people who cannot see it learn from it what is shown", false,
	})
	return missing
}

func (e *Event) everyDateHasVenue() bool {
	return len(e.Dates) > 0 && !slices.ContainsFunc(e.Dates, func(d Date) bool { return d.VenueUUID == "" })
}
