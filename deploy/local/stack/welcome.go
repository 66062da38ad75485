package stack

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"litfass/deploy/local/console"
	"litfass/deploy/local/engine"
)

// Welcome returns the addresses of the running stack, for the terminal.
func (s *Stack) Welcome() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nLitfass is ready.  Ctrl-C stops it.\n\n")
	fmt.Fprintf(&b, "  pages          %s\n", s.URL())
	fmt.Fprintf(&b, "  console        %s/console/\n", s.URL())
	fmt.Fprintf(&b, "  search         curl '%s/api/events/?search=jazz&start=today&limit=5'\n", s.URL())
	fmt.Fprintf(&b, "  documentation  %s/api/docs and %s/api/admin/docs\n", s.URL(), s.URL())
	fmt.Fprintf(&b, "  PostgreSQL     %s\n", s.at.database)
	fmt.Fprintf(&b, "  NATS           %s", s.NATSURL())
	if s.need.NATS {
		fmt.Fprintf(&b, "  (monitoring http://%s)", address(s.Ports.NATSMonitor))
	}
	fmt.Fprintln(&b)
	fmt.Fprintf(&b, "  Meilisearch    %s  (key %s)\n", s.at.meili, s.at.meiliKey)
	fmt.Fprintf(&b, "  logs           %s\n", filepath.Join(s.LogFolder(), "*.log"))
	fmt.Fprintf(&b, "  mails          %s\n", filepath.Join(s.options.Data, "mail", "*.eml"))
	if s.home.Moved {
		fmt.Fprintf(&b, "  PostgreSQL runs as %s, who cannot enter %s: its files are in %s\n",
			s.home.User.Name, s.options.Data, s.home.Dir)
	}
	b.WriteString(s.people())
	return b.String()
}

// people returns the logins of the demo's people; "" without a demo.
func (s *Stack) people() string {
	logins, err := os.ReadFile(s.PeopleFile())
	if err != nil || len(logins) == 0 {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(logins)), "\n")
	return fmt.Sprintf("\nThese people can log in at %s/console/login:\n\n  %s\n", s.URL(), strings.Join(lines, "\n  "))
}

// PostgresURL returns the address of the local PostgreSQL's maintenance database, from which tests
// create theirs.
func (s *Stack) PostgresURL() string { return s.postgres().URL("postgres") }

// Engines finds or fetches all engines and starts none.
func Engines(ctx context.Context, root, data string, screen *console.Console) (engine.Binaries, error) {
	home, err := engine.PostgresHome(data)
	if err != nil {
		return engine.Binaries{}, err
	}
	options := Options{Root: root, Data: data, Engines: engine.All, Console: screen}
	s := &Stack{options: options, home: home, need: engine.All}
	err = s.obtain(ctx)
	return s.Binaries, err
}

// Clean deletes the data of stacks from a data folder. None may be running.
func Clean(data string) error {
	home, err := engine.PostgresHome(data)
	if err != nil {
		return err
	}
	s := &Stack{options: Options{Data: data}, home: home}
	return s.Remove()
}

// CleanPrograms deletes fetched engines and built programs of a source tree.
func CleanPrograms(root string) error {
	programs := filepath.Join(root, ".local")
	cache, err := engine.PostgresHome(programs)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(cache.Dir, "engines")); err != nil {
		return err
	}
	for _, folder := range []string{"bin", "bin-race", "bin-watch"} {
		if err := os.RemoveAll(filepath.Join(programs, folder)); err != nil {
			return err
		}
	}
	for _, folder := range []string{cache.Dir, programs} {
		_ = os.Remove(folder) // stays unless empty
	}
	return nil
}
