package eventimport

import (
	"context"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
)

// report returns the report of the import.
func (r *run) report(ctx context.Context) (adminapi.ImportReport, error) {
	report := adminapi.ImportReport{
		Done: adminapi.Done{Message: "events imported"}, Format: r.file.Format, Encoding: r.file.Encoding, Separator: r.file.Separator,
		Source: r.request.source, DryRun: r.request.dryRun, Complete: len(r.results) == len(r.events),
		Columns: []adminapi.ImportColumn{}, Fields: eventfile.Fields, Events: r.results,
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
	err := r.DB.ReadTx(ctx, func(tx pgx.Tx) (err error) {
		report.Missing, err = readMissing(ctx, tx, r.org, r.request.source, r.ids(), r.today)
		return err
	})
	report.Counts = r.counts()
	report.Counts.Missing = len(report.Missing)
	return report, err
}

func (r *run) counts() adminapi.ImportCounts {
	counts := adminapi.ImportCounts{Rows: r.file.Rows}
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
		}
		if len(result.Kept) > 0 {
			counts.Edited++
		}
	}
	return counts
}
