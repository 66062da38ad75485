package store_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/rules/rulestest"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
)

// stage is a database with an organization, a venue and a space.
type stage struct {
	*testing.T
	db    *postgres.DB
	org   *rules.Organization
	venue *rules.Venue
	space *rules.Space
}

func newStage(t *testing.T) *stage {
	t.Helper()
	db, _ := storetest.New(t)
	s := &stage{T: t, db: db}
	s.org = &rules.Organization{UUID: rulestest.NewID(), Name: "Kulturhaus"}
	s.venue = &rules.Venue{UUID: rulestest.NewID(), OrgUUID: s.org.UUID, Name: "Alte Post", City: "Flensburg", Country: "DEU", Use: adminapi.VenueOpen}
	s.space = &rules.Space{UUID: rulestest.NewID(), VenueUUID: s.venue.UUID, Name: "Saal", SpaceType: "hall"}
	writeAndRead(s, store.Organizations, s.org)
	writeAndRead(s, store.Venues, s.venue)
	writeAndRead(s, store.Spaces, s.space)
	return s
}

// event is a released event in the stage's venue with one date.
func (s *stage) event() *rules.Event {
	return &rules.Event{
		UUID: rulestest.NewID(), OrgUUID: s.org.UUID, VenueUUID: value.Text(s.venue.UUID), Title: "Konzert",
		ReleaseStatus: rules.StatusReleased,
		Dates:         []rules.Date{{UUID: rulestest.NewID(), StartDate: "2026-11-20", StartTime: "19:30"}},
	}
}

// writeAndRead writes an entity over its stored version, checks that it reads back unchanged, and
// returns its version.
func writeAndRead[E rules.Entity](s *stage, table store.Table[E], entity E) int64 {
	s.Helper()
	if err := rules.Check(entity); err != nil {
		s.Fatal(err)
	}
	if event, is := any(entity).(*rules.Event); is {
		event.CountAvailabilities(nil)
	}
	var versions store.Versions
	var read store.Found[E]
	err := s.db.InTx(s.Context(), func(tx pgx.Tx) error {
		stored, err := table.Read(s.Context(), tx, []string{entity.Key()})
		if err != nil {
			return err
		}
		if versions, err = table.Write(s.Context(), tx, []E{entity}, stored); err != nil {
			return err
		}
		read, err = table.Read(s.Context(), tx, []string{entity.Key()})
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	same(s.T, read[entity.Key()].Entity, entity)
	if written, found := versions[entity.Key()], read[entity.Key()].Version; written != found {
		s.Fatalf("version %d was written, %d is read", written, found)
	}
	return read[entity.Key()].Version
}

// same compares two entities by content.
func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		a, _ := json.MarshalIndent(got, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		t.Fatalf("got\n%s\nwant\n%s", a, b)
	}
}
