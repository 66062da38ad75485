package adminapi

// The most characters that texts of the catalogue hold; the schema of the database has the same.
const (
	MaxName        = 500     // names, parts of addresses, labels
	MaxTitle       = 2_000   // titles and other single lines
	MaxReason      = 2_000   // why something is taken back, refused, closed or cancelled
	MaxText        = 10_000  // summaries, notes, messages
	MaxDescription = 100_000 // descriptions
	MaxURL         = 2_048
	MaxEmail       = 320 // of a contact
	MaxTag         = 100
)

// The bounds of what accounts are made of.
const (
	MaxAddress  = 254   // characters of an account's e-mail address (RFC 5321)
	MinPassword = 12    // characters of a new one
	MaxPassword = 1_024 // bytes, enough for a sentence
	MaxToken    = 4_096 // characters, more than every token that is issued
)

// MaxSearched is the most characters by which the dates of an event are searched: those of its
// texts in all languages, tags and contributors, once for each date.
const MaxSearched = 10_000_000

// MaxImageBytes is the maximum size of the file of an image.
const MaxImageBytes = 5 << 20

// The bounds of an import.
const (
	MaxImportBytes   = 5 << 20 // of the file
	MaxImportChoices = 100     // columns that are mapped, and choices of venues and of types
)

// The longest lists of opening hours.
const (
	MaxWeekly  = 50
	MaxClosed  = 100 // spans
	MaxSpecial = 200

	MaxClosedDays = 1_000

	MaxDatesWithHours = 50    // of an event; calendars have every exception of each
	MaxDateTariffs    = 1_000 // of all dates of an event
)

// The highest numbers of an event.
const (
	MaxAge       = 150 // years
	MaxAttendees = 10_000_000
)
