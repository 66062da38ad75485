package access_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
)

func TestRequire(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	org, other := authtest.Organization(t, db, "Kulturhaus"), authtest.Organization(t, db, "Jazzclub")
	editorSet, _ := permission.Of(permission.Editor)
	owner, editor, bare := authtest.User(t, db, "o@example.org"), authtest.User(t, db, "e@example.org"), authtest.User(t, db, "b@example.org")
	stranger := authtest.User(t, db, "s@example.org")
	authtest.Member(t, db, org, owner, permission.All)
	authtest.Member(t, db, org, editor, editorSet)
	authtest.Member(t, db, org, bare, 0)
	authtest.Member(t, db, other, stranger, permission.All)

	login := func(user int) auth.Principal { return auth.Principal{UserID: user, SessionID: "s"} }
	personal := func(user int, limit permission.Set) auth.Principal {
		return auth.Principal{UserID: user, APIKey: "k", KeyLimit: limit}
	}
	orgKey := func(org string, limit permission.Set) auth.Principal {
		return auth.Principal{APIKey: "k", KeyOrg: org, KeyLimit: limit}
	}
	tests := []struct {
		name string
		who  auth.Principal
		org  string
		need permission.Set
		want fault.Kind // "" for allowed
	}{
		{"the zero principal", auth.Principal{}, org, 0, fault.Unauthenticated},
		{"owner", login(owner), org, permission.All, ""},
		{"editor with the bit", login(editor), org, permission.ReleaseEvent, ""},
		{"editor with one bit of two", login(editor), org, permission.ReleaseEvent | permission.ManageTeam, fault.Forbidden},
		{"editor without the bit", login(editor), org, permission.ManageTeam, fault.Forbidden},
		{"member without any bit, reading", login(bare), org, 0, ""},
		{"member without any bit, writing", login(bare), org, permission.EditEvent, fault.Forbidden},
		{"owner of another organization", login(stranger), org, 0, fault.NotFound},
		{"unknown organization", login(owner), uuid.Must(uuid.NewV7()).String(), 0, fault.NotFound},
		{"platform administrator", auth.Principal{UserID: stranger, SessionID: "s", PlatformAdmin: true}, org, permission.All, ""},
		{"platform administrator, unknown organization", auth.Principal{UserID: stranger, PlatformAdmin: true},
			uuid.Must(uuid.NewV7()).String(), 0, fault.NotFound},
		{"personal key within its limit", personal(owner, permission.EditEvent), org, permission.EditEvent, ""},
		{"personal key beyond its limit", personal(owner, permission.EditEvent), org, permission.DeleteEvent, fault.Forbidden},
		{"personal key beyond its user", personal(bare, permission.All), org, permission.EditEvent, fault.Forbidden},
		{"personal key of a stranger", personal(stranger, permission.All), org, 0, fault.NotFound},
		{"organization's key", orgKey(org, permission.EditEvent), org, permission.EditEvent, ""},
		{"organization's key beyond its limit", orgKey(org, permission.EditEvent), org, permission.AddEvent, fault.Forbidden},
		{"another organization's key", orgKey(other, permission.All), org, 0, fault.NotFound},
	}
	for _, test := range tests {
		have, err := access.Require(t.Context(), db.Pool(), test.who, test.org, test.need)
		switch {
		case test.want == "" && (err != nil || !have.Has(test.need)):
			t.Errorf("%s: %d, %v", test.name, have, err)
		case test.want != "" && (!fault.Is(err, test.want) || have != 0):
			t.Errorf("%s: %d, %v, want %s", test.name, have, err, test.want)
		}
	}
}

func TestRequireFollowsWhatBelongsToTheOrganization(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	org := authtest.Organization(t, db, "Kulturhaus")
	owner, stranger := authtest.User(t, db, "o@example.org"), authtest.User(t, db, "s@example.org")
	authtest.Member(t, db, org, owner, permission.All)
	venue, space, event := newID(), newID(), newID()
	for _, insert := range [][]any{
		{"INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Haus')", venue, org},
		{"INSERT INTO space (uuid, venue_uuid, name) VALUES ($1, $2, 'Saal')", space, venue},
		{`INSERT INTO event (uuid, org_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion, release_status)
			VALUES ($1, $2, 'Lesung', '{}', '{}', '{}', 'free', '{}', 0, 'draft')`, event, org},
	} {
		if _, err := db.Pool().Exec(t.Context(), insert[0].(string), insert[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	require := map[string]func(who auth.Principal, id string) (string, error){
		venue: func(who auth.Principal, id string) (string, error) {
			return access.RequireVenue(t.Context(), db.Pool(), who, id, permission.EditVenue)
		},
		space: func(who auth.Principal, id string) (string, error) {
			return access.RequireSpace(t.Context(), db.Pool(), who, id, permission.EditSpace)
		},
		event: func(who auth.Principal, id string) (string, error) {
			return access.RequireEvent(t.Context(), db.Pool(), who, id, permission.EditEvent)
		},
	}
	for id, ask := range require {
		if got, err := ask(auth.Principal{UserID: owner}, id); err != nil || got != org {
			t.Errorf("owner: %s, %v", got, err)
		}
		_, theirs := ask(auth.Principal{UserID: stranger}, id)
		_, unknown := ask(auth.Principal{UserID: stranger}, newID())
		if !fault.Is(theirs, fault.NotFound) || theirs.Error() != unknown.Error() {
			t.Errorf("a stranger can tell %q from %q", theirs, unknown)
		}
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

const (
	removeMember = "DELETE FROM membership WHERE uuid = $1"
	demoteMember = "UPDATE membership SET role = 'viewer', permissions = 268435456 WHERE uuid = $1"
)

func isLastOwner(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.ConstraintName == "membership_last_owner"
}

func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	org := authtest.Organization(t, db, "Kulturhaus")
	first := authtest.Member(t, db, org, authtest.User(t, db, "1@example.org"), permission.All)
	second := authtest.Member(t, db, org, authtest.User(t, db, "2@example.org"), permission.All)
	if _, err := db.Pool().Exec(t.Context(), demoteMember, first); err != nil {
		t.Fatalf("one of two owners: %v", err)
	}
	for _, statement := range []string{removeMember, demoteMember} {
		if _, err := db.Pool().Exec(t.Context(), statement, second); !isLastOwner(err) {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if _, err := db.Pool().Exec(t.Context(), "DELETE FROM organization WHERE uuid = $1", org); err != nil {
		t.Errorf("the organization itself cannot be deleted: %v", err)
	}
}

// TestLastTwoOwnersAtOnce has both leave in transactions that are open at the same time, with and
// without the lock that package access offers.
func TestLastTwoOwnersAtOnce(t *testing.T) {
	t.Parallel()
	for name, locked := range map[string]bool{"with the lock": true, "by the schema alone": false} {
		for _, statement := range []string{removeMember, demoteMember} {
			t.Run(name, func(t *testing.T) {
				db, _ := storetest.New(t)
				org := authtest.Organization(t, db, "Kulturhaus")
				members := []string{
					authtest.Member(t, db, org, authtest.User(t, db, "1@example.org"), permission.All),
					authtest.Member(t, db, org, authtest.User(t, db, "2@example.org"), permission.All),
				}
				errs := leaveAtOnce(t, db, org, members, statement, locked)
				if (errs[0] == nil) == (errs[1] == nil) || (!isLastOwner(errs[0]) && !isLastOwner(errs[1])) {
					t.Fatalf("one must leave and the other stay: %v", errs)
				}
				var owners int
				const count = "SELECT count(*) FROM membership WHERE org_uuid = $1 AND role = 'owner'"
				if err := db.Pool().QueryRow(t.Context(), count, org).Scan(&owners); err != nil || owners != 1 {
					t.Fatalf("%d owners are left, %v", owners, err)
				}
			})
		}
	}
}

// leaveAtOnce runs the statement for both members in transactions of which neither commits before
// both have begun and, without the lock, before both have changed their row.
func leaveAtOnce(t *testing.T, db *postgres.DB, org string, members []string, statement string, locked bool) [2]error {
	t.Helper()
	var errs [2]error
	var wait, ready sync.WaitGroup
	ready.Add(2)
	for i, member := range members {
		wait.Go(func() {
			errs[i] = pgx.BeginFunc(t.Context(), db.Pool(), func(tx pgx.Tx) error {
				if locked {
					ready.Done()
					ready.Wait()
					if err := access.Lock(t.Context(), tx, org); err != nil {
						return err
					}
				}
				_, err := tx.Exec(context.WithoutCancel(t.Context()), statement, member)
				if !locked {
					ready.Done()
					ready.Wait()
				}
				return err
			})
		})
	}
	wait.Wait()
	return errs
}
