// Package eventfile reads events from CSV files, spreadsheets (XLSX), calendars (iCalendar, RFC
// 5545) and pages (schema.org in JSON-LD), as other programs and people write them. It is pure: it
// takes the bytes of a file and returns its rows grouped by event, with the reasons why rows cannot
// be read.
//
// Columns are recognized by their names in English, German and Danish, else by their content; a
// request may map them. An ambiguous value is refused with a reason, not guessed: the day of
// 03/04/2026 in a file whose other dates do not show the order.
//
// Several rows are one event when they have the same external id, or none but the same title and
// venue. They may differ in when and where they take place, in status and ticket link. A value of
// the event itself that differs refuses the row.
//
// XLSX has a reader of its own: excelize v2.11.1 reads a damaged sheet as a shorter one, with no
// error, and, bounded to 16 MiB unpacked, takes 0.6 to 1.2 GB for files of less than 50 KB.
package eventfile

import (
	"context"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/hours"
)

// The formats of files.
const (
	FormatCSV      = "csv"
	FormatCalendar = "ics"
	FormatPage     = "jsonld" // JSON-LD in a page or a file
	FormatGuess    = "guess"
)

// The limits of a file.
const (
	MaxBytes = adminapi.MaxImportBytes
	MaxRows  = 2_000
	MaxDates = 20_000 // of all rows together, including the dates of rules

	maxColumns = 100
	maxSample  = 80 // characters of a value that is shown as a sample
	maxSamples = 3
)

// The orders of day and month in dates such as 03/04/2026.
const (
	DayFirst   = "dmy"
	MonthFirst = "mdy"
)

// Options configure the reading of a file.
type Options struct {
	Format    string            // one of the formats; "" is FormatGuess
	Mapping   map[string]string // fields by the names of columns; "" leaves a column out
	DateOrder string            // DayFirst, MonthFirst, or "" to go by the other dates of the column
	Until     string            // YYYY-MM-DD: where rules without an end do end; "" refuses them

	Pages []Page // further ones of a page, see Links

	work *work // of Read

	// Earlier returns the mapping and the order of dates of an earlier file with the same columns.
	// It is asked where Mapping is nil, and may be nil.
	Earlier func(columns []string) (mapping map[string]string, dateOrder string, err error)
}

// File is a parsed file.
type File struct {
	Format    string
	Encoding  string
	Separator string // of a CSV file
	Columns   []Column
	DateOrder string // of Options, else of an earlier file; "" for that of the other dates
	Rows      int
	Events    []Event // in the order of their first rows
}

// Event is one event of a file.
type Event struct {
	Rows       []int
	ExternalID string            // never "": one without its own is named by title and venue
	Values     map[string]string // of the event's own fields that the file has, also empty ones
	Dates      []Date            // in the order of the file
	Reasons    []Reason          // why it cannot be imported
	Notes      []Reason          // what is not taken, although it is imported
	PlaceHours *hours.Hours      // opening hours of its place; nil for none

	seen map[Moment]bool // the keys of Dates
}

// Date is a date of an event.
type Date struct {
	Row    int
	ID     string // identifies the date from one import to the next; "" without, then Key does
	Key    Moment // identifies the date from one import to the next: its start, in a rule the original one
	Start  Moment
	End    Moment            // the zero Moment when there is none
	Values map[string]string // of the date's own fields that the file has
	// Moments are those of Values that are moments: the times of sale, and the former start.
	Moments map[string]Moment
	Hours   *hours.Hours // opening hours; nil where the file does not say whether it has any
	// Tariffs are those of another Litfass; a file has them in Values.
	Tariffs []adminapi.Tariff
}

// Reason is why a row, or a value of it, cannot be imported.
type Reason struct {
	Row int
	fault.Violation
}

// Read reads a file while ctx lasts. The faults: Invalid, naming content, format, mapping or until;
// TooLarge for a file of too many rows or dates, or that takes too much work; Unavailable when ctx
// ends. Rows that cannot be read are no fault: see Event.Reasons.
func Read(ctx context.Context, data []byte, options Options) (File, error) {
	if len(data) > MaxBytes {
		return File{}, tooLarge(MaxBytes>>20, reason.WordMiB)
	}
	size := len(data)
	for _, page := range options.Pages {
		size += len(page.Data)
	}
	options.work = newWork(ctx, size)
	text, encoding, err := decode(data, options.work)
	if err != nil {
		return File{}, err
	}
	format := options.Format
	if format == "" || format == FormatGuess {
		format = guessFormat(text)
	}
	read := readTable
	switch format {
	case FormatCalendar:
		read = readCalendar
	case FormatPage:
		read = readPage
	}
	file, err := read(text, options)
	if ended := options.work.fault(); ended != nil {
		return File{}, ended
	}
	file.Format, file.Encoding = format, encoding
	return file, err
}

func invalid(field string, why *reason.Reason) error {
	var bad fault.Violations
	bad.Add(field, why)
	return bad.Err("invalid_import", "the file cannot be imported")
}

func tooLarge(most int, unit reason.Word) error {
	f := fault.New(fault.TooLarge, "import_too_large", "the file has more than %d %s", most, unit)
	f.Violations = fault.Violations{fault.Violate("content", reason.FileTooLarge(most, unit))}
	return f
}
