package editing

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// editing is a stack with two admin processes on one database. More people log in here than one
// address may in five minutes.
type editing struct {
	*harness.System
	second        string // the address of the second admin process
	secondProcess string // its name
}

// TestEditing: what organizers write over HTTP is stored and reaches the public, all of it and
// nothing else, also when many write at once.
func TestEditing(t *testing.T) {
	s := &editing{System: &harness.System{Stack: harness.RunRaced(t, stack.Options{Env: []string{"LOGIN_ATTEMPTS=100000", "SIGNUP_ATTEMPTS=1000"}})}}
	s.Client = client.New(s.URL(), 8)
	var err error
	s.secondProcess, s.second, err = s.StartAnother(t.Context(), stack.Admin, "PREVIEW_VALID=2s")
	if err != nil {
		t.Fatal(err)
	}
	s.AwaitReady(t)
	t.Run("an event from signup to deletion", s.testLifecycle)
	t.Run("a museum with its opening hours", s.testMuseum)
	t.Run("a run that a box office sells out", s.testBoxOffice)
	t.Run("fifty editors of one event", s.testParallelEditors)
	t.Run("editors of all kinds at once", s.testEverythingAtOnce)
	noDeadlocks(s.System, t)
	t.Run("scheduled releases", s.testScheduledReleases)
	s.AwaitReady(t)
	s.Verify(t)
}

// noDeadlocks reads the log of PostgreSQL, to which it first writes itself: a log without that line
// would be the wrong one.
func noDeadlocks(s *harness.System, t *testing.T) {
	t.Helper()
	const mark = "looking for deadlocks"
	database, err := pgx.Connect(t.Context(), s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(t.Context())
	if _, err := database.Exec(t.Context(), fmt.Sprintf("DO $$ BEGIN RAISE LOG '%s'; END $$", mark)); err != nil {
		t.Fatal(err)
	}
	var log string
	harness.Await(t, "the log of PostgreSQL is written", func() error {
		content, err := os.ReadFile(s.LogFile(stack.Postgres))
		if log = string(content); err == nil && !strings.Contains(log, "LOG:  "+mark) {
			err = errors.New("not yet")
		}
		return err
	})
	for line := range strings.Lines(log) {
		if strings.Contains(line, "deadlock") && !strings.Contains(line, mark) {
			t.Error(line)
		}
	}
}
