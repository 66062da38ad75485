package publicapi

import "litfass/pkg/contracts/value"

// Contributor is a person or group that takes part in events, as GET /api/contributor/{uuid} shows
// it.
type Contributor struct {
	UUID        string     `json:"uuid"`
	Type        string     `json:"type"` // person or group
	Name        string     `json:"name"`
	Note        string     `json:"note"` // distinguishes it from others of the same name
	Description string     `json:"description"`
	WebLink     value.Text `json:"web_link"`
	Wikidata    value.Text `json:"wikidata"` // "Q" and a number
}

// Contributors is the data of GET /api/contributors, ordered by name, then uuid; Total counts all
// that match.
type Contributors struct {
	Contributors []Contributor `json:"contributors"`
	Total        int           `json:"total"`
}

// Participant is a contributor of an event in a role, a key of the value set "contributor-roles".
type Participant struct {
	UUID     string     `json:"uuid"`
	Role     string     `json:"role"`
	Type     string     `json:"type"`
	Name     string     `json:"name"`
	Note     string     `json:"note"`
	WebLink  value.Text `json:"web_link"`
	Wikidata value.Text `json:"wikidata"`
}
