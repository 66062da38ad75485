package publicapi

import "litfass/pkg/contracts/value"

// List is a selection of events in the order of its editor, which the parameter list selects by its
// slug.
type List struct {
	UUID        string     `json:"uuid"`
	Slug        string     `json:"slug"`
	OrgUUID     value.Text `json:"org_uuid"` // null: the operator's
	Name        string     `json:"name"`
	Description value.Text `json:"description"`
	// Titles and Descriptions are by language; in others it has its name and its description.
	Titles       map[string]string `json:"titles"`
	Descriptions map[string]string `json:"descriptions"`
}

// ListedEntries is the data of GET /api/list/{slug}: a list with the entries that are public and
// not over, in its order.
type ListedEntries struct {
	List
	Entries []ListEntry `json:"entries"`
}

// ListEntry is an event of a list, or one date of it.
type ListEntry struct {
	EventUUID string     `json:"event_uuid"`
	DateUUID  value.Text `json:"date_uuid"` // null: all dates of the event
	Note      value.Text `json:"note"`      // of the editor
}
