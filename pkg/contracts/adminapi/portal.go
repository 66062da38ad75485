package adminapi

import "litfass/pkg/contracts/value"

// Portal is a named part of the catalogue with everything that can be written: what it selects, and
// how the site shows it.
type Portal struct {
	UUID    string     `json:"uuid"`
	OrgUUID value.Text `json:"org_uuid"` // null: the operator's
	// Slug names it in addresses and as the value of the parameter portal.
	Slug string `json:"slug"`
	Name string `json:"name"` // where its languages have no title
	// Titles are its names in languages.
	Titles    []PortalTitle `json:"titles"`
	Languages []string      `json:"languages"` // of the site, the default first; none: all
	Look      PortalLook    `json:"look"`
	// Filter selects dates by parameters of the public search. Without a filter and without Include,
	// the portal has all dates.
	Filter  PortalFilter    `json:"filter"`
	Include PortalSelection `json:"include"` // beyond the filter
	Exclude PortalSelection `json:"exclude"` // in any case
}

// PortalTitle is the title of a portal in a language of the site.
type PortalTitle struct {
	Language string `json:"language"`
	Title    string `json:"title"`
}

// PortalLook are the colours of a portal, as #rrggbb; an absent one is the site's.
type PortalLook struct {
	Accent     value.Text `json:"accent"`      // on light ground
	AccentDark value.Text `json:"accent_dark"` // on dark ground
}

// PortalFilter has the parameters of the public search, by their names there, that say what, where
// and for whom: neither words, nor times, nor the page. An absent one does not filter.
type PortalFilter struct {
	Categories      []int    `json:"categories,omitempty"`
	EventTypes      []int    `json:"event_types,omitempty"`
	Genres          []int    `json:"genres,omitempty"`
	Tags            []string `json:"tags,omitempty"`
	Label           []string `json:"label,omitempty"`
	Title           string   `json:"title,omitempty"`
	Languages       []string `json:"languages,omitempty"`
	Age             string   `json:"age,omitempty"`
	Price           string   `json:"price,omitempty"`
	PriceTypes      []string `json:"price_types,omitempty"`
	ReleaseStatuses []string `json:"release_statuses,omitempty"`
	Accessibility   []int    `json:"accessibility,omitempty"`
	VisitorInfos    []int    `json:"visitor_infos,omitempty"`
	SpaceTypes      []string `json:"space_types,omitempty"`
	Venue           string   `json:"venue,omitempty"`
	City            string   `json:"city,omitempty"`
	PostalCode      []string `json:"postal_code,omitempty"`
	Countries       []string `json:"countries,omitempty"`
	GeolistRegion   string   `json:"geolist_region,omitempty"`
	Lon             *float64 `json:"lon,omitempty"`
	Lat             *float64 `json:"lat,omitempty"`
	Radius          *float64 `json:"radius,omitempty"`
	OrgUUIDs        []string `json:"org_uuids,omitempty"`
	VenueUUIDs      []string `json:"venue_uuids,omitempty"`
	SpaceUUIDs      []string `json:"space_uuids,omitempty"`
	SeriesUUIDs     []string `json:"series_uuids,omitempty"`
	Contributor     []string `json:"contributor,omitempty"`
}

// PortalSelection are organizations, venues and events, all dates of which are meant. Those that
// are not public, or not any more, select nothing.
type PortalSelection struct {
	OrgUUIDs   []string `json:"org_uuids"`
	VenueUUIDs []string `json:"venue_uuids"`
	EventUUIDs []string `json:"event_uuids"`
}

// WrittenPortal is the answer to adding or changing a portal.
type WrittenPortal struct {
	Done
	Portal
}

// Portals is a page of portals by name, then uuid.
type Portals struct {
	Portals []PortalRow `json:"portals"`
	Page
}

// PortalRow is a portal in a list.
type PortalRow struct {
	UUID    string     `json:"uuid"`
	OrgUUID value.Text `json:"org_uuid"` // null: the operator's
	OrgName value.Text `json:"org_name"`
	Slug    string     `json:"slug"`
	Name    string     `json:"name"`
	MayEdit bool       `json:"may_edit"` // whether the caller may change and delete it
}
