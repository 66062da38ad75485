// Package eventimport imports the events of CSV files, spreadsheets and calendars, which package
// eventfile parses, into an organization. Only it writes the tables imported_event and
// import_choice.
//
// Each event of a file is created or changed in a transaction of its own, through package editing:
// by the rights of the caller, with audit and outbox. A dry run takes the same steps for many
// events at once and rolls back.
//
// A venue that the file names and that is not known by that name refuses its events, unless the
// request says once for the file which venue it is, or that it is new. Such choices and the mapping
// of columns are kept for the next file with the same columns.
//
// An import records the values of the file. The next one of the same source finds the events by
// their external ids, takes over the values that have changed in the file since, and keeps those
// that people have edited. An event that was deleted here stays deleted, unless the request
// restores it. Events that are no longer in the file are reported; the request may have them
// cancelled or withdrawn.
package eventimport

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
	"litfass/services/admin/internal/platform/turns"
)

// Options are the dependencies of a Service.
type Options struct {
	DB       *postgres.DB
	Editor   *editing.Editor
	Overview *overview.Service
	Images   *editing.Images
	Remote   *remote.Reader
	Now      auth.Clock
	Zone     *time.Location // of venues without one
}

// The numbers of files that are read from their addresses and imported at once, of all
// organizations and of one: each may take tens of MiB. No server is waited for at a place of an
// import.
const (
	maxReads, maxReadsOfOne     = 12, 2
	maxImports, maxImportsOfOne = 2, 1
)

// Service imports files.
type Service struct {
	Options
	reads, imports *turns.Places
}

// New returns the service.
func New(options Options) *Service {
	return &Service{options, turns.New(maxReads, maxReadsOfOne), turns.New(maxImports, maxImportsOfOne)}
}

// Import imports a file into an organization, or with DryRun only reports the effects. It needs the
// permissions that add events there, or EditEvent; each event then needs the permissions that
// package editing requires. The faults: NotFound for strangers, Forbidden; Invalid, naming fields
// of the body; TooLarge. A refused row is no fault: the report holds its reasons.
func (s *Service) Import(ctx context.Context, org string, body adminapi.ImportBody) (adminapi.ImportReport, error) {
	if err := s.requireAnyRight(ctx, org); err != nil {
		return adminapi.ImportReport{}, err
	}
	request, err := readRequest(body)
	if err != nil {
		return adminapi.ImportReport{}, err
	}
	if request.data == nil {
		if request.data, err = s.readFrom(ctx, org, request.address, eventfile.MaxBytes); err != nil {
			return adminapi.ImportReport{}, err
		}
	}
	report, _, err := s.run(ctx, org, request)
	return report, err
}

// run imports a file that was read. held is as for Service.ImportReading.
func (s *Service) run(ctx context.Context, org string, request request) (report adminapi.ImportReport, held bool, err error) {
	run := &run{Service: s, org: org, request: request, today: s.Now().In(s.Zone).Format(time.DateOnly)}
	if err := run.importFile(ctx); err != nil {
		return report, false, err
	}
	if err := run.importImages(ctx); err != nil {
		return report, false, err
	}
	return run.report(), run.missingHeld, nil
}

// importFile imports the file without its images, at a place of an import.
func (r *run) importFile(ctx context.Context) error {
	leave, err := take(ctx, r.imports, r.org)
	if err != nil {
		return err
	}
	defer leave()
	for _, step := range []func(context.Context) error{r.read, r.prepare, r.importAll, r.importMissing, r.finish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	r.forget()
	return nil
}

// readFrom reads a file of at most so many bytes from its address.
func (s *Service) readFrom(ctx context.Context, org, address string, most int) ([]byte, error) {
	leave, err := take(ctx, s.reads, org)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.Remote.Read(ctx, address, most)
}

// take waits for a place of an organization. The fault is Unavailable when ctx ends before.
func take(ctx context.Context, places *turns.Places, org string) (leave func(), err error) {
	if leave, err = places.Take(ctx, org); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "busy", "too many files are being imported; try again in a moment")
	}
	return leave, nil
}

// requireAnyRight refuses callers who can import nothing, before an address is read for them.
func (s *Service) requireAnyRight(ctx context.Context, org string) error {
	return s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		have, err := access.Permissions(ctx, tx, auth.PrincipalOf(ctx), org)
		if err != nil {
			return err
		}
		if !have.Has(permission.AddEvent|permission.ChooseAsEventOrganization) && !have.Has(permission.EditEvent) {
			return access.ErrMissing()
		}
		return nil
	})
}
