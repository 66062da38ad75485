package eventimport

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
)

// report returns the report of the import.
func (r *run) report() adminapi.ImportReport {
	report := adminapi.ImportReport{
		Done: adminapi.Done{Message: "events imported"}, Format: r.file.Format, Encoding: r.file.Encoding, Separator: r.file.Separator,
		Source: r.request.source, DryRun: r.request.dryRun, Complete: len(r.results) == len(r.events),
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
		}
		if len(result.Kept) > 0 {
			counts.Edited++
		}
	}
	return counts
}
