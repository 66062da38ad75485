// Package stream carries changes over NATS JetStream: the compacted stream of the catalogue, which holds the last public
// state of every entity, and beside it the stream of changes that could never be applied.
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

// Config says where the stream is and how it is kept.
type Config struct {
	URL      string `env:"NATS_URL"`
	Name     string `env:"STREAM" envDefault:"CATALOG"`
	Replicas int    `env:"STREAM_REPLICAS" envDefault:"1"`
}

const (
	requestTimeout = 10 * time.Second // one request to JetStream, or one acknowledgement
	dedupeWindow   = 2 * time.Minute  // repeated publishing of the same state after a lost acknowledgement
	lookAgain      = 50 * time.Millisecond
	firstRetry     = 100 * time.Millisecond

	// knownSubjects bounds the memory of what was published: about 200 bytes each. A forgotten subject costs one refused
	// publish and one read.
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
}

// position is where a change lies in the stream.
type position struct {
	sequence uint64
	revision int64
}

// Open returns a connection to the server at config.URL without waiting for it: it connects as soon as the server answers,
// and renews itself for ever. While it is down, publishing and requests fail at once, so that callers decide when to retry.
func Open(config Config, log *slog.Logger) (*Stream, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	conn, err := nats.Connect(config.URL, options(log)...)
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
		return nil, fmt.Errorf("make the table of subjects: %w", err)
	}
	return &Stream{config: config, prefix: strings.ToLower(config.Name), log: log, conn: conn, js: js, last: last}, nil
}

// Connect is Open, and waits until the server answers or ctx ends.
func Connect(ctx context.Context, config Config, log *slog.Logger) (*Stream, error) {
	s, err := Open(config, log)
	if err != nil {
		return nil, err
	}
	if s.Connected() {
		return s, nil
	}
	log.Warn("NATS does not answer yet, waiting for it")
	for !s.Connected() {
		if err := pause(ctx, lookAgain); err != nil {
			s.Close()
			return nil, fmt.Errorf("connect to NATS: %w", err)
		}
	}
	return s, nil
}

// check names the first setting that no server would accept.
func (c Config) check() error {
	switch {
	case c.URL == "":
		return errors.New("NATS_URL is not set")
	case c.Name == "" || strings.ContainsAny(c.Name, " .*>/\\\t\r\n"):
		return fmt.Errorf("STREAM %q is not a stream name: it may hold no space, dot, star, slash or >", c.Name)
	case c.Replicas < 1 || c.Replicas > 5:
		return fmt.Errorf("STREAM_REPLICAS is %d, it must be 1 to 5", c.Replicas)
	}
	return nil
}

func options(log *slog.Logger) []nats.Option {
	return []nats.Option{
		nats.Name("litfass"),
		nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond),
		nats.ReconnectBufSize(-1), // what was published while down must not be sent late, after newer state
		nats.PingInterval(10 * time.Second),
		nats.MaxPingsOutstanding(3),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil: closed by ourselves
				log.Warn("lost the connection to NATS", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("connected to NATS") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("NATS reports an error", "error", err) }),
	}
}

// Prefix returns what the subjects of this stream start with: its name in lower case.
func (s *Stream) Prefix() string { return s.prefix }

// Connected reports whether the connection is up right now.
func (s *Stream) Connected() bool { return s.conn.IsConnected() }

// Close ends the connection. Calls that still run fail.
func (s *Stream) Close() { s.conn.Close() }

// Ensure creates both streams, or brings their settings to those of this version. It may be called at any time.
func (s *Stream) Ensure(ctx context.Context) error {
	for _, config := range []jetstream.StreamConfig{s.catalogConfig(), s.deadConfig()} {
		if err := s.ensure(ctx, config); err != nil {
			return fmt.Errorf("ensure stream %s: %w", config.Name, err)
		}
	}
	return nil
}

func (s *Stream) ensure(ctx context.Context, config jetstream.StreamConfig) error {
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
	state, err := s.state(ctx)
	if err != nil {
		return 0, err
	}
	return state.LastSeq, nil
}

// stream returns a handle on the stream, which must exist. It is asked for once.
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

func (s *Stream) state(ctx context.Context) (jetstream.StreamState, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return jetstream.StreamState{}, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return jetstream.StreamState{}, fmt.Errorf("read the state of stream %s: %w", s.config.Name, err)
	}
	return info.State, nil
}
