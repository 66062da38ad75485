package faults

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

// later is the name of an organization that no backup holds.
const later = "after the backup"

// backups are the scripts of deploy/backup, run against the stack of a test.
type backups struct {
	*harness.System
	folder   string // of the backups
	pictures string // what BLOB_URL names
	path     string // where the programs of PostgreSQL are looked for
	seen     string // file with the arguments of each
}

// testBackup: what backup.sh writes is all that restore.sh needs, and nothing that goes wrong on
// the way loses the database or leaves half a backup. Positions go on above all former ones.
func testBackup(s *harness.System, t *testing.T, c *reference.Catalogue) {
	b := &backups{System: s, folder: filepath.Join(t.TempDir(), "backups, 100% #1"), pictures: filepath.Join(t.TempDir(), "pictures 50%?")}
	b.needsPrograms(t)
	if !b.findPrograms(t) {
		t.Log("backup and restore were not tried: PostgreSQL was fetched, and came without pg_dump")
		return
	}
	o, org := s.Organizer(t), c.Organizations[0].UUID
	b.rename(t, o, org, "at the time of the backup")
	b.storePicture(t, "first")
	b.write(t)
	b.storePicture(t, "second")
	before := s.MustRun(t, stack.Admin, "export")
	backup := b.write(t)
	b.isPrivate(t, backup)
	b.diskFull(t)

	former := b.rename(t, o, org, later)
	b.refused(t, backup, "other sessions use the database")
	if err := s.Process(stack.Admin).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.damaged(t, backup)
	b.execute(t, `DROP SCHEMA public CASCADE`)
	if err := os.RemoveAll(b.pictures); err != nil {
		t.Fatal(err)
	}
	for range 2 { // into an empty database, and into one that holds something
		b.leave(t)
		b.restore(t, backup)
		if after := s.MustRun(t, stack.Admin, "export"); after != before {
			t.Error("the catalogue is not as it was at the time of the backup")
		}
	}
	b.holdsPictures(t)
	if err := s.Process(stack.Admin).Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.AwaitReady(t)
	s.Verify(t)
	if err := reached(t.Context(), s, 0, org, "at the time of the backup"); err != nil {
		t.Error(err)
	}
	if next := b.rename(t, o, org, "after the restore"); next <= former {
		t.Errorf("position %d comes after %d", next, former)
	}
	b.namesNoPassword(t)
}

// rename waits until the new name is public, and returns the position of the write.
func (b *backups) rename(t *testing.T, o harness.Organizer, org, name string) uint64 {
	t.Helper()
	position, err := o.Rename(t.Context(), org, name)
	if err == nil {
		err = reached(t.Context(), b.System, position, org, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return position
}

// script returns a script of deploy/backup as a command, with the environment of admin.
func (b *backups) script(ctx context.Context, name, argument string) *exec.Cmd {
	admin := b.Command(ctx, stack.Admin)
	cmd := exec.CommandContext(ctx, "sh", filepath.Join("..", "..", "backup", name), argument)
	blobs := url.URL{Scheme: "file", Path: filepath.ToSlash(b.pictures)}
	cmd.Env = slices.Concat(admin.Env, []string{
		"ADMIN=" + admin.Path, "PATH=" + b.path, "BLOB_URL=" + blobs.String(), "BACKUP_KEEP=2",
	})
	return cmd
}

// needsPrograms: what is missing is said before anything is done.
func (b *backups) needsPrograms(t *testing.T) {
	t.Helper()
	for _, name := range []string{"backup.sh", "restore.sh"} {
		cmd := b.script(t.Context(), name, b.folder)
		tools := t.TempDir()
		dirname, err := exec.LookPath("dirname")
		if err == nil {
			err = os.Symlink(dirname, filepath.Join(tools, "dirname"))
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "PATH="+tools)
		output, err := cmd.CombinedOutput()
		if code := exitCode(err); code != 2 || string(output) != "pg_dump is missing on PATH\n" {
			t.Errorf("%s without programs: exit code %d, %s", name, code, output)
		}
	}
	if _, err := os.Stat(b.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
}

// findPrograms wraps the client programs next to the server in scripts that log their arguments,
// and puts the scripts on PATH. It returns false if there are none.
func (b *backups) findPrograms(t *testing.T) bool {
	t.Helper()
	noting := t.TempDir()
	b.seen = filepath.Join(noting, "seen")
	b.path = noting + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		program := filepath.Join(b.Binaries.PostgresDir, name)
		if _, err := os.Stat(program); err != nil {
			return false
		}
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"%s $*\" >> '%s'\nexec '%s' \"$@\"\n", name, b.seen, program)
		if err := os.WriteFile(filepath.Join(noting, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// write makes a backup and returns its folder.
func (b *backups) write(t *testing.T) string {
	t.Helper()
	output, err := b.script(t.Context(), "backup.sh", b.folder).CombinedOutput()
	if err != nil {
		t.Fatalf("backup.sh: %v\n%s", err, harness.Tail(string(output)))
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return lines[len(lines)-1]
}

func (b *backups) restore(t *testing.T, backup string) {
	t.Helper()
	if output, err := b.script(t.Context(), "restore.sh", backup).CombinedOutput(); err != nil {
		t.Fatalf("restore.sh: %v\n%s", err, harness.Tail(string(output)))
	}
}

// isPrivate: only the owner of a backup may read its password hashes.
func (b *backups) isPrivate(t *testing.T, backup string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(backup, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		files++
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files, %v", files, err)
	}
}

// diskFull: a backup that cannot be written leaves nothing behind and does not touch earlier ones.
func (b *backups) diskFull(t *testing.T) {
	t.Helper()
	former := b.made(t)
	cmd := b.script(t.Context(), "backup.sh", b.folder)
	cmd.Args = append([]string{"sh", "-c", `ulimit -f 8 && exec "$@"`}, cmd.Args...) // no file of more than 4 KiB
	if output, err := cmd.CombinedOutput(); exitCode(err) == 0 {
		t.Errorf("a backup without room: %s", output)
	}
	if left := b.made(t); strings.Join(left, " ") != strings.Join(former, " ") || len(left) != 2 {
		t.Errorf("there are %q, before %q", left, former)
	}
}

// made returns what the folder of the backups holds.
func (b *backups) made(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// leave opens a session that soon ends, as the one of an admin that was stopped a moment ago.
func (b *backups) leave(t *testing.T) {
	t.Helper()
	session, err := pgx.Connect(t.Context(), b.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithoutCancel(t.Context())
	go func() {
		_, _ = session.Exec(ctx, `SELECT pg_sleep(1)`)
		_ = session.Close(ctx)
	}()
}

// refused: the restore says why it does nothing, and the database is as it was.
func (b *backups) refused(t *testing.T, backup, reason string) {
	t.Helper()
	output, err := b.script(t.Context(), "restore.sh", backup).CombinedOutput()
	if exitCode(err) == 0 || !strings.Contains(string(output), reason) {
		t.Errorf("restore.sh: %v, %s, want %q", err, harness.Tail(string(output)), reason)
	}
	b.execute(t, `SELECT 1 / count(*) FROM organization WHERE name = '`+later+`'`) // fails without one
}

// damaged: the checksum refuses a dump that was changed, and its content a dump that was incomplete
// from the start.
func (b *backups) damaged(t *testing.T, backup string) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copied")
	if err := os.CopyFS(copied, os.DirFS(backup)); err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(copied, "litfass.dump")
	whole, err := os.ReadFile(dump)
	if err == nil {
		err = os.WriteFile(dump, whole[:len(whole)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.refused(t, copied, "damaged or incomplete")
	sums := exec.CommandContext(t.Context(), "sh", "-c", `sha256sum ./litfass.dump > SHA256SUMS`)
	sums.Dir = copied
	if output, err := sums.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	b.refused(t, copied, "the dump was not restored")
}

// execute runs a statement that must succeed.
func (b *backups) execute(t *testing.T, statement string) {
	t.Helper()
	database, err := pgx.Connect(t.Context(), b.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close(context.WithoutCancel(t.Context()))
	if _, err := database.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (b *backups) storePicture(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join(b.pictures, "event", name, "original")
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, []byte(name), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (b *backups) holdsPictures(t *testing.T) {
	t.Helper()
	for _, name := range []string{"first", "second"} {
		if got, err := os.ReadFile(filepath.Join(b.pictures, "event", name, "original")); err != nil || string(got) != name {
			t.Errorf("the picture %s is %q, %v", name, got, err)
		}
	}
}

// namesNoPassword: every user of a machine sees the arguments of its processes.
func (b *backups) namesNoPassword(t *testing.T) {
	t.Helper()
	parsed, err := url.Parse(b.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := parsed.User.Password()
	seen, err := os.ReadFile(b.seen)
	if err != nil || password == "" || strings.Contains(string(seen), password) {
		t.Errorf("arguments name the password, or it is empty (%v)", err)
	}
	for _, program := range []string{"pg_dump", "pg_restore", "psql"} {
		if !strings.Contains(string(seen), program+" ") {
			t.Errorf("%s was not run", program)
		}
	}
}

// exitCode returns that of a command that was run; -1 if it was not, or was ended by a signal.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}
