package publicapi

// EventDetails is the data of GET /api/event/{uuid}.
type EventDetails struct {
	Event
	EventTypes []NamedType `json:"event_types"` // shadows Event's
}

// EventDateDetails is the data of GET /api/event/{uuid}/date/{date}: the event with one of its
// dates apart from the others. Dates is empty.
type EventDateDetails struct {
	EventDetails
	Date         Date   `json:"date"`
	FurtherDates []Date `json:"further_dates"` // ordered by start, then uuid
}
