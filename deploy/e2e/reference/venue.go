package reference

// ShownVenue is a venue in the public answers, with the fields that catalogues of tests have but
// opening hours and spaces.
type ShownVenue struct {
	UUID               string   `json:"uuid"`
	OrgUUID            string   `json:"org_uuid"`
	OrgName            string   `json:"org_name"`
	Name               string   `json:"name"`
	Description        string   `json:"description"`
	Street             string   `json:"street"`
	HouseNumber        string   `json:"house_number"`
	PostalCode         string   `json:"postal_code"`
	City               string   `json:"city"`
	State              string   `json:"state"`
	Country            string   `json:"country"`
	Lat                *float64 `json:"lat"`
	Lon                *float64 `json:"lon"`
	Timezone           string   `json:"timezone"`
	AccessibilityFlags *Mask    `json:"accessibility_flags"`
	WikidataID         Text     `json:"wikidata_id"`
	OSMID              Text     `json:"osm_id"`
}

// Shown returns how a venue of an organization must be shown.
func (v *Venue) Shown(org *Organization) ShownVenue {
	return ShownVenue{
		UUID: v.UUID, OrgUUID: v.OrgUUID, OrgName: org.Name, Name: v.Name, Description: string(v.Description),
		Street: string(v.Street), HouseNumber: string(v.HouseNumber), PostalCode: string(v.PostalCode),
		City: string(v.City), State: string(v.State), Country: string(v.Country), Lat: v.Lat, Lon: v.Lon,
		Timezone: string(v.Timezone), AccessibilityFlags: v.AccessibilityFlags,
		WikidataID: v.WikidataID, OSMID: v.OSMID,
	}
}
