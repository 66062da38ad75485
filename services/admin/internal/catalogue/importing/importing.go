// Package importing brings the events of files into an organization: CSV files and calendars, which
// package eventfile reads. It alone writes the table imported_event.
//
// Each event of a file is created or changed in a transaction of its own, through package editing:
// by the rights of the caller, with audit and outbox. A dry run takes the same steps and rolls
// back.
//
// An import remembers what the file said. The next one of the same source finds the events by
// their external ids, changes what the file has changed since, and keeps what people have edited.
// What a file no longer has is reported and stays.
package importing

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/semaphore"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventfile"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// Options are what the service needs.
type Options struct {
	DB     *postgres.DB
	Editor *editing.Editor
	Remote *remote.Reader
	Now    auth.Clock
	Zone   *time.Location // of places without one of their own
}

// How many files are read from their addresses, and how many are imported at once: each takes tens
// of MiB at the worst.
const (
	readings = 8
	imports  = 2
)

// Service imports files.
type Service struct {
	Options
	reading, importing *semaphore.Weighted
}

// New returns the service.
func New(options Options) *Service {
	return &Service{options, semaphore.NewWeighted(readings), semaphore.NewWeighted(imports)}
}

// Import imports a file into an organization, or with DryRun reports what that would do. It needs
// the permissions that add events there, or EditEvent; each event then needs what package editing
// asks for. The faults: NotFound for strangers, Forbidden; Invalid, naming fields of the body;
// TooLarge. A row that is refused is no fault but has its reasons in the report.
func (s *Service) Import(ctx context.Context, org string, body adminapi.ImportBody) (adminapi.ImportReport, error) {
	if err := s.admit(ctx, org); err != nil {
		return adminapi.ImportReport{}, err
	}
	request, err := readRequest(body)
	if err != nil {
		return adminapi.ImportReport{}, err
	}
	if request.data == nil {
		if request.data, err = s.read(ctx, request.address); err != nil {
			return adminapi.ImportReport{}, err
		}
	}
	if err := turn(ctx, s.importing); err != nil {
		return adminapi.ImportReport{}, err
	}
	defer s.importing.Release(1)
	return s.importFile(ctx, org, request)
}

// read reads a file from its address.
func (s *Service) read(ctx context.Context, address string) ([]byte, error) {
	if err := turn(ctx, s.reading); err != nil {
		return nil, err
	}
	defer s.reading.Release(1)
	return s.Remote.Read(ctx, address, eventfile.MaxBytes)
}

// turn waits for a place. The fault is Unavailable when the request's time ends before.
func turn(ctx context.Context, places *semaphore.Weighted) error {
	if err := places.Acquire(ctx, 1); err != nil {
		return fault.Wrap(err, fault.Unavailable, "busy", "too many files are being imported; try again in a moment")
	}
	return nil
}

// importFile imports a file that is there.
func (s *Service) importFile(ctx context.Context, org string, request request) (adminapi.ImportReport, error) {
	file, err := eventfile.Read(request.data, request.options)
	if err != nil {
		return adminapi.ImportReport{}, err
	}
	run := &run{Service: s, org: org, request: request, file: file, today: s.Now().In(s.Zone).Format(time.DateOnly)}
	if err := run.prepare(ctx); err != nil {
		return adminapi.ImportReport{}, err
	}
	if err := run.importAll(ctx); err != nil {
		return adminapi.ImportReport{}, err
	}
	return run.report(ctx)
}

// admit refuses those who can import nothing, before an address is read for them.
func (s *Service) admit(ctx context.Context, org string) error {
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
