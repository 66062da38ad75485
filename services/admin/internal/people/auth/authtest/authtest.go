// Package authtest holds helpers of several packages' tests: a clock that they move, cheap password
// hashes, accounts and members without their use cases, and sessions without a login.
package authtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/apikey"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Clock is a clock that stands still until it is moved.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock returns a clock that shows the present, in whole seconds.
func NewClock() *Clock { return &Clock{now: time.Now().UTC().Truncate(time.Second)} }

// ClockAt returns a clock that shows a moment.
func ClockAt(moment time.Time) *Clock { return &Clock{now: moment} }

// Now is the auth.Clock.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Move moves the clock, also back.
func (c *Clock) Move(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(by)
}

// Params make password hashes cheap.
var Params = auth.Params{Memory: 64, Time: 1, Threads: 1}

// Hasher returns a hasher with Params.
func Hasher() *auth.Hasher { return auth.NewHasher(Params, 4, 10*time.Second) }

// Stack holds the services of package auth over one database, as a node has them.
type Stack struct {
	Keys          *auth.Keyring
	Tokens        *auth.Tokens
	Sessions      *auth.Sessions
	Limiter       *auth.Limiter
	APIKeys       *apikey.Service
	Authenticator *auth.Authenticator
}

// TokenConfig is the configuration of a Stack: its defaults.
var TokenConfig = auth.TokenConfig{
	Issuer: "litfass", Audience: "litfass-admin",
	AccessLifetime: 15 * time.Minute, RefreshLifetime: 30 * 24 * time.Hour, Leeway: 15 * time.Second,
}

// NewStack returns the services of a node, with an active signing key.
func NewStack(t testing.TB, db *postgres.DB, clock *Clock) Stack {
	t.Helper()
	keys := auth.NewKeyring(auth.KeyringOptions{
		DB: db, Now: clock.Now, Rotation: 30 * 24 * time.Hour, MaxLifetime: TokenConfig.RefreshLifetime,
	})
	if _, _, err := keys.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	tokens, apiKeys := auth.NewTokens(keys, TokenConfig, clock.Now), apikey.New(db, clock.Now)
	return Stack{
		Keys: keys, Tokens: tokens,
		Sessions:      auth.NewSessions(tokens, clock.Now),
		Limiter:       auth.NewLimiter(db, clock.Now),
		APIKeys:       apiKeys,
		Authenticator: auth.NewAuthenticator(db, tokens, apiKeys),
	}
}

const insertUser = `
INSERT INTO app_user (email, password_hash, locale, activated_at)
VALUES ($1, $2, 'en', now())
RETURNING id`

// User makes an active user with the password "correct horse battery" and returns their id.
func User(t testing.TB, db *postgres.DB, email string) int {
	t.Helper()
	hash, err := Hasher().Hash(t.Context(), Password)
	if err != nil {
		t.Fatal(err)
	}
	var id int
	if err := db.Pool().QueryRow(t.Context(), insertUser, email, hash).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// Password is the password of every User.
const Password = "correct horse battery"

// LogIn opens a session of the user.
func (s Stack) LogIn(t testing.TB, db *postgres.DB, userID int) auth.Grant {
	t.Helper()
	grant, err := s.Sessions.Grant(t.Context(), userID)
	if err != nil {
		t.Fatal(err)
	}
	InTx(t, db, func(ctx context.Context, tx pgx.Tx) error { return s.Sessions.Open(ctx, tx, grant, "a test") })
	return grant
}

// InTx runs fn in a transaction that must succeed.
func InTx(t testing.TB, db *postgres.DB, fn func(ctx context.Context, tx pgx.Tx) error) {
	t.Helper()
	ctx := t.Context()
	if err := db.InTx(ctx, func(tx pgx.Tx) error { return fn(ctx, tx) }); err != nil {
		t.Fatal(err)
	}
}

const insertOrganization = `
INSERT INTO organization (uuid, name)
VALUES ($1, $2)`

const insertMember = `
INSERT INTO membership (uuid, org_uuid, user_id, role, permissions)
VALUES ($1, $2, $3, $4, $5)`

// Organization makes an organization and returns its uuid.
func Organization(t testing.TB, db *postgres.DB, name string) string {
	t.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	if _, err := db.Pool().Exec(t.Context(), insertOrganization, id, name); err != nil {
		t.Fatal(err)
	}
	return id
}

// Member makes the user a member of the organization with these permissions and returns the
// membership's uuid.
func Member(t testing.TB, db *postgres.DB, org string, userID int, set permission.Set) string {
	t.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	if _, err := db.Pool().Exec(t.Context(), insertMember, id, org, userID, permission.RoleOf(set), int64(set)); err != nil {
		t.Fatal(err)
	}
	return id
}

const insertKey = `
INSERT INTO api_key (uuid, user_id, org_uuid, name, prefix, hash, permissions, created_by)
VALUES ($1, CASE WHEN $2 = '' THEN $6::integer END, nullif($2, '')::uuid, 'test', left($3, 12), $4, $5, $6)`

// Key makes an API key of the user, or of the organization unless org is "", with these permissions
// and returns its text.
func Key(t testing.TB, db *postgres.DB, userID int, org string, set permission.Set) string {
	t.Helper()
	id, text := uuid.Must(uuid.NewV7()), auth.KeyMark+auth.NewSecret()
	_, err := db.Pool().Exec(t.Context(), insertKey, id, org, text, auth.Digest(text), int64(set), userID)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
