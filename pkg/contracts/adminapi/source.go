package adminapi

import (
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/value"
)

// The intervals at which a source may be read, in minutes.
const (
	MinSourceInterval = 15
	MaxSourceInterval = 7 * 24 * 60
)

// ImportLitfass is the format of a source that is another Litfass, by its change feed.
const ImportLitfass = "litfass"

// MaxSourceRows is how many rows of each kind the report of a source has.
const MaxSourceRows = 100

// SourceBody describes a source: an address that is read on a schedule. The fields that an import
// has, too, mean the same.
type SourceBody struct {
	Name            string          `json:"name"`
	Address         value.Text      `json:"address"`
	IntervalMinutes int             `json:"interval_minutes"`
	Paused          bool            `json:"paused"`
	Format          string          `json:"format"`
	Mapping         []ImportMapping `json:"mapping"`
	DateOrder       value.Text      `json:"date_order"`
	Defaults        ImportDefaults  `json:"defaults"` // release_status: what new events become
	Venues          []ImportPlace   `json:"venues"`
	Kinds           []ImportKind    `json:"kinds"`
	Missing         value.Text      `json:"missing"` // absent: keep
}

// Source is a source with its health.
type Source struct {
	UUID    string `json:"uuid"`
	OrgUUID string `json:"org_uuid"`
	SourceBody
	AnswersFor     value.Text       `json:"answers_for"` // the name of the member by whose rights it is read; null for none
	NextReadAt     time.Time        `json:"next_read_at"`
	ReadAt         *time.Time       `json:"read_at"` // null: never
	SucceededAt    *time.Time       `json:"succeeded_at"`
	Failures       int              `json:"failures"` // since it last succeeded
	FailingSince   *time.Time       `json:"failing_since"`
	Failure        *fault.Violation `json:"failure"`
	HeldDuplicates int              `json:"held_duplicates"` // to be decided
	Report         *SourceReport    `json:"report"`          // of the last import; null: none
}

// SourceReport is what a source last had.
type SourceReport struct {
	At       time.Time       `json:"at"`
	Format   string          `json:"format"`
	Counts   ImportCounts    `json:"counts"`
	Complete bool            `json:"complete"` // false: time ran out; the next reading does the rest
	Refused  []SourceRow     `json:"refused"`  // at most MaxSourceRows
	Notes    []SourceRow     `json:"notes"`    // the same
	Missing  []ImportMissing `json:"missing"`  // the same
	// HeldBack reports that so many events were missing that none was cancelled or withdrawn.
	HeldBack bool `json:"held_back"`
}

// SourceRow is an event of a source that was refused, or of which a value was not taken.
type SourceRow struct {
	Title   string         `json:"title"`
	Start   value.Text     `json:"start"`
	Reasons []ImportReason `json:"reasons"`
}

// Sources are the sources of an organization.
type Sources struct {
	Sources []Source `json:"sources"`
}

// WrittenSource is a source that was written.
type WrittenSource struct {
	Done
	Source
}

// ShownSource is a source with its duplicates.
type ShownSource struct {
	Source
	Duplicates []SourceDuplicate `json:"duplicates"` // to be decided first, at most MaxSourceRows
}

// The decisions about an event of a source that looks like another one.
const (
	SourceSame      = "same"      // it is that event, and is not imported
	SourceDifferent = "different" // it is imported
)

// SourceDuplicate is an event of a source that looks like an event of the catalogue: at the same
// place and time.
type SourceDuplicate struct {
	ExternalID string      `json:"external_id"`
	Decision   value.Text  `json:"decision"` // null: to be decided
	Entry      SourceEntry `json:"entry"`    // of the source
	Event      SourceEvent `json:"event"`    // of the catalogue
}

// SourceEntry is an event as a source had it.
type SourceEntry struct {
	Title      string     `json:"title"`
	Start      value.Text `json:"start"`
	VenueName  value.Text `json:"venue_name"`
	SourceLink value.Text `json:"source_link"`
}

// SourceEvent is the event of the catalogue that an event of a source looks like.
type SourceEvent struct {
	UUID          string     `json:"uuid"`
	Title         string     `json:"title"`
	Start         value.Text `json:"start"` // of the same date as the entry's, else of its first
	VenueName     value.Text `json:"venue_name"`
	OrgUUID       string     `json:"org_uuid"`
	OrgName       string     `json:"org_name"`
	ReleaseStatus string     `json:"release_status"`
}

// SourceReading asks for a source to be read now.
type SourceReading struct {
	Missing bool `json:"missing"` // cancel or withdraw missing events, however many there are
}

// SourceDecision decides about a duplicate.
type SourceDecision struct {
	ExternalID string `json:"external_id"`
	Decision   string `json:"decision"` // SourceSame or SourceDifferent
}
