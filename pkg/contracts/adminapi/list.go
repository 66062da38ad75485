package adminapi

import "litfass/pkg/contracts/value"

// How many entries a list has at most, and how many characters their notes have together: read
// nodes hold all lists.
const (
	MaxListEntries = 200
	MaxListNotes   = 50_000
)

// List is a selection of events in the order of its editor, with everything that can be written.
type List struct {
	UUID    string     `json:"uuid"`
	OrgUUID value.Text `json:"org_uuid"` // null: the operator's
	// Slug names it in addresses and as the value of the parameter list.
	Slug        string     `json:"slug"`
	Name        string     `json:"name"`        // where its languages have no title
	Description value.Text `json:"description"` // as well
	// Titles are its names in languages.
	Titles []ListTitle `json:"titles"`
	Public bool        `json:"public"`
	// Entries are in the order in which the public sees them.
	Entries []ListEntry `json:"entries"`
}

// ListTitle is the title of a list in a language of the site, with a description.
type ListTitle struct {
	Language    string     `json:"language"`
	Title       string     `json:"title"`
	Description value.Text `json:"description"`
}

// ListEntry is an event, or one date of it. One that is not public, not any more, or over is not
// shown to the public.
type ListEntry struct {
	EventUUID string     `json:"event_uuid"`
	DateUUID  value.Text `json:"date_uuid"` // null: all dates of the event
	Note      value.Text `json:"note"`      // of the editor, for the public
}

// WrittenList is the answer to adding or changing a list.
type WrittenList struct {
	Done
	List
}

// Lists is a page of lists by name, then uuid.
type Lists struct {
	Lists []ListRow `json:"lists"`
	Page
}

// ListRow is a list among others.
type ListRow struct {
	UUID    string     `json:"uuid"`
	OrgUUID value.Text `json:"org_uuid"` // null: the operator's
	OrgName value.Text `json:"org_name"`
	Slug    string     `json:"slug"`
	Name    string     `json:"name"`
	Public  bool       `json:"public"`
	Entries int        `json:"entry_count"`
	MayEdit bool       `json:"may_edit"` // whether the caller may change and delete it
}

// ListEntries are the entries of a list as its editors see them, in their order.
type ListEntries struct {
	Entries []ShownListEntry `json:"entries"`
}

// ShownListEntry is an entry with what the caller may know about its event: its public state, or
// any of an organization of the caller.
type ShownListEntry struct {
	ListEntry
	State     string     `json:"state"` // one of ListEntryStates
	Title     value.Text `json:"title"` // null when the caller may not know it
	OrgName   value.Text `json:"org_name"`
	VenueName value.Text `json:"venue_name"`
	// StartDate and StartTime are those of the date, or of the event's next date, else its last.
	StartDate value.Text `json:"start_date"`
	StartTime value.Text `json:"start_time"`
}

// The states of an entry of a list.
const (
	ListEntryPublic = "public" // the public sees it
	ListEntryOver   = "over"   // it is over
	ListEntryHidden = "hidden" // it is not public, or not any more
)

// ListEntryStates lists the states of an entry.
var ListEntryStates = []string{ListEntryPublic, ListEntryOver, ListEntryHidden}
