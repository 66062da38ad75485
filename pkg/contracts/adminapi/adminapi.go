// Package adminapi is the contract between the admin service and the programs of Litfass that use
// it: the JSON of its answers and of the bodies that it reads.
//
// Every key of an answer is always present unless its comment says otherwise. Absent text is null,
// an empty value.Text; lists are never null. Days are YYYY-MM-DD and times HH:MM, both local to the
// place of the event; other moments are RFC 3339. A partial update keeps the fields that its body
// omits and clears the ones that are null; clients send the body as a map, so it has no type here.
package adminapi

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
)

// Done is the message in the answer to a write, for people.
type Done struct {
	Message string `json:"message"`
}

// Deleted is the answer to deleting a resource with a uuid.
type Deleted struct {
	Done
	UUID string `json:"uuid"`
}

// Numbered is the answer to writing or deleting a resource with a number.
type Numbered struct {
	Done
	ID int `json:"id"`
}

// Page is which part of a list an answer holds.
type Page struct {
	TotalCount int `json:"total_count"` // of the whole list
	Limit      int `json:"limit"`
	Offset     int `json:"offset"`
}

// Warned holds the warnings about an accepted write.
type Warned struct {
	Warnings []Warning `json:"warnings"`
}

// The codes of warnings.
const (
	WarnSimilarVenue = "similar_venue" // a venue like this one exists nearby: UUID
	WarnDatePast     = "date_past"     // the date is over
	WarnSpaceTaken   = "space_taken"   // another event takes place there at the same time: UUID
	WarnVenueTaken   = "venue_taken"   // the same, where one of the two has no space of the venue: UUID
	// The organization of the venue UUID is not approved: visitors see the event without a venue.
	WarnVenueNotApproved = "venue_not_approved"
)

// Warning draws the editors' attention to a possible problem in their data.
type Warning struct {
	Code    string     `json:"code"`    // one of the constants above; never changes
	Field   string     `json:"field"`   // of the entity: "name", "dates[3]"
	Message string     `json:"message"` // for people
	UUID    value.Text `json:"uuid"`    // of the other venue or event, null when there is none
}

// Error is the body of every answer that is a failure.
type Error struct {
	Error      string            `json:"error"` // for people
	Code       string            `json:"code"`  // for programs; never changes
	Details    []fault.Violation `json:"details"`
	RetryAfter int               `json:"retry_after,omitempty"` // seconds; absent when it is not known
	RequestID  string            `json:"request_id"`
}

// Confirmation is the body of operations that the password must confirm.
type Confirmation struct {
	Password string `json:"password"`
}
