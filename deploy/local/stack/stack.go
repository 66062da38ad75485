// Package stack runs all of Litfass on one machine: the three engines, the
// services, and the gateway that gives them one base address.
//
// The launcher (make up) and the end-to-end tests use it alike:
//
//	s, err := stack.New(ctx, stack.Options{Scratch: true}) // free ports, temporary data
//	defer s.Close()
//	err = s.Start(ctx)
//	err = s.AwaitReady(ctx)                                // everything is searchable
//	err = s.Process(stack.Projector).Kill()                // kill -9
//	err = s.Process(stack.Projector).Start(ctx)
//	output, err := s.Command(ctx, stack.Admin, "verify").CombinedOutput()
package stack

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/local/console"
	"litfass/deploy/local/engine"
	"litfass/deploy/local/proc"
)

// Options configure a stack. The zero value is a stack for a test: free ports and an empty
// temporary data folder.
type Options struct {
	Root  string // source tree; empty: found upwards from the current folder
	Data  string // data folder; empty: a temporary one, removed by Close
	Ports Ports  // zero: free ports
	Demo  bool   // fill an empty database with the demo catalogue
	// ReadNodes is how many read nodes there are, each with its own Meilisearch, projector and
	// query service, and Admins how many admin services; 0 means 1.
	ReadNodes, Admins int
	// External takes DATABASE_URL, NATS_URL, MEILI_URL and MEILI_KEY from the
	// environment in place of local engines.
	External bool
	// Engines, unless zero, are all that is started: the services, the gateway and other engines are
	// left out.
	Engines engine.Need
	Scratch bool     // trades durability for speed
	Race    bool     // services are built with the race detector
	Watch   bool     // a service that fails does not end the stack, for WatchSource
	Env     []string // "KEY=value", added to the environment of every service
	Console *console.Console
}

// Stack is the running system.
type Stack struct {
	Ports    Ports
	Binaries engine.Binaries

	options   Options
	temporary bool
	secrets   secrets
	home      engine.Home
	need      engine.Need
	at        addresses
	instances []instance
	pages     *pages // nil without services

	mu        sync.Mutex
	processes map[string]*proc.Process
	started   []string // in the order of their start
	failed    chan error
	gateway   *http.Server
	closing   chan struct{} // closed by Close
}

// New prepares a stack without starting anything: it chooses folders, ports and secrets, finds or
// fetches the engines, and builds the services; those with pages may still be compiling when it
// returns. Call Close, also when Start fails.
func New(ctx context.Context, options Options) (*Stack, error) {
	s := &Stack{
		options: options, processes: map[string]*proc.Process{}, failed: make(chan error, 1), closing: make(chan struct{}),
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stack) prepare(ctx context.Context) error {
	if err := s.settle(); err != nil {
		return err
	}
	if err := checkFree(s.portUses()); err != nil { // before fetching and building
		return err
	}
	return s.obtain(ctx)
}

// settle chooses folders, ports, secrets and addresses.
func (s *Stack) settle() (err error) {
	if s.options.Root == "" {
		if s.options.Root, err = FindRoot(); err != nil {
			return err
		}
	}
	if s.options.Data == "" {
		s.temporary = true
		s.options.Data, err = os.MkdirTemp("", "litfass-")
	} else {
		s.options.Data, err = filepath.Abs(s.options.Data)
	}
	if err != nil {
		return err
	}
	if err := s.makeData(); err != nil {
		return err
	}
	ports, err := portsOf(s.options.Ports, max(s.options.ReadNodes, s.options.Admins, 1))
	if err != nil {
		return err
	}
	s.Ports = ports[0]
	if s.secrets, err = loadSecrets(s.options.Data); err != nil {
		return err
	}
	if s.home, err = engine.PostgresHome(s.options.Data); err != nil {
		return err
	}
	if err := s.checkRooms(roomToStart); err != nil {
		return err
	}
	if err := s.settleAddresses(); err != nil {
		return err
	}
	return s.settleInstances(ports)
}

// enginesOnly reports whether the services and the gateway are left out.
func (s *Stack) enginesOnly() bool { return s.options.Engines != engine.Need{} }

// makeData creates the data folder with permissions that let PostgreSQL's user enter it. An
// existing folder keeps its mode.
func (s *Stack) makeData() error {
	_, err := os.Stat(s.options.Data)
	if s.temporary || errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(s.options.Data, 0o711); err != nil {
			return err
		}
		if err := os.Chmod(s.options.Data, 0o711); err != nil { // independent of the umask
			return err
		}
	}
	return os.MkdirAll(s.LogFolder(), 0o755)
}

// settleAddresses uses for each engine the address from the environment, or the local engine's.
func (s *Stack) settleAddresses() error {
	s.need = engine.All
	if s.enginesOnly() {
		s.need = s.options.Engines
	}
	s.at = addresses{
		database: s.postgres().URL("litfass"),
		nats:     s.nats().URL(),

		natsPasswords: s.nats().Passwords,

		meili:    s.meili(0).URL(),
		meiliKey: s.secrets.MeiliMasterKey,
		public:   s.URL(),
		data:     s.options.Data,

		signingSecret: s.secrets.SigningKeySecret, siteKey: s.secrets.SiteKey,
		consoleSecret: s.secrets.ConsoleSecret,
	}
	if !s.options.External {
		return nil
	}
	s.at.public = setting("PUBLIC_URL", s.at.public)
	if setting("DATABASE_URL", "") != "" {
		s.need.Postgres, s.at.database = false, os.Getenv("DATABASE_URL")
	}
	if setting("NATS_URL", "") != "" {
		s.need.NATS, s.at.nats, s.at.natsPasswords = false, os.Getenv("NATS_URL"), nil
	}
	if setting("MEILI_URL", "") != "" {
		s.need.Meili, s.at.meili, s.at.meiliKey = false, os.Getenv("MEILI_URL"), os.Getenv("MEILI_KEY")
		if s.at.meiliKey == "" {
			return errors.New("MEILI_URL is set without MEILI_KEY: the projector needs a key that may create indexes and keys")
		}
	}
	return nil
}

// obtain finds, fetches or builds the programs of the engines and of the services, except the
// services with pages: these are built while the others start.
func (s *Stack) obtain(ctx context.Context) error {
	finder, err := s.finder()
	if err != nil {
		return err
	}
	group, working := errgroup.WithContext(ctx)
	group.Go(func() error { return finder.Packaged(working, &s.Binaries, s.need) })
	group.Go(func() error { return finder.NATS(working, &s.Binaries, s.need) })
	if !s.enginesOnly() {
		compiled := make(chan struct{})
		s.buildPages(ctx, compiled)
		group.Go(func() error {
			defer close(compiled)
			return s.build(working, Admin, Projector, Query)
		})
	}
	return group.Wait()
}

// finder keeps fetched engines in the source tree's .local, shared by all data folders, or where
// PostgreSQL's user can read them.
func (s *Stack) finder() (engine.Finder, error) {
	cache, err := engine.PostgresHome(filepath.Join(s.options.Root, ".local"))
	if err != nil {
		return engine.Finder{}, err
	}
	s.need.PostgresMajor = engine.PostgresMajor(s.home)
	return engine.Finder{
		Root:         s.options.Root,
		Cache:        filepath.Join(cache.Dir, "engines"),
		PostgresUser: s.home.User,
		Step:         s.step,
		Note:         func(line string) { s.options.Console.Line("  %s", line) },
	}, nil
}

func (s *Stack) postgres() engine.Postgres {
	return engine.Postgres{
		BinDir: s.Binaries.PostgresDir, Version: s.Binaries.PostgresVersion, Home: s.home, Port: s.Ports.Postgres,
		Password: s.secrets.PostgresPassword, LogFile: s.LogFile(Postgres), Scratch: s.options.Scratch,
	}
}

// nats returns the server, with users if services connect to it: tests have streams of any name.
func (s *Stack) nats() engine.NATS {
	server := engine.NATS{
		Bin: s.Binaries.NATS, Data: filepath.Join(s.options.Data, NATS), Port: s.Ports.NATS, Monitor: s.Ports.NATSMonitor,
		LogFile: s.LogFile(NATS),
	}
	if !s.enginesOnly() {
		server.Passwords = s.secrets.NATSPasswords
	}
	return server
}

// meili returns the engine of a read node, counted from 0.
func (s *Stack) meili(node int) engine.Meilisearch {
	name, port := numbered(Meili, node), s.Ports.Meili
	if node > 0 {
		port = s.instances[node].ports.Meili
	}
	return engine.Meilisearch{
		Bin: s.Binaries.Meili, Data: filepath.Join(s.options.Data, name), Port: port,
		Key: s.secrets.MeiliMasterKey, LogFile: s.LogFile(name),
	}
}

// URL returns the base address, without a slash at its end.
func (s *Stack) URL() string { return "http://" + address(s.Ports.Gateway) }

// ServiceURL returns the address of one service behind the gateway (Query, or "query-2" of the
// second read node), which also serves /livez, /readyz and /metrics. It panics for an unknown name.
func (s *Stack) ServiceURL(name string) string {
	row, number := serviceNamed(name)
	return "http://" + address(row.port(s.instances[number].ports))
}

// DatabaseURL returns the address of the database, with its password.
func (s *Stack) DatabaseURL() string { return s.at.database }

// NATSURL returns the address of NATS, with the user who may do all.
func (s *Stack) NATSURL() string {
	if s.at.natsPasswords == nil {
		return s.at.nats
	}
	return s.nats().OperatorURL()
}

// MeiliURL returns the address of Meilisearch.
func (s *Stack) MeiliURL() string { return s.at.meili }

// MeiliKey returns the key with all rights.
func (s *Stack) MeiliKey() string { return s.at.meiliKey }

// ReadKey returns the key of the query service, known after Start.
func (s *Stack) ReadKey() string { return s.instances[0].at.readKey }

// LogFolder returns the folder with one log file for each process.
func (s *Stack) LogFolder() string { return filepath.Join(s.options.Data, "log") }

// LogFile returns the log of a process.
func (s *Stack) LogFile(name string) string { return filepath.Join(s.LogFolder(), name+".log") }

// Process returns a process by name (Postgres, NATS, Meili, Admin, Projector, Query, and "query-2"
// and so on of further instances) once Start has reached it. It returns nil before, and for an
// engine whose address comes from the environment.
func (s *Stack) Process(name string) *proc.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.processes[name]
}

// Failed receives the first unexpected end of a process.
func (s *Stack) Failed() <-chan error { return s.failed }

func (s *Stack) fail(err error) {
	select {
	case s.failed <- err:
	default: // an earlier failure is already known
	}
}

func (s *Stack) step(title string, work func() error) error {
	return s.options.Console.Step(title, work)
}

// Close stops everything in reverse order, services before engines, and removes a temporary data
// folder. It may be called repeatedly.
func (s *Stack) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.pages != nil {
		s.pages.stop()
		<-s.pages.built
	}
	started, gateway := s.end()

	var errs []error
	if gateway != nil {
		errs = append(errs, gateway.Shutdown(ctx))
	}
	for _, name := range slices.Backward(started) {
		errs = append(errs, s.Process(name).Stop(ctx))
	}
	if s.options.Data != "" {
		_ = os.Remove(stateFile(s.options.Data)) // absent without SaveState
	}
	if s.temporary {
		errs = append(errs, s.Remove())
	}
	return errors.Join(errs...)
}

// end prevents further starts and returns everything that has to be stopped.
func (s *Stack) end() (started []string, gateway *http.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	started, gateway = slices.Clone(s.started), s.gateway
	s.started, s.gateway = nil, nil
	select {
	case <-s.closing:
	default:
		close(s.closing)
	}
	return started, gateway
}

// Remove deletes the stack's files from its data folder, and the folder if it is empty then. The
// stack must be closed. The lock goes last: the next holder begins to fill the folder.
func (s *Stack) Remove() error {
	furtherNodes, err := filepath.Glob(filepath.Join(s.options.Data, Meili+"-*"))
	if err != nil {
		return err
	}
	for _, folder := range furtherNodes {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	for _, name := range []string{"log", NATS, Meili, "mail", "pictures", "people.txt", "secrets.json", "stack.json", "demo.unfinished"} {
		if err := os.RemoveAll(filepath.Join(s.options.Data, name)); err != nil {
			return err
		}
	}
	if s.home.Dir != "" { // set in the course of New
		if err := os.RemoveAll(filepath.Join(s.home.Dir, "postgres")); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(lockFile(s.options.Data)); err != nil {
		return err
	}
	for _, folder := range []string{s.home.Dir, s.options.Data} {
		_ = os.Remove(folder) // stays unless empty
	}
	return nil
}
