package user_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/version"
)

// leaver is a person with rows in every table that refers to people, and with texts of her own in
// each column that identifies her.
type leaver struct {
	*world
	id, bert   int
	org        string
	ctx        context.Context
	avatars    *user.Avatars
	pictures   fs.FS
	identifies []string // in no row after she left
}

const leaverID = 7654321 // found in no other number

// leaverRows are about her: {id}, with Bert {bert} in the organization {org}. {uuid} is a new one.
var leaverRows = []string{
	`UPDATE app_user SET pending_email = 'pending@leaver.example' WHERE id = {id}`,
	`UPDATE membership SET invited_by = {id} WHERE user_id = {bert}`,
	`INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, expires_at)
	VALUES ('{uuid}', '{org}', 'guest@example.org', 'viewer', 0, {id}, now() + interval '1 day')`,
	`INSERT INTO invitation (
		uuid, org_uuid, email, role, permissions, invited_by, expires_at, accepted_at, accepted_by
	)
	VALUES ('{uuid}', '{org}', 'former@leaver.example', 'viewer', 0, {bert}, now(), now(), {id})`,
	`INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, expires_at)
	VALUES ('{uuid}', '{org}', 'Now@Leaver.Example', 'viewer', 0, {bert}, now() + interval '1 day')`,
	`INSERT INTO api_key (uuid, user_id, name, prefix, hash, permissions, created_by)
	VALUES ('{uuid}', {id}, 'Key of Leavera', 'lfk_1234', pg_catalog.sha256('1'), 0, {id})`,
	`INSERT INTO api_key (uuid, org_uuid, name, prefix, hash, permissions, created_by)
	VALUES ('{uuid}', '{org}', 'Shared', 'lfk_1235', pg_catalog.sha256('2'), 0, {id})`,
	`INSERT INTO api_key (uuid, org_uuid, name, prefix, hash, permissions, created_by, revoked_at, revoked_by)
	VALUES ('{uuid}', '{org}', 'Other', 'lfk_1236', pg_catalog.sha256('3'), 0, {bert}, now(), {id})`,
	`WITH sent AS (
		INSERT INTO message (from_user_id, org_uuid, subject, body)
		VALUES ({id}, '{org}', 'Keys', 'Under the mat.')
		RETURNING id
	)
	INSERT INTO message_recipient (message_id, user_id)
	SELECT id, {bert} FROM sent`,
	`WITH sent AS (
		INSERT INTO message (from_user_id, subject, body)
		VALUES ({bert}, 'Welcome', 'Hello')
		RETURNING id
	)
	INSERT INTO message_recipient (message_id, user_id)
	SELECT id, {id} FROM sent`,
	`INSERT INTO todo (user_id, title) VALUES ({id}, 'Call Leaverson')`,
	`INSERT INTO venue (uuid, org_uuid, name) VALUES ('{uuid}', '{org}', 'Saal')`,
	`WITH planned AS (
		INSERT INTO event (
			uuid, org_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion, release_status
		)
		VALUES ('{uuid}', '{org}', 'Konzert', '{}', '{}', '{}', 'free', '{}', 0, 'draft')
		RETURNING uuid
	)
	INSERT INTO preview_link (hash, event_uuid, created_at, expires_at, org_uuid, made_by)
	SELECT pg_catalog.sha256('4'), uuid, now(), now() + interval '1 day', '{org}', {id} FROM planned`,
	`INSERT INTO venue_request (uuid, event_uuid, venue_uuid, org_uuid, state, asked_by, asked_at, decided_by, decided_at)
	SELECT '{uuid}', e.uuid, v.uuid, '{org}', 'refused', {id}, now(), {id}, now()
	FROM event e, venue v`,
	`INSERT INTO event_source (
		uuid, org_uuid, name, address, record, interval_minutes, paused, settings, answers_for, created_at, updated_at, next_read_at
	)
	VALUES ('{uuid}', '{org}', 'x', 'https://example.org/a.ics', 'x', 60, false, '{}', {id}, now(), now(), now())`,
	`INSERT INTO webhook (uuid, user_id, name, url, types, filter, secret, sealed, created_at, updated_at)
	VALUES ('{uuid}', {id}, 'x', 'https://example.org', '{event.created}', '{}', '', false, now(), now())`,
	`INSERT INTO webhook (uuid, org_uuid, created_by, name, url, types, filter, secret, sealed, created_at, updated_at)
	VALUES ('{uuid}', '{org}', {id}, 'x', 'https://example.org', '{event.created}', '{}', '', false, now(), now())`,
	`INSERT INTO held_notice (user_id, template, notices, since) VALUES ({id}, 'series_asked', 1, now())`,
	`INSERT INTO quota (owner, thing, day, added) VALUES ('{id}', 'organizations', current_date, 1)`,
	`INSERT INTO event_presence (event_uuid, user_id, seen_at) VALUES ('{uuid}', {id}, now())`,
	`WITH queued AS (
		INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at)
		VALUES ('pending@leaver.example', 'confirm_email', 'en', now(), now())
		RETURNING id
	)
	INSERT INTO one_time_token (purpose, user_id, mail_id, created_at, expires_at)
	SELECT 'email', {id}, id, now(), now() FROM queued`,
	`INSERT INTO event_report (uuid, event_uuid, event_title, org_uuid, reason, email, created_at)
	VALUES ('{uuid}', '{uuid}', 'Konzert', '{org}', 'spam', 'Now@Leaver.example', now())`,
	`INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at, sent_at, last_error)
	VALUES ('now@leaver.example', 'reset', 'en', now(), now(), now(), '550 now@leaver.example')`,
	`INSERT INTO mail_outbox (recipient, template, locale, arguments, created_at, due_at)
	VALUES ('former@leaver.example', 'email_changed', 'en', '{"user_id": {id}}', now(), now())`,
	`INSERT INTO mail_outbox (recipient, template, locale, created_at, due_at)
	VALUES ('bert@example.org', 'reset', 'en', now(), now())`,
}

func newLeaver(t *testing.T) *leaver {
	t.Helper()
	w := newWorld(t)
	l := &leaver{world: w, org: authtest.Organization(t, w.db, "Kulturhaus"), bert: authtest.User(t, w.db, bert)}
	w.exec(t, "ALTER TABLE app_user ALTER COLUMN id RESTART WITH "+strconv.Itoa(leaverID))
	var err error
	person := newUser("now@leaver.example", "Leavera", "Leaverson")
	person.DisplayName = "Leavy the Leaver"
	l.id, err = w.CreateUser(t.Context(), person)
	wantOK(t, "create", err)
	for _, id := range []int{l.id, l.bert} {
		authtest.Member(t, w.db, l.org, id, permission.All)
	}
	l.ctx = w.as(t, w.LogIn(t, w.db, l.id).Access)
	folder := t.TempDir()
	l.pictures, l.avatars = os.DirFS(folder), openAvatars(t, w.db, "file://"+folder)
	_, err = l.avatars.Set(l.ctx, version.Expected{}, upload(t, red))
	wantOK(t, "set avatar", err)
	for _, statement := range leaverRows {
		w.exec(t, strings.NewReplacer(
			"{id}", strconv.Itoa(l.id), "{bert}", strconv.Itoa(l.bert), "{org}", l.org,
			"{uuid}", uuid.Must(uuid.NewV7()).String(),
		).Replace(statement))
	}
	w.exec(t, "UPDATE session SET user_agent = 'Leaver browser' WHERE user_id = $1", l.id)
	l.record(t)
	l.identifies = []string{"leaver", strconv.Itoa(leaverID), "203.0.113.9"}
	return l
}

// record adds audit entries of every kind that identifies the person.
func (l *leaver) record(t *testing.T) {
	t.Helper()
	self := strconv.Itoa(l.id)
	visitor := from(t, "203.0.113.9")
	for _, entry := range []struct {
		ctx context.Context
		audit.Entry
	}{
		{visitor, audit.Entry{Action: "user.signup", EntityKind: "user", EntityID: self}},
		{l.ctx, audit.Entry{
			Action: "user.change_email", EntityKind: "user", EntityID: self,
			Before: map[string]string{"email": "former@leaver.example"}, After: map[string]string{"email": "now@leaver.example"},
		}},
		{l.ctx, audit.Entry{
			Action: "todo.create", EntityKind: "todo", EntityID: "1", After: map[string]string{"title": "Call Leaverson"},
		}},
		{l.ctx, audit.Entry{
			Action: "organization.update", EntityKind: "organization", EntityID: l.org, OrgUUID: l.org,
			Before: map[string]string{"city": "Kiel"}, After: map[string]string{"city": "Husum"},
		}},
		{t.Context(), audit.Entry{
			Action: "member.invite", EntityKind: "invitation", EntityID: l.org, OrgUUID: l.org,
			After: map[string]string{"email": "Former@leaver.example", "role": "viewer"},
		}},
	} {
		entry.At = l.clock.Now()
		authtest.InTx(t, l.db, func(_ context.Context, tx pgx.Tx) error { return audit.Record(entry.ctx, tx, entry.Entry) })
	}
}

func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.db.Pool().Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// collect returns the values of a query's only column.
func (w *world) collect(t *testing.T, query string, args ...any) []string {
	t.Helper()
	rows, _ := w.db.Pool().Query(t.Context(), query, args...)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return values
}

// selectPersonal are the columns that refer to an account, or whose names suggest an address or an
// account; without the addresses that organizations publish.
const selectPersonal = `
SELECT c.relname || '.' || a.attname
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind = 'r'
    AND c.relnamespace = current_schema()::regnamespace
    AND a.attname <> 'contact_email'
    AND (
        a.attname ~ 'user_|email$|recipient|author|owner'
        OR EXISTS (
            SELECT
            FROM pg_constraint k
            WHERE k.conrelid = c.oid
                AND k.contype = 'f'
                AND k.confrelid = 'app_user'::regclass
                AND a.attnum = ANY (k.conkey)
        )
    )
ORDER BY 1`

// wantEverywhere fails for a column that refers to people and holds nothing of the leaver: a new
// one needs a row in leaverRows, and its owner's part in user.Delete.
func (l *leaver) wantEverywhere(t *testing.T) {
	t.Helper()
	for _, column := range l.collect(t, selectPersonal) {
		table, name, _ := strings.Cut(column, ".")
		found := l.count(t, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s::text ~* $1", table, name), "leaver|"+strconv.Itoa(leaverID))
		if found == 0 {
			t.Errorf("%s refers to people, but this test has no row there: add one, and handle it when an account is deleted", column)
		}
	}
}

const selectTables = `
SELECT table_name::text
FROM information_schema.tables
WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
ORDER BY 1`

// traces are the columns of every table, as table.column, in which a text is found.
func (l *leaver) traces(t *testing.T, text string) []string {
	t.Helper()
	var found []string
	for _, table := range l.collect(t, selectTables) {
		const columns = `
SELECT DISTINCT e.key
FROM %s AS t, jsonb_each(to_jsonb(t)) AS e
WHERE position(lower($1) IN lower(e.value::text)) > 0
ORDER BY 1`
		for _, column := range l.collect(t, fmt.Sprintf(columns, table), text) {
			found = append(found, table+"."+column)
		}
	}
	return found
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	l.wantEverywhere(t)
	for _, text := range l.identifies {
		if len(l.traces(t, text)) == 0 {
			t.Errorf("%q is nowhere: the search does not work", text)
		}
	}
	wantOK(t, "delete", l.Delete(l.ctx, l.avatars, password))
	for _, text := range l.identifies {
		allowed := []string{}
		if text == strconv.Itoa(leaverID) { // the number leads to no person any more
			allowed = []string{"audit_entry.actor_user_id", "audit_entry.before", "audit_entry.entity_id"}
		}
		if found := l.traces(t, text); !slices.Equal(found, allowed) && len(found)+len(allowed) > 0 {
			t.Errorf("%q is still in %v, want %v", text, found, allowed)
		}
	}
	err := fs.WalkDir(l.pictures, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			t.Errorf("the picture %s is still stored", name)
		}
		return err
	})
	wantOK(t, "read blob store", err)
}

func TestDeletedAccountLeavesToOthersWhatIsTheirs(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	wantOK(t, "delete", l.Delete(l.ctx, l.avatars, password))
	const received = `
SELECT count(*)
FROM message_recipient r
JOIN message m ON m.id = r.message_id
WHERE r.user_id = $1 AND m.from_user_id IS NULL AND m.body = 'Under the mat.'`
	for query, want := range map[string]int{
		received: 1,
		"SELECT count(*) FROM message WHERE from_user_id = $1 AND kept_by_sender":                     1,
		"SELECT count(*) FROM membership WHERE user_id = $1 AND role = 'owner'":                       1,
		"SELECT count(*) FROM api_key WHERE created_by = $1 AND name = 'Other'":                       1,
		"SELECT count(*) FROM mail_outbox o JOIN app_user u ON u.email = o.recipient WHERE u.id = $1": 1,
	} {
		if got := l.count(t, query, l.bert); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	const kept = "SELECT action || coalesce(' ' || before::text, '') || coalesce(' ' || after::text, '') FROM audit_entry ORDER BY id"
	entries := l.collect(t, kept)
	for _, want := range []string{
		"user.signup", `user.change_email {"email": null} {"email": null}`, `todo.create {"title": null}`,
		`organization.update {"city": "Kiel"} {"city": "Husum"}`, `member.invite {"role": "viewer", "email": null}`,
		fmt.Sprintf(`member.leave {"role": "owner", "user_id": %d, "permissions": "520556415"}`, leaverID), "user.delete",
	} {
		if !slices.Contains(entries, want) {
			t.Errorf("the audit has no %s in\n%s", want, strings.Join(entries, "\n"))
		}
	}
}

func TestDeleteRefuses(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	want(t, "wrong password", l.Delete(l.ctx, l.avatars, "x"), fault.Forbidden, "wrong_password")
	want(t, "no password", l.Delete(l.ctx, l.avatars, ""), fault.Invalid, "invalid_parameters")
	key := auth.WithPrincipal(t.Context(), auth.Principal{UserID: l.id, APIKey: uuid.NewString()})
	want(t, "an API key", l.Delete(key, l.avatars, password), fault.Forbidden, "login_required")

	l.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", l.bert) // owns nothing meanwhile
	second := authtest.Organization(t, l.db, "Archiv")
	authtest.Member(t, l.db, second, l.id, permission.All)
	err := l.Delete(l.ctx, l.avatars, password)
	want(t, "the last owner", err, fault.Conflict, "last_owner")
	want(t, "the last owner with a wrong password", l.Delete(l.ctx, l.avatars, "x"), fault.Forbidden, "wrong_password")
	if named := fmt.Sprint(fault.Of(err).Violations); named != fmt.Sprintf(
		"[{%s Archiv has no other owner last_owner map[organization:Archiv]} "+
			"{%s Kulturhaus has no other owner last_owner map[organization:Kulturhaus]}]", second, l.org,
	) {
		t.Errorf("named %s", named)
	}
	if got := l.count(t, "SELECT count(*) FROM session WHERE user_id = $1 AND revoked_at IS NULL", l.id); got != 1 {
		t.Errorf("%d open sessions after refusals", got)
	}
}

// Two owners who leave at once: one of them stays.
func TestLastTwoOwnersDeleteTheirAccounts(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	contexts := []context.Context{l.ctx, l.as(t, l.LogIn(t, l.db, l.bert).Access)}
	outcomes := make(chan string, len(contexts))
	for _, ctx := range contexts {
		go func() {
			err := l.Delete(ctx, l.avatars, password)
			if err == nil {
				outcomes <- "deleted"
				return
			}
			outcomes <- fault.Of(err).StableCode()
		}()
	}
	got := []string{<-outcomes, <-outcomes}
	slices.Sort(got)
	if !slices.Equal(got, []string{"deleted", "last_owner"}) {
		t.Errorf("outcomes %v", got)
	}
	if owners := l.count(t, "SELECT count(*) FROM membership WHERE org_uuid = $1 AND role = 'owner'", l.org); owners != 1 {
		t.Errorf("%d owners remain", owners)
	}
}

func TestExportHoldsEverything(t *testing.T) {
	t.Parallel()
	l := newLeaver(t)
	const more = `
INSERT INTO todo (user_id, title, description)
SELECT $1, n::text, repeat('x', 9000)
FROM generate_series(1, 120) AS n`
	l.exec(t, more, l.id)
	reader, err := l.Export(l.ctx)
	wantOK(t, "export", err)
	data, err := io.ReadAll(reader)
	wantOK(t, "read", err)
	var export struct {
		Account map[string]any `json:"account"`
		lists
	}
	wantOK(t, "decode", json.Unmarshal(data, &export))
	if export.Account["email"] != "now@leaver.example" || export.Account["user_id"] != float64(l.id) || export.Account["locale"] != "da" {
		t.Errorf("account %v", export.Account)
	}
	for name, list := range map[string]struct {
		rows []map[string]any
		want int
	}{
		"memberships": {export.Memberships, 1}, "made": {export.Made, 1}, "received": {export.Received, 2},
		"sessions": {export.Sessions, 1}, "keys": {export.Keys, 2}, "messages received": {export.In, 1},
		"messages sent": {export.Out, 1}, "todos": {export.Todos, 121}, "mails": {export.Mails, 1}, "reports": {export.Reports, 1},
		"audit": {export.Audit, 4},
	} {
		if len(list.rows) != list.want {
			t.Errorf("%d %s, want %d: %.500s", len(list.rows), name, list.want, fmt.Sprint(list.rows))
		}
	}
	for i, row := range export.Todos[1:] {
		if row["title"] != strconv.Itoa(i+1) {
			t.Fatalf("todo %d is %v", i+1, row["title"])
		}
	}
	for _, secret := range []string{"argon2id", "hash", "sha256"} {
		if strings.Contains(string(data), secret) {
			t.Errorf("the export contains %q", secret)
		}
	}
	_, err = l.Export(auth.WithPrincipal(t.Context(), auth.Principal{UserID: l.id, APIKey: uuid.NewString()}))
	want(t, "an API key", err, fault.Forbidden, "login_required")
}

// lists are the lists in an export.
type lists struct {
	Memberships []map[string]any `json:"memberships"`
	Made        []map[string]any `json:"invitations_made"`
	Received    []map[string]any `json:"invitations_received"`
	Sessions    []map[string]any `json:"sessions"`
	Keys        []map[string]any `json:"api_keys"`
	In          []map[string]any `json:"messages_received"`
	Out         []map[string]any `json:"messages_sent"`
	Todos       []map[string]any `json:"todos"`
	Mails       []map[string]any `json:"mails"`
	Reports     []map[string]any `json:"reports"`
	Audit       []map[string]any `json:"audit_entries"`
}
