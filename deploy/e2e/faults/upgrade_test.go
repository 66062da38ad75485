package faults

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
)

// TestRollingUpgrade replaces two admins with another form of snapshots, and the processes of two
// read nodes, one after another, while others read and edit. An old and a new admin run next to
// each other, and an old one comes back once: no request fails, and everything ends up in the new
// form.
func TestRollingUpgrade(t *testing.T) {
	s := &harness.System{Stack: harness.Run(t, stack.Options{
		ReadNodes: 2, Admins: 2, Env: []string{"POSITION_WAIT=5s", "READY_LAG=30s", "RATE_LIMITS=off"},
	})}
	s.Client = client.New(s.URL(), 32)
	o := s.Organizer(t)
	s.ImportCatalogue(t, houses(60))
	s.AwaitReady(t)
	admins := []string{stack.Admin, stack.Admin + "-2"}
	current, former := s.Process(stack.Admin).Command[0], buildFormer(t)
	for _, admin := range admins {
		if err := s.Process(admin).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	forget(s, t)
	for _, admin := range admins {
		replace(s, t, admin, former)
	}
	s.AwaitReady(t)
	before := awaitForm(s, t, stack.Projector)

	end := underLoad(s, t, o)
	replace(s, t, admins[1], current)
	used(s, t, admins[1])
	for _, instance := range []string{"", "-2"} {
		for _, service := range []string{stack.Query + instance, stack.Projector + instance} {
			replace(s, t, service, s.Process(service).Command[0])
		}
		used(s, t, stack.Query+instance)
	}
	replace(s, t, admins[0], current)
	used(s, t, admins[0])
	replace(s, t, admins[1], former)
	used(s, t, admins[1])
	replace(s, t, admins[0], current) // the former one may lead now
	used(s, t, admins[0])
	replace(s, t, admins[1], current)
	used(s, t, admins[1])
	end()

	s.AwaitReady(t)
	s.Verify(t)
	s.MustRun(t, "projector-2", "verify")
	first, second := awaitForm(s, t, stack.Projector), awaitForm(s, t, "projector-2")
	if first != second || first == before {
		t.Errorf("the read nodes hold the forms %s and %s, and held %s before", first, second, before)
	}
}

// buildFormer builds the admin service of another release.
func buildFormer(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "admin")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path,
		"-ldflags=-s -w -X litfass/services/admin/internal/publish/outbox.edition=former", "./services/admin")
	build.Dir = "../../.."
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return path
}

// forget removes the record of all forms, as if no release with forms had run.
func forget(s *harness.System, t *testing.T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), `DELETE FROM snapshot_form`); err != nil {
		t.Fatal(err)
	}
}

// replace stops a process, if it runs, and starts it with a program.
func replace(s *harness.System, t *testing.T, name, program string) {
	t.Helper()
	process := s.Process(name)
	if process.Running() {
		if err := process.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	process.Command[0] = program
	if err := process.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
}
