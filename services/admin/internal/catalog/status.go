package catalog

import "slices"

// The release statuses of an event, and of a date (decisions.md, Release status).
const (
	StatusDraft       = "draft"
	StatusReview      = "review"
	StatusReleased    = "released"
	StatusCancelled   = "cancelled"
	StatusDeferred    = "deferred"
	StatusRescheduled = "rescheduled"
	StatusInherited   = "inherited" // of a date: the event's
)

var (
	eventStatuses  = []string{StatusDraft, StatusReview, StatusReleased, StatusCancelled, StatusDeferred, StatusRescheduled}
	publicStatuses = []string{StatusReleased, StatusCancelled, StatusDeferred, StatusRescheduled}
	dateStatuses   = []string{StatusInherited, StatusCancelled, StatusDeferred, StatusRescheduled}
)

// PublicStatus reports whether an event of that status is public from its release date on.
func PublicStatus(status string) bool { return slices.Contains(publicStatuses, status) }

// The price types that rules refer to; all are in the value set "price-types".
const (
	PriceNotSpecified = "not_specified"
	PriceFree         = "free"
)

// ticketFlags are the flags of an event's tickets.
var ticketFlags = []string{
	"advance_ticket", "ticket_required", "on_site_ticket_sales", "registration_required",
	"reduced_price_available", "presale_fee_applies",
}
