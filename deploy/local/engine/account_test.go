package engine

import (
	"os"
	"path/filepath"
	"testing"

	"litfass/deploy/local/proc"
)

func TestReachable(t *testing.T) {
	stranger := &proc.User{UID: 54321, GID: 54321}
	open := t.TempDir()
	for dir := open; dir != os.TempDir(); dir = filepath.Dir(dir) { // the test's own folders are private
		if err := os.Chmod(dir, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	private := filepath.Join(open, "private")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	cases := map[string]bool{
		open:                                 true,
		filepath.Join(open, "not", "there"):  true,
		private:                              false,
		filepath.Join(private, "not-there"):  false,
		filepath.Join(private, "..", "open"): true, // Join cleans the path
	}
	for path, want := range cases {
		if got := reachable(path, stranger); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if owner := (&proc.User{UID: os.Geteuid(), GID: os.Getegid()}); !reachable(private, owner) {
		t.Error("the owner cannot reach its own folder")
	}
}

func TestPostgresHome(t *testing.T) {
	wanted := filepath.Join(t.TempDir(), "data")
	home, err := PostgresHome(wanted)
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		if home != (Home{Dir: wanted}) {
			t.Errorf("got %+v, want the folder itself", home)
		}
		return
	}
	t.Cleanup(func() { os.RemoveAll(home.Dir) })
	if home.User == nil || home.User.UID == 0 {
		t.Fatalf("root would run PostgreSQL as %+v", home.User)
	}
	if !reachable(home.Dir, home.User) {
		t.Errorf("%s cannot reach %s", home.User.Name, home.Dir)
	}
	again, err := PostgresHome(wanted)
	if err != nil || again.Dir != home.Dir {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}
