package app

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/postgres"
)

const day = 24 * time.Hour

// rowsOf returns the rows of the table below a heading of deploy/docs/storage.md, without its head.
func rowsOf(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	document, err := os.ReadFile("../../../../deploy/docs/storage.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(document), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if cells, is := strings.CutPrefix(strings.TrimSpace(line), "| "); is {
			rows = append(rows, strings.Split(strings.TrimSuffix(cells, " |"), " | "))
		}
	}
	if len(rows) < 3 {
		t.Fatalf("%s has %d rows", heading, len(rows))
	}
	return rows[2:]
}

var quoted = regexp.MustCompile("`([^`]+)`")

// TestEveryTableHasItsBound: the document for operators has each table of the database, and each
// job in it is a function.
func TestEveryTableHasItsBound(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	const tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
	stored, err := postgres.Collect[string](t.Context(), db, "tables", tables)
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, row := range rowsOf(t, "Tables") {
		if len(row) != 4 || slices.Contains(row, "") {
			t.Fatalf("the row %q", row)
		}
		for _, name := range quoted.FindAllStringSubmatch(row[0], -1) {
			documented = append(documented, name[1])
		}
		for _, job := range quoted.FindAllStringSubmatch(row[3], -1) {
			if !isFunction(t, job[1]) {
				t.Errorf("%s: there is no job %s", row[0], job[1])
			}
		}
	}
	for _, table := range stored {
		if count := len(slices.DeleteFunc(slices.Clone(documented), func(name string) bool { return name != table })); count != 1 {
			t.Errorf("the section Tables has %s %d times", table, count)
		}
	}
	for _, table := range slices.Concat(documented, growing) {
		if !slices.Contains(stored, table) {
			t.Errorf("there is no table %s", table)
		}
	}
}

// isFunction reports whether package/folder.Name is a function or a method of services/admin.
func isFunction(t *testing.T, job string) bool {
	t.Helper()
	folder, name, _ := strings.Cut(job, ".")
	files, err := filepath.Glob("../" + folder + "/*.go")
	if err != nil || len(files) == 0 {
		return false
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if function, is := declared.(*ast.FuncDecl); is && function.Name.Name == name {
				return true
			}
		}
	}
	return false
}

// TestEveryStreamHasItsBound: the document has each stream that package stream makes.
func TestEveryStreamHasItsBound(t *testing.T) {
	t.Parallel()
	source := ""
	files, err := filepath.Glob("../../../../pkg/chassis/stream/*.go")
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		if source += string(text); readErr != nil {
			t.Fatal(readErr)
		}
	}
	configs := strings.Count(source, "return jetstream.StreamConfig{")
	if rows := rowsOf(t, "Streams"); err != nil || configs == 0 || len(rows) != configs {
		t.Errorf("%d streams, and %d in the document; %v", configs, len(rows), err)
	}
}

// storage is a database with entries, messages and invitations of several ages.
type storage struct {
	*testing.T
	db  *postgres.DB
	now time.Time
}

func (s *storage) count(query string) (n int) {
	s.Helper()
	if err := s.db.QueryRow(s.Context(), query).Scan(&n); err != nil {
		s.Fatal(query, err)
	}
	return n
}

func (s *storage) clean(config Config) {
	s.Helper()
	for _, prune := range prunes(config) {
		if err := s.db.InTx(s.Context(), func(tx pgx.Tx) error { return prune(s.Context(), tx, s.now) }); err != nil {
			s.Fatal(err)
		}
	}
}

// TestOldRowsGo: entries, addresses, messages, invitations and preview links, each at its age.
func TestOldRowsGo(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	s := &storage{t, db, time.Now().UTC()}
	config := Config{Audit: audit.Config{Age: 700 * day, AddressAge: 90 * day}, Messages: inbox.Config{Age: 600 * day}}
	org, user := authtest.Organization(t, db, "Kulturhaus"), authtest.User(t, db, "anna@example.org")
	ctx := auth.WithOrigin(t.Context(), auth.Origin{Address: netip.MustParseAddr("203.0.113.9")})
	for _, days := range []int{800, 650, 650, 91, 89, 1} {
		at := s.now.AddDate(0, 0, -days)
		authtest.InTx(t, db, func(_ context.Context, tx pgx.Tx) error {
			message := inbox.NewMessage{OrgUUID: org, Subject: "a", Message: "b"}
			if err := inbox.Post(ctx, tx, 0, message, at, []int{user}); err != nil {
				return err
			}
			return audit.Record(ctx, tx, audit.Entry{At: at, Action: "todo.create", EntityKind: "todo", EntityID: strconv.Itoa(days)})
		})
	}
	for n, ended := range []string{"expires_at = now() - interval '91 days'", "revoked_at = now() - interval '91 days'",
		"accepted_at = now() - interval '2 years', accepted_by = " + strconv.Itoa(user), "revoked_at = now()"} {
		const insert = `
WITH made AS (
    INSERT INTO invitation (uuid, org_uuid, email, role, permissions, invited_by, expires_at)
    VALUES ($1, $2, $3, 'viewer', 0, $4, now() + interval '1 day') RETURNING 1
)
SELECT count(*) FROM made`
		var made int
		id := fmt.Sprintf("01920000-0000-7000-8000-0000000000f%d", n)
		if err := db.QueryRow(ctx, insert, id, org, fmt.Sprint(n, "@example.org"), user).Scan(&made); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(ctx, "UPDATE invitation SET "+ended+" WHERE uuid = $1", id); err != nil {
			t.Fatal(err)
		}
	}
	for n, ended := range []string{"now() - interval '366 days'", "now() - interval '364 days'", "NULL"} {
		insert := fmt.Sprintf(`
INSERT INTO api_key (uuid, user_id, name, prefix, hash, permissions, created_by, expires_at, created_at)
VALUES ('01920000-0000-7000-8000-0000000000a%d', $1, 'a', 'key%d', sha256('%d'::bytea), 0, $1, %s, now() - interval '2 years')`, n, n, n, ended)
		if _, err := db.Exec(ctx, insert, user); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // again changes nothing
		s.clean(config)
		for query, want := range map[string]int{
			"SELECT count(*) FROM audit_entry WHERE action = 'todo.create'": 5, "SELECT count(address) FROM audit_entry": 2, "SELECT count(*) FROM message": 3,
			"SELECT count(*) FROM message_recipient": 3, "SELECT count(*) FROM invitation": 2, "SELECT count(*) FROM api_key": 2,
		} {
			if got := s.count(query); got != want {
				t.Errorf("%s: %d, want %d", query, got, want)
			}
		}
	}
	s.now = s.now.Add(day)
	s.clean(config)
	if got := s.count("SELECT count(address) FROM audit_entry"); got != 2 {
		t.Errorf("%d addresses before the 90th day", got)
	}
	s.now = s.now.Add(day)
	s.clean(config)
	if got := s.count("SELECT count(address) FROM audit_entry"); got != 1 {
		t.Errorf("%d addresses after the 90th day", got)
	}
}

// TestSizesAreExported: of each table once the database answers, of those that grow also before.
func TestSizesAreExported(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	if got, tables := testutil.CollectAndCount(newTableSizes(db), "litfass_table_bytes"), len(rowsOf(t, "Tables")); got < tables {
		t.Errorf("the sizes of %d tables, of at least %d", got, tables)
	}
	absent, err := postgres.Open(t.Context(), "postgres://127.0.0.1:1/none")
	if err != nil {
		t.Fatal(err)
	}
	defer absent.Close()
	if got := testutil.CollectAndCount(newTableSizes(absent), "litfass_table_bytes"); got != len(growing) {
		t.Errorf("the sizes of %d tables without a database, want %d", got, len(growing))
	}
}
