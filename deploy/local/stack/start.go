package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"litfass/deploy/local/engine"
	"litfass/deploy/local/gateway"
	"litfass/deploy/local/proc"
)

// Start starts the engines, migrates the database, and starts the services and the gateway. The
// APIs answer while the pages are still being built. When Start returns nil, every service answers;
// the index may still be filling, see AwaitReady. After an error, Close stops what was started.
func (s *Stack) Start(ctx context.Context) error {
	if err := checkFree(s.portUses()); err != nil {
		return err
	}
	phases := []func(context.Context) error{
		s.startEngines, s.migrate, s.learnReadKeys, s.fill, s.startAPIs, s.startGateway, s.startPages,
	}
	if s.enginesOnly() {
		phases = phases[:1]
	}
	for _, phase := range phases {
		if err := phase(ctx); err != nil {
			return err
		}
	}
	return nil
}

// portUses lists the ports of all local processes.
func (s *Stack) portUses() []portUse {
	var uses []portUse
	if !s.enginesOnly() {
		uses = append(uses, portUse{s.Ports.Gateway, "the gateway"})
		for _, row := range services {
			for number := range row.count(s.options) {
				uses = append(uses, portUse{row.port(s.instances[number].ports), numbered(row.name, number)})
			}
		}
	}
	if s.need.Postgres {
		uses = append(uses, portUse{s.Ports.Postgres, "PostgreSQL"})
	}
	if s.need.NATS {
		uses = append(uses, portUse{s.Ports.NATS, "NATS"}, portUse{s.Ports.NATSMonitor, "the monitoring of NATS"})
	}
	if s.need.Meili {
		for node := range perReadNode(s.options) {
			uses = append(uses, portUse{s.instances[node].ports.Meili, numbered("Meilisearch", node)})
		}
	}
	return uses
}

// startEngines starts the local engines concurrently and pings the external ones.
func (s *Stack) startEngines(ctx context.Context) error {
	work := []func(context.Context) error{s.startPostgres, s.startNATS, s.startMeilis}
	return s.step("starting "+s.engineNames(), func() error {
		ended := make(chan error, len(work))
		for _, start := range work {
			go func() { ended <- start(ctx) }()
		}
		var errs []error
		for range work {
			errs = append(errs, <-ended)
		}
		return errors.Join(errs...)
	})
}

// engineNames returns the names of the engines with their versions, for messages.
func (s *Stack) engineNames() string {
	var names []string
	for _, row := range []struct {
		name    string
		needed  bool
		version engine.Version
	}{
		{"PostgreSQL", s.need.Postgres, s.Binaries.PostgresVersion},
		{"NATS", s.need.NATS, s.Binaries.NATSVersion},
		{"Meilisearch", s.need.Meili, s.Binaries.MeiliVersion},
	} {
		switch {
		case row.needed:
			names = append(names, row.name+" "+row.version.String())
		case !s.enginesOnly():
			names = append(names, row.name)
		}
	}
	return strings.Join(names, ", ")
}

func (s *Stack) startPostgres(ctx context.Context) error {
	if !s.need.Postgres {
		return s.reachable("DATABASE_URL", func() error { return engine.PingPostgres(ctx, s.at.database) })
	}
	postgres := s.postgres()
	if err := postgres.Prepare(ctx); err != nil {
		return fmt.Errorf("prepare PostgreSQL: %w", err)
	}
	if err := s.run(ctx, Postgres, postgres.Process()); err != nil {
		return err
	}
	return postgres.CreateDatabase(ctx, "litfass")
}

func (s *Stack) startNATS(ctx context.Context) error {
	if !s.need.NATS {
		return s.reachable("NATS_URL", func() error { return engine.PingNATS(ctx, s.at.nats) })
	}
	nats := s.nats()
	if err := nats.Prepare(); err != nil {
		return fmt.Errorf("prepare NATS: %w", err)
	}
	return s.run(ctx, NATS, nats.Process())
}

// reachable pings an engine with an address from the environment; there is none when only other
// engines are started. The address may contain a password and is not repeated in the error.
func (s *Stack) reachable(variable string, ping func() error) error {
	if s.enginesOnly() && !s.options.External {
		return nil
	}
	err := ping()
	if err == nil {
		return nil
	}
	return fmt.Errorf("the engine at %s does not answer as it should: %w", variable, err)
}

// run starts a process and registers it for Close, also when it does not get ready.
func (s *Stack) run(ctx context.Context, name string, process *proc.Process) error {
	process.OnFailure = s.fail
	if s.options.Scratch { // tests may keep the machine busy
		process.ReadyTimeout = 4 * time.Minute
	}
	if _, _, service := findService(name); service && s.options.Watch {
		process.OnFailure = s.report // the next change of the source starts it again
	}
	if s.replaceable(name) {
		process.OnFailure = func(failure error) { go s.revive(name, failure) }
	}
	s.mu.Lock()
	s.processes[name] = process
	s.started = append(s.started, name)
	s.mu.Unlock()
	return process.Start(ctx)
}

func (s *Stack) migrate(ctx context.Context) error {
	return s.step("migrating the database", func() error { return s.task(ctx, Admin, "migrate") })
}

// learnReadKeys asks the projectors for their query services' keys.
func (s *Stack) learnReadKeys(ctx context.Context) error {
	for node := range perReadNode(s.options) {
		output, err := s.Command(ctx, numbered(Projector, node), "read-key").Output()
		if err != nil {
			return fmt.Errorf("projector read-key: %w", explained(err))
		}
		s.instances[node].at.readKey = strings.TrimSpace(string(output))
	}
	return nil
}

func (s *Stack) startAPIs(ctx context.Context) error {
	return s.startServices(ctx, Admin, Projector, Query)
}

func (s *Stack) startPages(ctx context.Context) error {
	if s.awaitsPages() {
		s.options.Console.Line("\nSearch answers now: curl '%s/api/events/?limit=5'; the pages follow.\n", s.URL())
	}
	if err := s.awaitPages(); err != nil {
		return err
	}
	return s.startServices(ctx, Site, Console)
}

// startServices starts every instance of services, in the order of the table.
func (s *Stack) startServices(ctx context.Context, names ...string) error {
	for _, row := range services {
		if !slices.Contains(names, row.name) {
			continue
		}
		for number := range row.count(s.options) {
			name := numbered(row.name, number)
			err := s.step("starting "+name, func() error { return s.run(ctx, name, s.process(row, number)) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// startGateway listens on the base address.
func (s *Stack) startGateway(context.Context) error {
	listener, err := net.Listen("tcp", address(s.Ports.Gateway))
	if err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	watching, stop := context.WithCancel(context.Background())
	handler, err := gateway.New(watching, s.gatewayConfig())
	if err != nil {
		stop()
		return err
	}
	server := gateway.Server(handler)
	server.RegisterOnShutdown(stop)
	s.mu.Lock()
	s.gateway = server
	s.mu.Unlock()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.fail(fmt.Errorf("gateway: %w", err))
		}
	}()
	return nil
}

// Command returns a command of a service (for example Admin, "verify") with the configuration of
// this stack's service, or of a further instance of it ("projector-2"). The caller runs it.
func (s *Stack) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	row, number := serviceNamed(name)
	cmd := exec.CommandContext(ctx, s.binary(row.name), args...)
	cmd.Env = append(os.Environ(), s.environment(row, number)...)
	cmd.WaitDelay = 5 * time.Second
	proc.EndWithParent(cmd)
	return cmd
}

// task runs a command of a service and writes its output to a log file.
func (s *Stack) task(ctx context.Context, name string, args ...string) error {
	cmd := s.Command(ctx, name, args...)
	output, err := cmd.CombinedOutput()
	logFile := s.LogFile(name + "-" + args[0])
	if err := os.WriteFile(logFile, output, 0o644); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w (%q; more in %s)", name, args[0], err, lastLine(output), logFile)
	}
	return nil
}

// lastLine returns the last line of an output.
func lastLine(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// explained adds the last line of a command's standard error to its error.
func explained(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, lastLine(exit.Stderr))
	}
	return err
}
