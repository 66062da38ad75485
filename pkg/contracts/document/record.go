package document

import (
	"encoding/json"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/publicapi"
)

// Record is one document of the indexes "organizations", "series" and "lookups", and the common
// part of documents of "contributors", "events", "lists", "portals", "regions" and "venues": the
// last change of one entity. Once the entity is gone its document stays, without a view, so that an
// older change cannot bring it back.
type Record[V any] struct {
	ID       string      `json:"id"` // primary key; EntityID of the change's id
	Revision int64       `json:"revision"`
	Gone     bool        `json:"gone"`
	View     *Encoded[V] `json:"view"` // as shown; null when gone
	// Name and City repeat the fields of View, for organizations and venues, for choosable lists; of
	// contributors the name.
	Name string `json:"name,omitempty"`
	City string `json:"city,omitempty"`
	// NameKey and NameEnd are TextKeys and TextEnd of the name, for organizations and venues.
	NameKey []string `json:"name_key,omitempty"`
	NameEnd string   `json:"name_end,omitempty"`
	// NameSort orders by name without regard to case, for organizations and venues.
	NameSort string `json:"name_sort,omitempty"`
	// NameWords are Words of the name, for organizations and venues.
	NameWords string `json:"name_words,omitempty"`
	// Row is of lists, portals and series.
	Row *Encoded[Row] `json:"row,omitempty"`
	// ViewBytes is the length of the JSON of the view, for venues, organizations and contributors: a
	// page of them is bounded by it.
	ViewBytes int `json:"view_bytes,omitempty"`
	// ChangedAt is that of the entity's snapshot, see package change; "" when it is not known.
	ChangedAt string `json:"changed_at,omitempty"`
}

// Event is one document of the index "events": a Record with the attributes by which images are
// found and drawn.
type Event struct {
	Record[publicapi.Event]
	Images []Image `json:"pictures,omitempty"`
}

// Image is the part of an image of an event that is needed to draw it.
type Image struct {
	UUID     string   `json:"uuid"`
	MimeType string   `json:"mime_type"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	FocusX   *float64 `json:"focus_x"`
	FocusY   *float64 `json:"focus_y"`
}

// Region is one document of the index "regions": a Record with the region's area.
type Region struct {
	Record[publicapi.Region]
	Geometry Encoded[json.RawMessage] `json:"geometry"` // a GeoJSON Polygon or MultiPolygon
}

// Portal is one document of the index "portals": a Record with what the portal selects.
type Portal struct {
	Record[publicapi.Portal]
	Selects Encoded[PortalSelects] `json:"selects"`
}

// PortalSelects is what a portal selects.
type PortalSelects struct {
	Filter  json.RawMessage        `json:"filter"` // parameters of the search, as the body of a POST
	Include change.PortalSelection `json:"include"`
	Exclude change.PortalSelection `json:"exclude"`
}

// List is one document of the index "lists": a Record with the entries of the list.
type List struct {
	Record[publicapi.List]
	Short   *Encoded[publicapi.ShortList] `json:"short,omitempty"` // as a page of lists shows it
	Entries Encoded[[]change.ListEntry]   `json:"entries"`
}

// Contributor is one document of the index "contributors": a Record with the uuids of contributors
// that were merged into it.
type Contributor struct {
	Record[publicapi.Contributor]
	FormerUUIDs []string `json:"former_uuids,omitempty"`
}

// Venue is one document of the index "venues": a Record with the attributes by which venues are
// filtered.
type Venue struct {
	Record[publicapi.Venue]
	OrgUUID           string   `json:"org_uuid,omitempty"`
	CityWords         string   `json:"city_words,omitempty"` // Words of the city
	CityKey           []string `json:"city_key,omitempty"`
	CityEnd           string   `json:"city_end,omitempty"`
	PostalKey         []string `json:"postal_key,omitempty"`
	PostalEnd         string   `json:"postal_end,omitempty"`
	Country           string   `json:"country,omitempty"`
	Lat               *float64 `json:"lat,omitempty"`
	Lon               *float64 `json:"lon,omitempty"`
	AccessibilityBits []int    `json:"accessibility_bits,omitempty"`
}

// LookupView is a value set with the names of its items by language, in the order in which they are
// shown.
type LookupView struct {
	Name    string       `json:"name"`
	Integer bool         `json:"integer"`
	Items   []LookupItem `json:"items"`
}

// LookupItem is one value; Group is the id it belongs to in another lookup.
type LookupItem struct {
	ID    string            `json:"id"`
	Group string            `json:"group"`
	Names map[string]string `json:"names"`
	Extra map[string]string `json:"extra"`
}
