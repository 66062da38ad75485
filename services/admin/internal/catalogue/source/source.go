// Package source reads addresses of calendars, tables and pages on a schedule, and imports their
// events into an organization. Only it writes the tables event_source and source_duplicate.
//
// A reading is an import by package eventimport, which finds known events by the external ids of
// the source and keeps edits that were made here. It is made with the rights of the member who last
// saved the source, as they are at the time; the source fails once that member has left.
//
// Each admin process looks for due sources. One is claimed for as long as a reading takes: of all
// processes one reads it, and if that one dies, another reads it once the claim has ended. Two
// sources of an organization are not read at once, so that neither misses an event of the other.
//
// A file that is the same as at the last reading, by its validators or its content, is not imported
// again on the same day. Events that have vanished from it are cancelled or withdrawn as the source
// says, but not after a failure, which a file without events is, too, and not when most of them
// have vanished: then a member must confirm it.
//
// An event that is new and at the place and time of another one is held until a member decides. A
// decision lasts as long as that other event.
//
// Another Litfass is read once as a whole, and from then on by its change feed (see feed). Its
// events have the address at which they first were as their origin, which is public, so that an
// event that comes back, through however many others, is known.
//
// A new kind of source is a format of package eventfile, or, if it comes in parts, a feed.
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Config is the configuration of the readings.
type Config struct {
	Readings int `env:"SOURCE_READINGS" envDefault:"8"` // of one process at once; 0: this process reads no sources
}

// Options are the dependencies of a Service.
type Options struct {
	DB      *postgres.DB
	Imports *eventimport.Service
	Limiter *auth.Limiter
	Now     auth.Clock
	Zone    *time.Location
	Log     *slog.Logger
	Config  Config

	PublicURL string // of this Litfass

	// LookAgain is how often a reading looks whether its source was deleted; 0: every two seconds.
	LookAgain time.Duration

	// Jitter returns by how much a reading is later than its interval, so that sources of the same
	// server are not all read at once. nil: at random, up to a tenth.
	Jitter func(interval time.Duration) time.Duration
}

// Service holds the use cases, and reads the sources.
type Service struct {
	Options
	readings *prometheus.CounterVec
}

// The results of readings.
const (
	resultImported  = "imported"
	resultUnchanged = "unchanged"
	resultFailed    = "failed"
	resultAborted   = "aborted" // by this service or its engines, not by the source
)

// New returns the service.
func New(options Options) *Service {
	if options.Jitter == nil {
		options.Jitter = func(interval time.Duration) time.Duration { return rand.N(interval/10 + 1) }
	}
	options.LookAgain = cmp.Or(options.LookAgain, 2*time.Second)
	s := &Service{Options: options, readings: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "litfass_source_readings_total",
		Help: "Readings of the sources of organizations by their result.",
	}, []string{"result"})}
	for _, result := range []string{resultImported, resultUnchanged, resultFailed, resultAborted} {
		s.readings.WithLabelValues(result)
	}
	return s
}

// Register adds the metrics of the service to a registry.
func (s *Service) Register(metrics prometheus.Registerer) { metrics.MustRegister(s.readings) }

// managing are the permissions of those who see and change sources, whose addresses may be secret.
const managing = permission.AddEvent | permission.ChooseAsEventOrganization | permission.EditEvent

// neededFor returns the permissions that a source needs.
func neededFor(body adminapi.SourceBody) permission.Set {
	need := managing
	if body.Defaults.ReleaseStatus == statusReleased || withdraws(body) {
		need |= permission.ReleaseEvent
	}
	for _, place := range body.Venues {
		if place.Create {
			need |= permission.AddVenue
		}
	}
	return need
}

const statusReleased = "released"

func withdraws(body adminapi.SourceBody) bool {
	return body.Missing != "" && body.Missing != adminapi.MissingKeep
}

// stored is a source as it is stored.
type stored struct {
	adminapi.Source
	record  string // the source of its imports
	version int64
	person  int // see Source.AnswersFor; 0: none
}

const sourceColumns = `
SELECT
    s.uuid::text, s.org_uuid::text, s.name, s.address, s.interval_minutes, s.paused, s.settings,
    coalesce(u.display_name, concat_ws(' ', u.first_name, u.last_name), ''),
    s.next_read_at, s.read_at, s.succeeded_at, s.failures, s.failing_since, s.failure,
    (SELECT count(*) FROM source_duplicate d WHERE d.source_uuid = s.uuid AND d.decision IS NULL), s.report,
    s.record, s.version, coalesce(s.answers_for, 0)
FROM event_source s
LEFT JOIN membership m ON m.org_uuid = s.org_uuid AND m.user_id = s.answers_for
LEFT JOIN app_user u ON u.id = s.answers_for AND (m.uuid IS NOT NULL OR u.is_platform_admin)`

// settings are the fields of a source that are stored as one value.
type settings struct {
	Format    string                   `json:"format"`
	Mapping   []adminapi.ImportMapping `json:"mapping"`
	DateOrder string                   `json:"date_order"`
	Defaults  adminapi.ImportDefaults  `json:"defaults"`
	Venues    []adminapi.ImportPlace   `json:"venues"`
	Kinds     []adminapi.ImportKind    `json:"kinds"`
	Missing   string                   `json:"missing"`
}

func scan(row pgx.CollectableRow) (found stored, err error) {
	s, set := &found.Source, settings{}
	err = row.Scan(&s.UUID, &s.OrgUUID, &s.Name, (*string)(&s.Address), &s.IntervalMinutes, &s.Paused, &set,
		(*string)(&s.AnswersFor), &s.NextReadAt, &s.ReadAt, &s.SucceededAt, &s.Failures, &s.FailingSince, &s.Failure,
		&s.HeldDuplicates, &s.Report, &found.record, &found.version, &found.person)
	set.to(&s.SourceBody)
	return found, err
}

const (
	selectSources = sourceColumns + `
WHERE s.org_uuid = $1
ORDER BY lower(s.name), s.uuid`

	selectSource = sourceColumns + `
WHERE s.org_uuid = $1 AND s.uuid = $2`

	lockSource = selectSource + `
FOR UPDATE OF s`
)

// readOne returns a source of an organization. The fault is NotFound for an unknown one.
func readOne(ctx context.Context, tx pgx.Tx, query, org, id string) (stored, error) {
	rows, _ := tx.Query(ctx, query, org, id) // the error comes with the row
	found, err := pgx.CollectExactlyOneRow(rows, scan)
	if errors.Is(err, pgx.ErrNoRows) {
		return found, errNotFound()
	}
	if err != nil {
		return found, fmt.Errorf("read source: %w", err)
	}
	return found, nil
}

func errNotFound() error {
	return fault.New(fault.NotFound, "source_not_found", "there is no such source")
}

// List returns the sources of an organization, by their names, without the rows of reports, of
// which each has hundreds. The faults: NotFound for a stranger;
// Forbidden.
func (s *Service) List(ctx context.Context, org string) (adminapi.Sources, error) {
	shown := adminapi.Sources{Sources: []adminapi.Source{}}
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, managing); err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, selectSources, org) // the error comes with the rows
		all, err := pgx.CollectRows(rows, scan)
		if err != nil {
			return fmt.Errorf("read sources: %w", err)
		}
		for _, one := range all {
			if r := one.Report; r != nil { // whose rows only Show has
				r.Refused, r.Notes, r.Missing = []adminapi.SourceRow{}, []adminapi.SourceRow{}, []adminapi.ImportMissing{}
			}
			shown.Sources = append(shown.Sources, one.Source)
		}
		return nil
	})
	return shown, err
}

// Show returns a source with its duplicates and its version. The faults are those of List, and
// NotFound.
func (s *Service) Show(ctx context.Context, org, id string) (shown adminapi.ShownSource, version int64, err error) {
	err = s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, managing); err != nil {
			return err
		}
		found, err := readOne(ctx, tx, selectSource, org, id)
		if err != nil {
			return err
		}
		shown.Source, version = found.Source, found.version
		shown.Duplicates, err = readDuplicates(ctx, tx, org, id)
		return err
	})
	return shown, version, err
}
