package adminapi

import "litfass/pkg/contracts/value"

// MaxContributors is how many contributors an event names at most.
const MaxContributors = 100

// The types of contributors.
const (
	ContributorPerson = "person"
	ContributorGroup  = "group"
)

// Contributor is a person or group that takes part in events, with everything that can be written
// and the contributors that were merged into it.
type Contributor struct {
	UUID        string     `json:"uuid"`
	OrgUUID     value.Text `json:"org_uuid"` // which edits it; null: the operator
	Type        string     `json:"type"`     // ContributorPerson or ContributorGroup
	Name        string     `json:"name"`
	Note        value.Text `json:"note"` // distinguishes it from others of the same name
	Description value.Text `json:"description"`
	WebLink     value.Text `json:"web_link"`
	Wikidata    value.Text `json:"wikidata"` // "Q" and a number
	FormerUUIDs []string   `json:"former_uuids"`
}

// WrittenContributor is the answer to adding, changing or merging a contributor.
type WrittenContributor struct {
	Done
	Contributor
}

// ContributorMerge is the body that merges a contributor into another one.
type ContributorMerge struct {
	Into string `json:"into"` // uuid of the one that stays
}

// Contributors is a page of contributors by name, then uuid.
type Contributors struct {
	Contributors []ContributorRow `json:"contributors"`
	Page
}

// ContributorRow is a contributor among others.
type ContributorRow struct {
	UUID     string     `json:"uuid"`
	OrgUUID  value.Text `json:"org_uuid"` // null: the operator's
	OrgName  value.Text `json:"org_name"`
	Type     string     `json:"type"`
	Name     string     `json:"name"`
	Note     value.Text `json:"note"`
	WebLink  value.Text `json:"web_link"`
	Wikidata value.Text `json:"wikidata"`
	Events   int        `json:"event_count"` // that name it, drafts of the caller's organizations included
	MayEdit  bool       `json:"may_edit"`    // whether the caller may change and delete it
}

// EventContributor is a contributor of an event in a role, a key of the contributor roles.
type EventContributor struct {
	UUID string `json:"uuid"`
	Role string `json:"role"`
}

// NamedContributor is a contributor as an event that names it shows it.
type NamedContributor struct {
	UUID     string     `json:"uuid"`
	Type     string     `json:"type"`
	Name     string     `json:"name"`
	Note     value.Text `json:"note"`
	WebLink  value.Text `json:"web_link"`
	Wikidata value.Text `json:"wikidata"`
}

// ContributorsPart is the part written by PUT /event/{uuid}/contributors, in order.
type ContributorsPart struct {
	Contributors []EventContributor `json:"contributors"`
}

// GivenContributors is the body of PUT /event/{uuid}/contributors.
type GivenContributors struct {
	Contributors []GivenContributor `json:"contributors"`
}

// GivenContributor names a contributor by its uuid, or without one adds a new contributor.
type GivenContributor struct {
	UUID value.Text `json:"uuid"`
	Role string     `json:"role"`

	// Of a new contributor only.
	Type        string     `json:"type"` // "": ContributorPerson
	Name        string     `json:"name"`
	Note        value.Text `json:"note"`
	Description value.Text `json:"description"`
	WebLink     value.Text `json:"web_link"`
	Wikidata    value.Text `json:"wikidata"`
}

// WrittenContributors is the answer to changing the contributors of an event.
type WrittenContributors struct {
	Done
	PartOfEvent
	ContributorsPart
	NamedContributors []NamedContributor `json:"named_contributors"`
	Warned
}
