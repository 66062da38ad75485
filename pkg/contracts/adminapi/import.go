package adminapi

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
)

// The actions of an import on the events of the file.
const (
	ImportCreate    = "create"
	ImportUpdate    = "update"
	ImportUnchanged = "unchanged"
	ImportRefuse    = "refuse"
	ImportDeleted   = "deleted" // it was deleted here and stays so
	ImportHeld      = "held"    // of a source: it looks like another event, which is to be decided
	ImportLinked    = "linked"  // of a source: it is another event, as was decided
)

// The choices for public coming events that the file no longer has.
const (
	MissingKeep   = "keep"
	MissingCancel = "cancel"
	MissingDraft  = "draft"
)

// ImportBody asks for an import of events into an organization. The file is exactly one of Content,
// ContentBase64 and Address.
type ImportBody struct {
	Format        string          `json:"format"`         // ics, csv, jsonld or guess; "" is guess
	Content       string          `json:"content"`        // the file as text
	ContentBase64 string          `json:"content_base64"` // the file's bytes, in base64
	Address       value.Text      `json:"address"`        // http, https or webcal
	Source        value.Text      `json:"source"`         // names the file from one import to the next; absent: the address, or "file"
	Mapping       []ImportMapping `json:"mapping"`        // of the columns that are not as guessed; absent: as in the last such file
	DateOrder     value.Text      `json:"date_order"`     // dmy or mdy, of dates such as 03/04/2026; absent: as other dates show
	Until         value.Text      `json:"until"`          // YYYY-MM-DD: the last day of a rule without an end
	Defaults      ImportDefaults  `json:"defaults"`
	Venues        []ImportPlace   `json:"venues"`    // of names that no venue has; absent: as in the last such file
	Kinds         []ImportKind    `json:"kinds"`     // of names that no type has; absent: as in the last such file
	DryRun        *bool           `json:"dry_run"`   // absent: true
	Overwrite     bool            `json:"overwrite"` // also values edited here since the last import
	Restore       bool            `json:"restore"`   // also events that were deleted here
	Missing       value.Text      `json:"missing"`   // MissingKeep, MissingCancel or MissingDraft; absent: keep
}

// ImportMapping maps a column of the file to a field; a column with Field "" is not read.
type ImportMapping struct {
	Column string     `json:"column"`
	Field  value.Text `json:"field"`
}

// ImportPlace places the events for which the file names a venue that is not known by that name: in
// VenueUUID, which may also be an open venue of another organization, or with Create in a new venue
// with the address of the file. The first three fields are those of the report.
type ImportPlace struct {
	Name       string     `json:"name"`
	PostalCode value.Text `json:"postal_code"`
	City       value.Text `json:"city"`
	VenueUUID  value.Text `json:"venue_uuid"`
	Create     bool       `json:"create"`
}

// ImportKind is the type of the events for which the file has a name that no type has.
type ImportKind struct {
	Name   string `json:"name"`
	TypeID int    `json:"type_id"` // 0: the name becomes a tag
}

// ImportDefaults are the values of events for which the file has none. All but the place apply only
// to new events.
type ImportDefaults struct {
	VenueUUID     value.Text  `json:"venue_uuid"`
	SpaceUUID     value.Text  `json:"space_uuid"`
	EventTypes    []EventType `json:"event_types"`
	Languages     []string    `json:"languages"`
	ReleaseStatus value.Text  `json:"release_status"` // absent: draft
}

// ImportReport is the outcome of an import, or with DryRun of a simulated one.
type ImportReport struct {
	Done
	Format    string          `json:"format"`    // ics, csv or jsonld
	Encoding  string          `json:"encoding"`  // utf-8, utf-16 or windows-1252
	Separator string          `json:"separator"` // of a CSV file's columns, else ""
	Source    string          `json:"source"`
	DryRun    bool            `json:"dry_run"`
	Complete  bool            `json:"complete"` // false: time ran out; the same import again does the rest
	Columns   []ImportColumn  `json:"columns"`
	Fields    []string        `json:"fields"`     // that a column may be mapped to
	DateOrder value.Text      `json:"date_order"` // that was asked for, now or with the last such file
	Venues    []ImportVenue   `json:"venues"`     // that the file names and that are not known by that name, at most MaxImportChoices
	Kinds     []ImportType    `json:"kinds"`      // the same of types of events
	Events    []ImportEvent   `json:"events"`     // in the order of the file
	Missing   []ImportMissing `json:"missing"`
	Counts    ImportCounts    `json:"counts"`
}

// ImportColumn is a column of a CSV file, or a property of a calendar's events.
type ImportColumn struct {
	Name      string     `json:"name"`
	Samples   []string   `json:"samples"`    // at most three different values
	Field     value.Text `json:"field"`      // null: the column is not read
	GuessedBy value.Text `json:"guessed_by"` // header, content, or earlier: as in the last such file; null where the request maps it
	Note      value.Text `json:"note"`       // for people: why the guess is doubtful
}

// ImportVenue is a venue that the file names and that is not known by that name, or by which
// several are known.
type ImportVenue struct {
	Name        string       `json:"name"`
	Street      value.Text   `json:"street"`
	HouseNumber value.Text   `json:"house_number"`
	PostalCode  value.Text   `json:"postal_code"`
	City        value.Text   `json:"city"`
	Ambiguous   bool         `json:"ambiguous"`  // several venues have the name; none is created then
	Events      int          `json:"events"`     // that it refuses, or would without a choice
	VenueUUID   value.Text   `json:"venue_uuid"` // that is used instead; null without a choice
	VenueName   value.Text   `json:"venue_name"` // of that
	Create      bool         `json:"create"`     // it is, or in a dry run would be, a new venue
	Proposals   []FoundVenue `json:"proposals"`  // the best first; none when something is imported
}

// ImportType is a name in the file that no type of events has.
type ImportType struct {
	ImportKind
	Events int `json:"events"`
}

// ImportEvent is one event of the file and the outcome for it. Several rows are one event when they
// have the same external id, or none but the same title and venue.
type ImportEvent struct {
	Number     int            `json:"number"` // of its first row; the header of a CSV file is row 1
	Rows       []int          `json:"rows"`
	Action     string         `json:"action"`     // one of the constants above
	EventUUID  value.Text     `json:"event_uuid"` // null for a refused new one, a deleted one, and in a dry run for any new one
	Like       value.Text     `json:"like"`       // the event that one that is held or linked looks like, else null
	ExternalID string         `json:"external_id"`
	Title      string         `json:"title"`
	Start      value.Text     `json:"start"`   // of the first date: 2026-12-24T20:00, all-day 2026-12-24
	Changes    []ImportChange `json:"changes"` // of the stored event
	// Kept are the fields that were edited here since the last import and differ from the file.
	Kept         []ImportChange `json:"kept"`
	MissingDates []string       `json:"missing_dates"` // starts of coming dates that are no longer in the file; they stay
	Reasons      []ImportReason `json:"reasons"`       // why it is refused
	Notes        []ImportReason `json:"notes"`         // values of the file that are not taken
}

// ImportChange is a changed value of a stored event, before and after the import, as text for
// people.
type ImportChange struct {
	Field  string     `json:"field"`
	Before value.Text `json:"before"`
	After  value.Text `json:"after"`
}

// ImportReason is why a row, or a value of it, cannot be imported.
type ImportReason struct {
	Row int `json:"row"`
	fault.Violation
}

// ImportMissing is an event that an earlier import of the same source has brought and the file no
// longer has.
type ImportMissing struct {
	EventUUID  string            `json:"event_uuid"`
	ExternalID string            `json:"external_id"`
	Title      string            `json:"title"`
	Action     string            `json:"action"`  // MissingKeep, MissingCancel, MissingDraft or ImportRefuse
	Reasons    []fault.Violation `json:"reasons"` // why it is refused
}

// ImportCounts are how many rows and events of each action there are.
type ImportCounts struct {
	Rows      int `json:"rows"`
	Create    int `json:"create"`
	Update    int `json:"update"`
	Unchanged int `json:"unchanged"`
	Refuse    int `json:"refuse"`
	Edited    int `json:"edited"` // events with Kept
	Missing   int `json:"missing"`
	Deleted   int `json:"deleted"`
	Held      int `json:"held"`   // only of sources
	Linked    int `json:"linked"` // the same
}
