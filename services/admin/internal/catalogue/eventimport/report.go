package eventimport

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
)

// report returns the report of the import.
func (r *run) report() adminapi.ImportReport {
	report := adminapi.ImportReport{
		Done: adminapi.Done{Message: "events imported"}, Format: r.file.Format, Encoding: r.file.Encoding, Separator: r.file.Separator,
		Source: r.request.source, DryRun: r.request.dryRun, Complete: r.complete,
		Columns: []adminapi.ImportColumn{}, Fields: eventfile.Fields, Events: r.results, DateOrder: value.Text(r.file.DateOrder),
		Venues: []adminapi.ImportVenue{}, Kinds: []adminapi.ImportType{},
	}
	for _, named := range r.listedPlaces() {
		if shown := named.ImportVenue; shown.Create && !r.request.dryRun && !r.added[string(shown.VenueUUID)] {
			shown.Create, shown.VenueUUID, shown.VenueName = false, "", "" // all of its events are refused
			report.Venues = append(report.Venues, shown)
			continue
		}
		report.Venues = append(report.Venues, named.ImportVenue)
	}
	for _, named := range r.listedKinds() {
		report.Kinds = append(report.Kinds, *named)
	}
	if r.request.dryRun {
		report.Message = "nothing was imported: this is what an import would do"
	}
	if report.Events == nil {
		report.Events = []adminapi.ImportEvent{}
	}
	for _, c := range r.file.Columns {
		report.Columns = append(report.Columns, adminapi.ImportColumn{
			Name: c.Name, Samples: c.Samples, Field: value.Text(c.Field), GuessedBy: value.Text(c.GuessedBy), Note: value.Text(c.Note),
		})
	}
	report.Missing = append([]adminapi.ImportMissing{}, r.missing...)
	report.Counts = r.counts()
	return report
}

func (r *run) counts() adminapi.ImportCounts {
	counts := adminapi.ImportCounts{Rows: r.file.Rows, Missing: len(r.missing)}
	for _, result := range r.results {
		switch result.Action {
		case adminapi.ImportCreate:
			counts.Create++
		case adminapi.ImportUpdate:
			counts.Update++
		case adminapi.ImportUnchanged:
			counts.Unchanged++
		case adminapi.ImportRefuse:
			counts.Refuse++
		case adminapi.ImportDeleted:
			counts.Deleted++
		case adminapi.ImportHeld:
			counts.Held++
		case adminapi.ImportLinked:
			counts.Linked++
		}
		if len(result.Kept) > 0 {
			counts.Edited++
		}
	}
	return counts
}

// refuseBy adds the reasons of a fault that refuses the event, and returns any other error.
func (w *fileEvent) refuseBy(err error) error {
	why, err := refusal(err)
	for _, v := range why {
		w.reasons = append(w.reasons, adminapi.ImportReason{Row: w.rowOf(v.Field), Violation: v})
	}
	return err
}

// refusal returns the reasons of a fault that refuses an event, or any other error.
func refusal(err error) (why []fault.Violation, other error) {
	var f *fault.Fault
	refusals := []fault.Kind{fault.Invalid, fault.Conflict, fault.Forbidden, fault.NotFound, fault.Stale}
	switch {
	case !errors.As(err, &f) || !slices.Contains(refusals, f.Kind):
		return nil, err
	case len(f.Violations) == 0:
		return []fault.Violation{f.At("")}, nil
	}
	return f.Violations, nil
}

// rowOf returns the row of the date that a field such as dates[2] names if each row is one date,
// otherwise the first row.
func (w *fileEvent) rowOf(field string) int {
	var place int
	if _, err := fmt.Sscanf(field, "dates[%d]", &place); err == nil && place < len(w.dates) && len(w.dates) == len(w.rows) {
		return w.dates[place].row
	}
	return w.rows[0]
}

// maxValue is the maximum number of characters of a value in a report.
const maxValue = 300

// display formats a value for people: venues and contributors by their names, long texts shortened.
func (r *run) display(name, text string) value.Text {
	if name == eventfile.FieldVenue {
		venue, space, inside := strings.Cut(text, "/")
		text = r.places.venues.nameOf(venue)
		if inside {
			text += " / " + r.places.venues.spaceOf(venue, space)
		}
	}
	switch name {
	case eventfile.FieldContributors:
		text = r.cast.nameIn(text)
	case eventfile.FieldSeries:
		text = r.series.titlesOf(text)
	case eventfile.FieldKind:
		text = nameOfKinds(change.LookupEventTypes, text)
	case eventfile.FieldCategories:
		text = nameOfKinds(change.LookupCategories, text)
	}
	if runes := []rune(text); len(runes) > maxValue {
		text = string(runes[:maxValue-1]) + "…"
	}
	return value.Text(text)
}
