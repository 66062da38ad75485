package editing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

// stage is a database with an organization, two venues and a space, and an empty outbox.
type stage struct {
	testing.TB
	db       *postgres.DB
	operator *Operator
	org      *rules.Organization
	venue    *rules.Venue
	other    *rules.Venue // without a space
	space    *rules.Space
}

func newStage(t testing.TB) *stage {
	t.Helper()
	db, _ := storetest.New(t)
	s := &stage{TB: t, db: db, operator: NewOperator(db)}
	s.org = &rules.Organization{UUID: newID(), Name: "Kulturhaus"}
	s.venue = &rules.Venue{UUID: newID(), OrgUUID: s.org.UUID, Name: "Alte Post", City: "Flensburg", Country: "DEU"}
	s.other = &rules.Venue{UUID: newID(), OrgUUID: s.org.UUID, Name: "Hafenspitze"}
	s.space = &rules.Space{UUID: newID(), VenueUUID: s.venue.UUID, Name: "Saal", SpaceType: "hall"}
	s.mustSave(s.org, s.venue, s.other, s.space)
	s.clearOutbox()
	return s
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// event is a released event in the stage's venue with one date.
func (s *stage) event() *rules.Event {
	return &rules.Event{
		UUID: newID(), OrgUUID: s.org.UUID, VenueUUID: value.Text(s.venue.UUID), Title: "Konzert",
		ReleaseStatus: rules.StatusReleased,
		Dates:         []rules.Date{{UUID: newID(), StartDate: "2026-11-20", StartTime: "19:30"}},
	}
}

// save saves a batch; only the whole batch's failure ends the test.
func (s *stage) save(batch ...rules.Entity) []Result {
	s.Helper()
	results, err := s.operator.Save(s.Context(), batch)
	if err != nil {
		s.Fatal(err)
	}
	return results
}

// saveOne saves one entity.
func (s *stage) saveOne(entity rules.Entity) Result {
	s.Helper()
	return s.save(entity)[0]
}

// mustSave saves a batch of which nothing may be refused and returns the outcomes.
func (s *stage) mustSave(batch ...rules.Entity) []Outcome {
	s.Helper()
	var outcomes []Outcome
	for i, result := range s.save(batch...) {
		if result.Err != nil {
			s.Fatalf("%s %s: %v", batch[i].Kind(), batch[i].Key(), result.Err)
		}
		outcomes = append(outcomes, result.Outcome)
	}
	return outcomes
}

// mustRefuse checks that err is a fault of that kind which names exactly those fields.
func (s *stage) mustRefuse(err error, kind fault.Kind, fields ...string) {
	s.Helper()
	if !fault.Is(err, kind) {
		s.Fatalf("got %v, want a fault of kind %s", err, kind)
	}
	var named []string
	for _, violation := range fault.Of(err).Violations {
		named = append(named, violation.Field)
	}
	if !slices.Equal(named, fields) {
		s.Fatalf("fault names %v, want %v: %v", named, fields, err)
	}
}

// outbox returns the rows of the outbox, as sorted "kind id" lines without repeats, and empties it.
func (s *stage) outbox() []string {
	s.Helper()
	var lines []string
	err := s.db.InTx(s.Context(), func(tx pgx.Tx) error {
		rows, err := tx.Query(s.Context(), "SELECT DISTINCT kind || ' ' || entity_id FROM outbox ORDER BY 1")
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	s.clearOutbox()
	return lines
}

func (s *stage) clearOutbox() {
	s.Helper()
	if _, err := s.db.Pool().Exec(s.Context(), "DELETE FROM outbox"); err != nil {
		s.Fatal(err)
	}
}

// wantOutbox checks that the outbox holds exactly those entities, and empties it.
func (s *stage) wantOutbox(entities ...string) {
	s.Helper()
	slices.Sort(entities)
	if got := s.outbox(); !slices.Equal(got, entities) {
		s.Fatalf("outbox holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(entities, "\n"))
	}
}

func line(kind change.Kind, id string) string { return fmt.Sprintf("%s %s", kind, id) }

func (s *stage) storedEvent(uuid string) store.Stored[*rules.Event] {
	s.Helper()
	return load(s, store.Events, uuid)
}

// load reads one entity.
func load[E rules.Entity](s *stage, table store.Table[E], key string) store.Stored[E] {
	s.Helper()
	var found store.Found[E]
	err := s.db.InTx(s.Context(), func(tx pgx.Tx) error {
		var err error
		found, err = table.Read(s.Context(), tx, []string{key})
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return found[key]
}

func pointer[T any](v T) *T { return &v }

// past and future are times of releases, for the clock of the database as for any other.
var past, future = time.Date(2001, time.May, 1, 8, 0, 0, 0, time.UTC), time.Date(2999, time.May, 1, 8, 0, 0, 0, time.UTC)
