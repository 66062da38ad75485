package engine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// says writes a program that only answers --version.
func says(t *testing.T, dir, name, version string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+version+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// machine is the test's machine: a PATH of one folder.
func machine(t *testing.T) (finder Finder, path string, notes *[]string) {
	t.Helper()
	path = t.TempDir()
	t.Setenv("PATH", path)
	for _, variable := range []string{"POSTGRES_BIN", "NATS_BIN", "MEILI_BIN"} {
		t.Setenv(variable, "")
	}
	notes = new([]string)
	return Finder{
		Root:  filepath.Join("..", "..", ".."),
		Cache: t.TempDir(),
		Step:  func(_ string, work func() error) error { return work() },
		Note:  func(line string) { *notes = append(*notes, line) },
	}, path, notes
}

func TestFindOnPath(t *testing.T) {
	finder, path, notes := machine(t)
	says(t, path, "postgres", "postgres (PostgreSQL) 16.2")
	says(t, path, "initdb", "")
	meili := says(t, path, "meilisearch", "meilisearch 1.21.4")
	nats := says(t, path, "nats-server", "nats-server: v2.12.1")

	var found Binaries
	if err := finder.Packaged(t.Context(), &found, All); err != nil {
		t.Fatal(err)
	}
	if err := finder.NATS(t.Context(), &found, All); err != nil {
		t.Fatal(err)
	}
	want := Binaries{path, Version{16, 2, 0}, nats, Version{2, 12, 1}, meili, Version{1, 21, 4}}
	if found != want {
		t.Errorf("found %+v, want %+v", found, want)
	}
	if len(*notes) != 0 {
		t.Errorf("notes %q", *notes)
	}
}

func TestEnvironmentComesBeforePath(t *testing.T) {
	finder, path, _ := machine(t)
	says(t, path, "meilisearch", "meilisearch 1.21.0")
	named := says(t, t.TempDir(), "other", "meilisearch 1.21.9")
	t.Setenv("MEILI_BIN", named)
	var found Binaries
	if err := finder.Packaged(t.Context(), &found, Need{Meili: true}); err != nil {
		t.Fatal(err)
	}
	if found.Meili != named {
		t.Errorf("found %s, want %s", found.Meili, named)
	}
}

func TestWhatDoesNotFit(t *testing.T) {
	cases := map[string]struct {
		arrange func(t *testing.T, path string)
		need    Need
		want    string // in the error
		note    string // on the console
	}{
		"named but too old": {
			func(t *testing.T, _ string) { t.Setenv("MEILI_BIN", says(t, t.TempDir(), "m", "meilisearch 1.20.0")) },
			Need{Meili: true}, "MEILI_BIN: ", "",
		},
		"named but absent": {
			func(t *testing.T, _ string) { t.Setenv("NATS_BIN", "/no/such/program") },
			Need{NATS: true}, "NATS_BIN: ", "",
		},
		"too old on PATH, no npm": {
			func(t *testing.T, path string) { says(t, path, "meilisearch", "meilisearch 1.3.0") },
			Need{Meili: true}, "npm is missing", "1.21 is needed",
		},
		"no initdb, no npm": {
			func(t *testing.T, path string) { says(t, path, "postgres", "postgres (PostgreSQL) 17.1") },
			Need{Postgres: true}, "npm is missing", "no initdb",
		},
		"newer than the data, no npm": {
			func(t *testing.T, path string) {
				says(t, path, "postgres", "postgres (PostgreSQL) 17.1")
				says(t, path, "initdb", "")
			},
			Need{Postgres: true, PostgresMajor: 16}, "npm is missing", "the data was written by 16",
		},
		"npm without node": {
			func(t *testing.T, path string) { says(t, path, "npm", "10") },
			Need{Postgres: true, Meili: true}, "node is missing", "",
		},
		"npm that fails": {
			func(t *testing.T, path string) {
				says(t, path, "node", "20")
				script := "#!/bin/sh\necho 'npm error integrity' >&2\nexit 1\n"
				if err := os.WriteFile(filepath.Join(path, "npm"), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			},
			Need{Postgres: true, Meili: true}, "npm: exit status 1: npm error integrity", "",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			finder, path, notes := machine(t)
			c.arrange(t, path)
			var found Binaries
			err := finder.Packaged(t.Context(), &found, c.need)
			if err == nil {
				err = finder.NATS(t.Context(), &found, c.need)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if got := strings.Join(*notes, "\n"); !strings.Contains(got, c.note) {
				t.Errorf("notes %q, want %q", got, c.note)
			}
			if left, _ := os.ReadDir(finder.Cache); len(left) != 0 {
				t.Errorf("left in the cache: %v", left)
			}
		})
	}
}

func TestLockOfOnePackage(t *testing.T) {
	source := filepath.Join("..", "engines")
	for platform, from := range platforms {
		for _, wanted := range []pack{from.postgres, from.meili} {
			if wanted.name == "" {
				continue
			}
			manifest, lock, err := lockOf(source, wanted.name)
			if err != nil {
				t.Errorf("%s: %v", platform, err)
				continue
			}
			var asked struct{ Dependencies map[string]string }
			var locked lockfile
			if err := errors.Join(json.Unmarshal(manifest, &asked), json.Unmarshal(lock, &locked)); err != nil {
				t.Fatal(err)
			}
			entry := locked.Packages["node_modules/"+wanted.name]
			if len(locked.Packages) != 2 || entry["optional"] != nil || entry["integrity"] == nil {
				t.Errorf("%s is locked by %s", wanted.name, lock)
			}
			if len(asked.Dependencies) != 1 || asked.Dependencies[wanted.name] != entry["version"] {
				t.Errorf("%s is asked for by %s", wanted.name, manifest)
			}
		}
	}
	if _, _, err := lockOf(source, "left-pad"); err == nil {
		t.Error("a package that is not locked is found")
	}
}
