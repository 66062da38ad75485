package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/deploy/local/gateway"
)

// fill writes the demo catalogue and its people to an empty database. A file marks a demo that was
// interrupted, which is completed by writing it again.
func (s *Stack) fill(ctx context.Context) error {
	if !s.options.Demo {
		return nil
	}
	mark := filepath.Join(s.options.Data, "demo.unfinished")
	if _, err := os.Stat(mark); err != nil {
		empty, err := s.empty(ctx)
		if err != nil || !empty {
			return err
		}
		if err := os.WriteFile(mark, nil, 0o644); err != nil {
			return err
		}
	}
	err := s.step("filling the empty database with the demo catalogue", func() error { return s.task(ctx, Admin, "demo") })
	if err != nil {
		return err
	}
	if err := s.makePeople(ctx); err != nil {
		return err
	}
	return os.Remove(mark)
}

// makePeople creates the people of the demo and stores their logins for Welcome. It does nothing
// when PUBLIC_URL is another machine's.
func (s *Stack) makePeople(ctx context.Context) error {
	if s.at.public != s.URL() {
		return nil
	}
	logins, err := s.Command(ctx, Admin, "user", "demo").Output()
	if err != nil {
		return fmt.Errorf("admin user demo: %w", explained(err))
	}
	return os.WriteFile(s.PeopleFile(), logins, 0o600)
}

// PeopleFile is the file with the logins of the demo's people.
func (s *Stack) PeopleFile() string { return filepath.Join(s.options.Data, "people.txt") }

// empty reports whether the catalogue is empty: then its export has no bytes.
func (s *Stack) empty(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	export := s.Command(ctx, Admin, "export")
	output, err := export.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := export.Start(); err != nil {
		return false, fmt.Errorf("admin export: %w", err)
	}
	_, err = io.ReadFull(output, make([]byte, 1))
	if err == nil {
		cancel() // one byte is enough
		_ = export.Wait()
		return false, nil
	}
	if err := export.Wait(); err != nil {
		return false, fmt.Errorf("admin export: %w", err)
	}
	return true, nil
}

// AwaitReady waits until every service is ready, the outbox is empty and the index has caught up
// with the stream: everything committed before the call can be found. Unlike /readyz of the gateway
// it can be used repeatedly.
func (s *Stack) AwaitReady(ctx context.Context) error {
	for {
		missing := s.missing(ctx)
		if missing == "" {
			return nil
		}
		select {
		case failure := <-s.failed:
			return failure
		case <-ctx.Done():
			return fmt.Errorf("the stack does not get ready (%s): %w", missing, ctx.Err())
		case <-time.After(250 * time.Millisecond): // each check leaves lines in the logs
		}
	}
}

// missing returns the reason why AwaitReady still waits, or "". The outbox is checked before the
// index, which receives the changes that leave the outbox.
func (s *Stack) missing(ctx context.Context) string {
	if missing := gateway.Missing(ctx, s.gatewayConfig()); missing != "" {
		return missing
	}
	waiting, err := s.outbox(ctx)
	switch {
	case err != nil:
		return "outbox " + err.Error()
	case waiting > 0:
		return fmt.Sprintf("outbox %d changes waiting", waiting)
	}
	for node, projector := range s.urls(Projector) {
		if err := gateway.CaughtUp(ctx, projector); err != nil {
			return numbered("index", node) + " " + err.Error()
		}
	}
	return ""
}

const countOutbox = `
SELECT count(*)
FROM outbox
WHERE attempts = 0`

// outbox counts the changes that wait for their first attempt. The service's own metric may be two
// seconds old.
func (s *Stack) outbox(ctx context.Context) (waiting int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.at.database)
	if err != nil {
		return 0, errors.New("cannot be read")
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = conn.QueryRow(ctx, countOutbox).Scan(&waiting)
	return waiting, err
}

func (s *Stack) gatewayConfig() gateway.Config {
	return gateway.Config{
		Admin: s.urls(Admin), Projector: s.urls(Projector), Query: s.urls(Query), Site: s.urls(Site),
		Console: s.urls(Console),
		Report:  func(line string) { s.options.Console.Line("%s", line) },
	}
}

// urls returns the addresses of all instances of a service.
func (s *Stack) urls(name string) (all []string) {
	row, _ := serviceNamed(name)
	for number := range row.count(s.options) {
		all = append(all, s.ServiceURL(numbered(name, number)))
	}
	return all
}
