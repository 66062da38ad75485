package quota_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/quota"
)

func newUUID() string { return uuid.Must(uuid.NewV7()).String() }

// owners are an organization, a venue and an account.
type owners struct{ org, venue, user string }

func newOwners(t *testing.T, db *postgres.DB) owners {
	t.Helper()
	o := owners{org: authtest.Organization(t, db, "Kulturhaus"), venue: newUUID()}
	o.user = strconv.Itoa(authtest.User(t, db, "anna@example.org"))
	if _, err := db.Pool().Exec(t.Context(), `INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Halle')`, o.venue, o.org); err != nil {
		t.Fatal(err)
	}
	return o
}

// insert adds one thing of an owner, as the package of its table does.
func insert(ctx context.Context, tx pgx.Tx, thing quota.Thing, owner string) error {
	statements := map[quota.Thing]string{
		quota.Lists:  `INSERT INTO list (uuid, org_uuid, slug, name, titles, public, entries) VALUES ($1::uuid, $2::uuid, $1::uuid::text, 'Liste', '[]', true, '[]')`,
		quota.Spaces: `INSERT INTO space (uuid, venue_uuid, name) VALUES ($1, $2::uuid, 'Saal')`,
	}
	_, err := tx.Exec(ctx, statements[thing], newUUID(), owner)
	return err
}

// TestSimultaneousAdditionsAreCounted: of twenty that come at once, as many are stored as the owner
// may still have.
func TestSimultaneousAdditionsAreCounted(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	o := newOwners(t, db)
	const left = 3
	for thing, owner := range map[quota.Thing]string{quota.Lists: o.org, quota.Spaces: o.venue} {
		most := quota.Bounds[thing].InAll
		if err := db.InTx(t.Context(), func(tx pgx.Tx) error {
			for range most - left {
				if err := insert(t.Context(), tx, thing, owner); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var together sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			together.Go(func() {
				errs[i] = db.InTx(t.Context(), func(tx pgx.Tx) error {
					if err := insert(t.Context(), tx, thing, owner); err != nil {
						return err
					}
					return quota.Add(t.Context(), tx, thing, owner, 1)
				})
			})
		}
		together.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			f := fault.Of(err)
			if f.Kind != fault.Conflict || f.Code != quota.Bounds[thing].Code || f.Violations[0].Field != string(thing) || fmt.Sprint(f.Violations[0].Params["max"]) != strconv.Itoa(most) {
				t.Errorf("%v", err)
			}
		}
		if made != left {
			t.Errorf("%d %s were added, want %d", made, thing, left)
		}
	}
}

// TestADayEnds: the bound of a day counts what is gone again, per owner, and the next day begins
// anew.
func TestADayEnds(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	o := newOwners(t, db)
	add := func(thing quota.Thing, owner string, count int) error {
		return db.InTx(t.Context(), func(tx pgx.Tx) error { return quota.Add(t.Context(), tx, thing, owner, count) })
	}
	for thing, bound := range quota.Bounds {
		owner := map[string]string{"venue": o.venue, "account": o.user}[bound.Owner]
		if owner == "" {
			owner = o.org
		}
		if err := add(thing, owner, bound.ADay); err != nil {
			t.Errorf("%s: %v", thing, err)
		}
		for range 2 { // a refused one counts for nothing
			if err := add(thing, owner, 1); err == nil || fault.Of(err).Code != "too_many_today" || fault.Of(err).Violations[0].Field != string(thing) {
				t.Errorf("%s: one more is %v", thing, err)
			}
		}
	}
	if err := add(quota.Webhooks, o.user, 1); err != nil {
		t.Errorf("another owner: %v", err)
	}
	if _, err := db.Pool().Exec(t.Context(), "UPDATE quota SET day = day - 1"); err != nil {
		t.Fatal(err)
	}
	if err := add(quota.Events, o.org, 1); err != nil {
		t.Errorf("a day later: %v", err)
	}
	if _, err := db.Pool().Exec(t.Context(), "UPDATE quota SET day = day - 1 WHERE thing <> 'events'"); err != nil {
		t.Fatal(err)
	}
	left := 0
	err := db.InTx(t.Context(), func(tx pgx.Tx) error {
		if err := quota.Prune(t.Context(), tx, time.Now()); err != nil {
			return err
		}
		return tx.QueryRow(t.Context(), "SELECT count(*) FROM quota").Scan(&left)
	})
	if err != nil || left != 1 {
		t.Errorf("%d counts are left: %v", left, err)
	}
}

// TestOwnersAreToldApart: the keys and webhooks of an organization are not those of the account
// that made them, and organizations are counted by those that own them.
func TestOwnersAreToldApart(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	o := newOwners(t, db)
	user, _ := strconv.Atoi(o.user)
	authtest.Member(t, db, o.org, user, permission.All)
	check := func(thing quota.Thing, owner string) error {
		return db.InTx(t.Context(), func(tx pgx.Tx) error { return quota.InAll(t.Context(), tx, thing, owner) })
	}
	for range quota.Bounds[quota.Keys].InAll + 1 {
		_, err := db.Pool().Exec(t.Context(), `
INSERT INTO api_key (uuid, org_uuid, name, prefix, hash, permissions, created_by, created_at)
VALUES ($1::uuid, $2, 'k', 'lf_000000000', decode(md5($1::uuid::text) || md5($1::uuid::text), 'hex'), 0, $3, now())`, newUUID(), o.org, user)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := check(quota.Keys, o.org); err == nil {
		t.Error("too many keys of an organization are not found")
	}
	for _, thing := range []quota.Thing{quota.Keys, quota.Webhooks, quota.Organizations} {
		if err := check(thing, o.user); err != nil {
			t.Errorf("%s of the account: %v", thing, err)
		}
	}
}
