package rules

import (
	"slices"

	"litfass/pkg/contracts/adminapi"
)

// The release statuses of an event, and of a date (RULES.md, Release status).
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
	eventStatuses = []string{
		StatusDraft, StatusReview, StatusReleased, StatusCancelled, StatusDeferred, StatusRescheduled,
	}
	dateStatuses = []string{StatusInherited, StatusCancelled, StatusDeferred, StatusRescheduled}
)

// moves are the possible next statuses of an event, by its status (RULES.md, Release status).
var moves = map[string][]string{
	StatusDraft:       {StatusReview, StatusReleased},
	StatusReview:      {StatusReleased, StatusDraft},
	StatusReleased:    {StatusCancelled, StatusDeferred, StatusRescheduled, StatusDraft},
	StatusCancelled:   {StatusReleased, StatusDraft},
	StatusDeferred:    {StatusReleased, StatusDraft},
	StatusRescheduled: {StatusReleased, StatusDraft},
}

// KnownStatus reports whether an event may have a release status at all.
func KnownStatus(status string) bool { return slices.Contains(eventStatuses, status) }

// MayBecome reports whether an event may change its release status from one to another. Keeping it
// is no change.
func MayBecome(from, to string) bool { return from == to || slices.Contains(moves[from], to) }

// PublicStatus reports whether an event of that status is public from its release date on.
func PublicStatus(status string) bool { return adminapi.PublicStatus(status) }

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
