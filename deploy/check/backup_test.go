package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPasswordLeavesTheAddress: the scripts of deploy/backup pass the address of the database
// without its password, which arrives as it is meant.
func TestPasswordLeavesTheAddress(t *testing.T) {
	programs := t.TempDir()
	for _, name := range []string{"pg_dump", "pg_restore", "psql"} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ url, database, password string }{
		{"postgres://anna:secret@host:5432/litfass?sslmode=disable", "postgres://anna@host:5432/litfass?sslmode=disable", "secret"},
		{"postgresql://anna:secret@host/litfass", "postgresql://anna@host/litfass", "secret"},
		{"postgres://anna:p%40ss%2Fw%25%C3%A4:%20@host/litfass", "postgres://anna@host/litfass", "p@ss/w%ä: "},
		{"postgres://anna:100%@host/litfass", "postgres://anna@host/litfass", "100%"},
		{"postgres://anna:'$(id)`*@host/litfass", "postgres://anna@host/litfass", "'$(id)`*"},
		{"postgres://anna@host/litfass", "postgres://anna@host/litfass", ""},
		{"postgres://host:5432/litfass?application_name=a:b@c", "postgres://host:5432/litfass?application_name=a:b@c", ""},
		{"host=/run/postgresql dbname=litfass", "host=/run/postgresql dbname=litfass", ""},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", `. ../backup/database.sh; printf '%s\n%s' "$database" "${PGPASSWORD:-}"`)
		cmd.Env = []string{"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"), "DATABASE_URL=" + test.url}
		output, err := cmd.CombinedOutput()
		if want := test.database + "\n" + test.password; err != nil || string(output) != want {
			t.Errorf("%s: %q, %v, want %q", test.url, output, err, want)
		}
	}
	for _, url := range []string{"host=h dbname=d user=u password=secret", "postgres://anna@host/litfass?password=secret", ""} {
		cmd := exec.CommandContext(t.Context(), "sh", "-euc", `. ../backup/database.sh`)
		cmd.Env = []string{"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"), "DATABASE_URL=" + url}
		if output, err := cmd.CombinedOutput(); err == nil || len(output) == 0 {
			t.Errorf("%q: %v, %q", url, err, output)
		}
	}
}
