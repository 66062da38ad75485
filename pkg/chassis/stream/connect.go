// Package stream transports changes over NATS JetStream: in the compacted stream of the catalogue,
// which holds the last public state of every entity, and in the stream of dead letters, changes
// that could never be applied.
package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config is the address of the server, who connects, and the settings of the stream. A server
// without users ignores User and Password; a user in the address replaces both.
type Config struct {
	URL      string `env:"NATS_URL"`
	User     string `env:"NATS_USER"`
	Password string `env:"NATS_PASSWORD"`
	Name     string `env:"STREAM" envDefault:"CATALOG"`
	Replicas int    `env:"STREAM_REPLICAS" envDefault:"1"`
	Journal  Journal
}

const (
	requestTimeout = 10 * time.Second // of one acknowledgement, and of a request without a time of its own
	askTimeout     = 3 * time.Second  // of one request about streams; see ofOneRequest
	dedupeWindow   = 2 * time.Minute  // detects a repeated publish after a lost acknowledgement
	lookAgain      = 50 * time.Millisecond
	firstRetry     = 100 * time.Millisecond

	// knownSubjects limits the memory of published subjects, about 200 bytes each. A forgotten
	// subject costs one refused publish and one read.
	knownSubjects = 100_000
)

// Stream is a connection to the catalogue stream. It is safe for concurrent use.
type Stream struct {
	config Config
	prefix string
	log    *slog.Logger
	conn   *nats.Conn
	js     jetstream.JetStream
	last   *lru.Cache[string, position] // by subject: its last message, as far as this process knows
	handle atomic.Pointer[jetstream.Stream]

	unvoided     voids        // entries of the journal that are not what was published
	journaled    atomic.Bool  // the journal is known to exist
	journalAgain atomic.Int64 // when it may be written to again, in Unix nanoseconds
}

// position is the place of a change in the stream.
type position struct {
	sequence uint64
	revision int64
}

// Open returns a connection to the server at config.URL without waiting for it: it connects as soon
// as the server answers, and reconnects without limit. While it is down, publishing and requests
// fail immediately, so that callers decide when to retry. It returns an error for invalid settings.
func Open(config Config, log *slog.Logger) (*Stream, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	conn, err := nats.Connect(config.URL, config.options(log)...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	js, err := jetstream.New(conn,
		jetstream.WithDefaultTimeout(requestTimeout),
		jetstream.WithPublishAsyncTimeout(requestTimeout),
	)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	last, err := lru.New[string, position](knownSubjects)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("create the cache of subjects: %w", err)
	}
	return &Stream{config: config, prefix: strings.ToLower(config.Name), log: log, conn: conn, js: js, last: last}, nil
}

// Connect is Open, and waits until the server answers. It returns an error when ctx ends first.
func Connect(ctx context.Context, config Config, log *slog.Logger) (*Stream, error) {
	s, err := Open(config, log)
	if err != nil {
		return nil, err
	}
	if err := s.Await(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Await returns once the connection is up. It returns an error when ctx ends first.
func (s *Stream) Await(ctx context.Context) error {
	if s.Connected() {
		return nil
	}
	s.log.Warn("waiting for NATS")
	for !s.Connected() {
		if err := pause(ctx, lookAgain); err != nil {
			return fmt.Errorf("connect to NATS: %w", err)
		}
	}
	return nil
}

// check returns an error for the first setting that no server accepts.
func (c Config) check() error {
	switch {
	case c.URL == "":
		return errors.New("NATS_URL is not set")
	case strings.ContainsAny(c.User, " .*>\t\r\n"):
		return fmt.Errorf("NATS_USER %q is not a user: it may hold no space, dot, star or >", c.User)
	case c.Name == "" || strings.ContainsAny(c.Name, " .*>/\\\t\r\n"):
		return fmt.Errorf("STREAM %q is not a stream name: it may hold no space, dot, star, slash or >", c.Name)
	case c.Replicas < 1 || c.Replicas > 5:
		return fmt.Errorf("STREAM_REPLICAS is %d, it must be 1 to 5", c.Replicas)
	}
	return nil
}

// options returns the settings of the connection. A user may read the answers to its own requests
// only, hence the prefix.
func (c Config) options(log *slog.Logger) []nats.Option {
	options := []nats.Option{
		nats.Name("litfass"),
		nats.RetryOnFailedConnect(true),
		nats.IgnoreAuthErrorAbort(), // a password that changes reaches the servers one after the other
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond),
		nats.ReconnectBufSize(-1), // messages published while down must not be sent after newer state
		nats.PingInterval(10 * time.Second),
		nats.MaxPingsOutstanding(3),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: closed by Close
				log.Warn("lost the connection to NATS", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("connected to NATS") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			log.Warn("NATS reports an error", "error", err)
		}),
	}
	if c.User != "" {
		options = append(options, nats.UserInfo(c.User, c.Password), nats.CustomInboxPrefix("_INBOX."+c.User))
	}
	return options
}

// ofOneRequest limits a request to askTimeout. A request gets no answer when the responsible server
// dies or, in a cluster, when two processes create the same stream at the same time: it must then
// be sent again. The client would wait for as long as the caller can.
func ofOneRequest(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, askTimeout)
}

// Prefix returns the first part of this stream's subjects: its name in lower case.
func (s *Stream) Prefix() string { return s.prefix }

// Connected reports whether the connection is up.
func (s *Stream) Connected() bool { return s.conn.IsConnected() }

// Close closes the connection. Calls in progress fail.
func (s *Stream) Close() { s.conn.Close() }

// Ensure creates the streams or updates their settings. It may be called at any time.
func (s *Stream) Ensure(ctx context.Context) error {
	for _, config := range []jetstream.StreamConfig{s.catalogConfig(), s.deadConfig(), s.keysConfig(), s.workConfig()} {
		if err := s.ensure(ctx, config); err != nil {
			return fmt.Errorf("ensure stream %s: %w", config.Name, err)
		}
	}
	if _, err := s.ensureLeases(ctx); err != nil {
		return fmt.Errorf("ensure stream %s: %w", s.leasesName(), err)
	}
	return nil
}

// AwaitEnsured returns once another process has called Ensure. A projector may not: who may change
// the settings of a stream may let the server write to it.
func (s *Stream) AwaitEnsured(ctx context.Context) error {
	names := []string{s.config.Name, s.deadName(), "KV_" + s.leasesName()}
	for waiting := false; len(names) > 0; {
		err := s.find(ctx, names[0])
		if err == nil {
			names = names[1:]
			continue
		}
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("look up stream %s: %w", names[0], err)
		}
		if !waiting {
			s.log.Warn("waiting for admin to create a stream", "stream", names[0])
		}
		waiting = true
		if err := pause(ctx, leaseRetry); err != nil {
			return fmt.Errorf("wait for stream %s: %w", names[0], err)
		}
	}
	return nil
}

func (s *Stream) find(ctx context.Context, name string) error {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	_, err := s.js.Stream(ctx, name)
	return err
}

func (s *Stream) ensure(ctx context.Context, config jetstream.StreamConfig) error {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	_, err := s.js.CreateOrUpdateStream(ctx, config)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process created it between update and create
		_, err = s.js.UpdateStream(ctx, config)
	}
	return err
}

func (s *Stream) catalogConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              s.config.Name,
		Description:       "last public state of every entity of the catalogue",
		Subjects:          []string{s.prefix + ".>"},
		Storage:           jetstream.FileStorage,
		Replicas:          s.config.Replicas,
		MaxMsgsPerSubject: 1,
		Discard:           jetstream.DiscardOld,
		AllowDirect:       true,
		Duplicates:        dedupeWindow,
	}
}

func (s *Stream) deadConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              s.deadName(),
		Description:       "changes that could never be applied, with the reason",
		Subjects:          []string{s.deadPrefix() + ".>"},
		Storage:           jetstream.FileStorage,
		Replicas:          s.config.Replicas,
		MaxMsgsPerSubject: 1,
		Discard:           jetstream.DiscardOld,
		AllowDirect:       true,
	}
}

func (s *Stream) deadName() string { return s.config.Name + "_DEAD" }

func (s *Stream) deadPrefix() string { return s.prefix + "-dead" }

// LastSequence returns the sequence of the newest message of the stream; 0 when it never had one.
func (s *Stream) LastSequence(ctx context.Context) (uint64, error) {
	info, err := s.info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.LastSeq, nil
}

// State identifies the stream and describes its content, both at one moment.
type State struct {
	Identity string // see Identity
	Last     uint64 // sequence of the newest message; 0 when it never had one
	Messages uint64
}

// State returns the present state of the stream, which must exist.
func (s *Stream) State(ctx context.Context) (State, error) {
	info, err := s.info(ctx)
	if err != nil {
		return State{}, err
	}
	return State{Identity: s.identity(info), Last: info.State.LastSeq, Messages: info.State.Msgs}, nil
}

// Identity identifies this stream, also among streams of the same name: one that was deleted and
// created again has another identity. It is the time of its creation, which its servers keep; it is
// only ever compared for equality, so that their clocks do not matter.
func (s *Stream) Identity(ctx context.Context) (string, error) {
	info, err := s.info(ctx)
	if err != nil {
		return "", err
	}
	return s.identity(info), nil
}

func (s *Stream) identity(info *jetstream.StreamInfo) string {
	return s.config.Name + "@" + info.Created.UTC().Format(time.RFC3339Nano)
}

// stream returns a handle on the stream, which must exist. The handle is looked up once.
func (s *Stream) stream(ctx context.Context) (jetstream.Stream, error) {
	if known := s.handle.Load(); known != nil {
		return *known, nil
	}
	stream, err := s.js.Stream(ctx, s.config.Name)
	if err != nil {
		return nil, fmt.Errorf("look up stream %s: %w", s.config.Name, err)
	}
	s.handle.Store(&stream)
	return stream, nil
}

func (s *Stream) info(ctx context.Context) (*jetstream.StreamInfo, error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	stream, err := s.stream(ctx)
	if err != nil {
		return nil, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the state of stream %s: %w", s.config.Name, err)
	}
	return info, nil
}
