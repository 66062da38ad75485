package rules

import (
	"slices"

	"litfass/pkg/chassis/fault/reason"
)

// Missing is a field that an event lacks.
type Missing struct {
	Field   string // of the event
	Message string // in English
	// Required is why the event cannot be released without the field (RULES.md, Release status),
	// nil for a recommendation.
	Required *reason.Reason
}

// Missing returns the fields that the event lacks, without regard to its places. Fields that a
// release requires come first.
func (e *Event) Missing() []Missing {
	var missing []Missing
	require := func(given bool, field string, why *reason.Reason) {
		if !given {
			missing = append(missing, Missing{field, why.String(), why})
		}
	}
	recommend := func(given bool, field, message string) {
		if !given {
			missing = append(missing, Missing{Field: field, Message: message})
		}
	}
	require(e.Title != "", "title", reason.RequiredForRelease)
	require(len(e.Dates) > 0, "dates", reason.DatesRequiredForRelease)
	require(e.HasPlace(), "venue_uuid", reason.PlaceRequiredForRelease)
	recommend(e.Summary != "", "summary", "is missing: lists show it below the title")
	recommend(len(e.Images) > 0, "images", "is empty: an event without an image is easily passed over")
	recommend(!slices.ContainsFunc(e.Images, Image.lacksAltText), "alt_text",
		"is missing for an image: people who cannot see it learn from it what is shown")
	recommend(len(e.Categories) > 0, "categories", "is empty: visitors filter by category")
	recommend(e.PriceType != "" && e.PriceType != PriceNotSpecified, "price_type", "is not specified: visitors filter by price")
	recommend(len(e.Languages) > 0, "languages", "is empty: visitors filter by language")
	return missing
}

// HasPlace reports whether the event has the place that a public event needs (RULES.md, Release
// status).
func (e *Event) HasPlace() bool {
	return e.VenueUUID != "" || e.OnlineLink != "" ||
		len(e.Dates) > 0 && !slices.ContainsFunc(e.Dates, func(d Date) bool { return d.VenueUUID == "" })
}
