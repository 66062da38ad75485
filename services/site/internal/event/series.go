package event

import "litfass/pkg/contracts/publicapi"

// partOf returns the title of the part of a series in which a date takes place, "" for none.
func partOf(of publicapi.SeriesOfEvent, date *publicapi.Date) string {
	for _, part := range of.Parts {
		if date != nil && part.UUID == string(date.SeriesPartUUID) {
			return part.Title
		}
	}
	return ""
}
