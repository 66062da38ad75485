package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// Events is a page of the dates of an organization's events, in the order that was asked for.
type Events struct {
	CanAddEvent bool        `json:"can_add_event"`
	Events      []EventDate `json:"events"`
	Page
}

// EventDate is one date of one of the organization's events, as its members see it: drafts
// included. ReleaseStatus is the effective one: the date's own unless that is inherited;
// EventReleaseStatus is the event's. DateUUID is the same as UUID, as known clients read it. An
// event without dates has neither, no days, and the series 0 of 0.
type EventDate struct {
	UUID               value.Text  `json:"uuid"`
	EventUUID          string      `json:"event_uuid"`
	DateUUID           value.Text  `json:"event_date_uuid"`
	Title              string      `json:"event_title"`
	Subtitle           value.Text  `json:"event_subtitle"`
	OrgUUID            string      `json:"event_org_uuid"`
	OrgName            string      `json:"event_org_name"`
	StartDate          value.Text  `json:"start_date"`
	StartTime          value.Text  `json:"start_time"`
	EndDate            value.Text  `json:"end_date"`
	EndTime            value.Text  `json:"end_time"`
	AllDay             bool        `json:"all_day"`
	ReleaseStatus      string      `json:"release_status"`
	EventReleaseStatus string      `json:"event_release_status"`
	ReleaseDate        *time.Time  `json:"release_date"`
	VenueUUID          value.Text  `json:"venue_uuid"`
	VenueName          value.Text  `json:"venue_name"`
	SpaceUUID          value.Text  `json:"space_uuid"`
	SpaceName          value.Text  `json:"space_name"`
	ImageUUID          value.Text  `json:"image_uuid"`
	EventTypes         []EventType `json:"event_types"`
	SeriesIndex        int         `json:"time_series_index"` // from 1, among all dates of the event
	SeriesLength       int         `json:"time_series"`
	Missing            []string    `json:"missing"` // fields that a release requires and the event lacks
	ETag               string      `json:"etag"`    // of the event
	CanEdit            bool        `json:"can_edit_event"`
	CanDelete          bool        `json:"can_delete_event"`
	CanRelease         bool        `json:"can_release_event"`
}
