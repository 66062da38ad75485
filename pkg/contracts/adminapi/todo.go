package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// Todo is an item of a user's todo list.
type Todo struct {
	ID          int        `json:"id"`
	Title       string     `json:"title"`
	Description value.Text `json:"description"`
	DueDate     value.Text `json:"due_date"` // YYYY-MM-DD
	Completed   bool       `json:"completed"`
}

// ReadTodo is the answer to reading one todo.
type ReadTodo struct {
	Todo Todo `json:"todo"`
}

// WrittenTodo is the answer to making or changing a todo.
type WrittenTodo struct {
	Done
	Todo
}

// Todos is a page of a user's todos: the latest due date first, those without one last.
type Todos struct {
	Todos []Todo `json:"todos"`
	Page
}

// Notification is an unpublished event whose release or date is near, with its missing fields.
type Notification struct {
	EventUUID          string     `json:"event_uuid"`
	EventTitle         string     `json:"event_title"`
	OrgUUID            string     `json:"org_uuid"`
	OrgName            string     `json:"org_name"`
	VenueUUID          value.Text `json:"venue_uuid"`
	VenueName          value.Text `json:"venue_name"`
	ReleaseStatus      string     `json:"release_status"`
	ReleaseDate        *time.Time `json:"release_date"`
	DaysUntilRelease   *int       `json:"days_until_release"`    // 0 also when it has passed
	FirstDate          value.Text `json:"first_date"`            // the first one that is not over
	LastDate           value.Text `json:"last_date"`             // the last day of all
	DaysUntilFirstDate *int       `json:"days_until_first_date"` // 0 also while it is running

	NoTitle             bool `json:"no_title"`
	NoImage             bool `json:"no_image"`
	NoEventType         bool `json:"no_event_type"`
	NoEventDates        bool `json:"no_event_dates"`
	NoUpcomingDate      bool `json:"no_upcoming_date"`
	NoVenueOrOnlineLink bool `json:"no_venue_or_online_link"`
}

// Notifications is a page of them, the most urgent first.
type Notifications struct {
	Notifications []Notification `json:"notifications"`
	Page
}
