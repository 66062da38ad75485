package stream

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litfass/pkg/contracts/change"
)

const (
	// keysIdle is how long a follower hears of no key before it asks whether the stream is still the
	// same.
	keysIdle = 3 * time.Second
	// keysHeartbeat is how often the server confirms that the follower's request still waits there.
	// The client notices two missed heartbeats within one wait of keysIdle, and asks another server.
	keysHeartbeat = time.Second
)

func (s *Stream) keysConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              s.keysName(),
		Description:       "API keys for the limits of public operations: hash and tier of each",
		Subjects:          []string{s.keysPrefix() + ".>"},
		Storage:           jetstream.FileStorage,
		Replicas:          s.config.Replicas,
		MaxMsgsPerSubject: 1,
		Discard:           jetstream.DiscardOld,
		AllowDirect:       true,
	}
}

func (s *Stream) keysName() string { return s.config.Name + "_KEYS" }

func (s *Stream) keysPrefix() string { return s.prefix + "-keys" }

// PublishKeys writes keys and returns when the stream has acknowledged all of them. A key that the
// stream holds in the same state, or at a higher revision, is not written. After an error the
// outcome is unknown; publishing all of them again is safe.
func (s *Stream) PublishKeys(ctx context.Context, keys []change.Key) error {
	if len(keys) == 0 {
		return nil
	}
	stream, err := s.keys(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := s.publishKey(ctx, stream, key); err != nil {
			return fmt.Errorf("publish an API key: %w", err)
		}
	}
	return nil
}

// publishKey is a compare-and-set: it fails if another publisher writes the key meanwhile.
func (s *Stream) publishKey(ctx context.Context, stream jetstream.Stream, key change.Key) error {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	last, sequence, err := lastKey(ctx, stream, s.keysPrefix()+"."+key.Hash)
	if err != nil || last.Revision >= key.Revision || sequence > 0 && last.Same(key) {
		return err
	}
	data, err := key.Encode()
	if err != nil {
		return err
	}
	_, err = s.js.PublishMsg(ctx, &nats.Msg{Subject: s.keysPrefix() + "." + key.Hash, Data: data},
		jetstream.WithExpectStream(s.keysName()), jetstream.WithExpectLastSequencePerSubject(sequence))
	return err
}

// lastKey returns the last key on a subject, with the sequence 0 if there is none. A message that
// is not a key is a zero Key, which any other may replace.
func lastKey(ctx context.Context, stream jetstream.Stream, subject string) (change.Key, uint64, error) {
	last, err := stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return change.Key{}, 0, nil
	}
	if err != nil {
		return change.Key{}, 0, err
	}
	key, err := change.DecodeKey(last.Data)
	if err != nil || !strings.HasSuffix(subject, "."+key.Hash) {
		return change.Key{}, last.Sequence, nil //nolint:nilerr // any key may replace an invalid one
	}
	return key, last.Sequence, nil
}

// lastKeyRevision returns the revision of the key that was written last; 0 when it cannot be read.
func (s *Stream) lastKeyRevision(ctx context.Context) (int64, error) {
	stream, err := s.keys(ctx)
	if err != nil {
		return 0, err
	}
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	last, err := stream.GetMsg(ctx, max(1, stream.CachedInfo().State.LastSeq))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read stream %s: %w", s.keysName(), err)
	}
	key, err := change.DecodeKey(last.Data)
	if err != nil {
		return 0, nil // it is passed over, as the catalogue's unreadable messages are
	}
	return key.Revision, nil
}

// keys returns a handle on the stream of keys.
func (s *Stream) keys(ctx context.Context) (jetstream.Stream, error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	stream, err := s.js.Stream(ctx, s.keysName())
	if err != nil {
		return nil, fmt.Errorf("look up stream %s: %w", s.keysName(), err)
	}
	return stream, nil
}

// KeyListener hears of API keys, one call at a time.
type KeyListener interface {
	// Replace is called with all keys that are of use: at the beginning, and when it is not certain
	// that every change was heard of.
	Replace(keys []change.Key)
	// Change is called with each key that changed since.
	Change(key change.Key)
}

// FollowKeys reports the keys to the listener until ctx ends, and returns nil. It waits for a
// stream that does not exist yet, and continues after a lost connection.
func (s *Stream) FollowKeys(ctx context.Context, listener KeyListener) error {
	failing := false
	for ctx.Err() == nil {
		err := s.followKeys(ctx, func() {
			if failing {
				s.log.Info("hears of API keys again")
			}
			failing = false
		}, listener)
		if err != nil && ctx.Err() == nil && !failing {
			failing = true
			s.log.Warn("hears of no API keys and tries again", "error", err)
		}
		_ = pause(ctx, firstRetry) // its error ends the loop
	}
	return nil
}

// followKeys reads the stream from its beginning and calls heard once it has read all there is. It
// returns when the stream is another one, with an error when it cannot be read.
func (s *Stream) followKeys(ctx context.Context, heard func(), listener KeyListener) error {
	stream, err := s.keys(ctx)
	if err != nil {
		return err
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return fmt.Errorf("read stream %s: %w", s.keysName(), err)
	}
	messages, err := consumer.Messages(jetstream.PullHeartbeat(keysHeartbeat))
	if err != nil {
		return fmt.Errorf("read stream %s: %w", s.keysName(), err)
	}
	defer messages.Stop()
	f := &follower{listener: listener, heard: heard, all: map[string]change.Key{}}
	if consumer.CachedInfo().NumPending == 0 {
		f.caughtUp()
	}
	created := stream.CachedInfo().Created
	for {
		msg, err := next(ctx, messages, keysIdle)
		switch {
		case err == nil:
			err = f.hear(s, msg)
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			if same, err := s.sameKeys(ctx, created); err != nil || !same {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
	}
}

// sameKeys reports whether the stream of keys still is the one that was created then.
func (s *Stream) sameKeys(ctx context.Context, created time.Time) (bool, error) {
	if !s.Connected() {
		return true, nil // it is asked again
	}
	stream, err := s.keys(ctx)
	if err != nil {
		return false, err
	}
	return stream.CachedInfo().Created.Equal(created), nil
}

func next(ctx context.Context, messages jetstream.MessagesContext, wait time.Duration) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return messages.Next(jetstream.NextContext(ctx))
}

// follower collects keys until it has heard of all, then passes on each.
type follower struct {
	listener KeyListener
	heard    func()
	all      map[string]change.Key // by hash
	up       bool
}

// hear takes a message. One that is no key is logged and skipped.
func (f *follower) hear(s *Stream, msg jetstream.Msg) error {
	meta, err := msg.Metadata()
	if err != nil {
		return fmt.Errorf("read the sequence of a message: %w", err)
	}
	key, bad := change.DecodeKey(msg.Data())
	if bad == nil && msg.Subject() != s.keysPrefix()+"."+key.Hash {
		bad = errors.New("its subject is another key's")
	}
	switch {
	case bad != nil:
		s.log.Warn("skipping a message that is no API key", "sequence", meta.Sequence.Stream, "error", bad)
	case f.up:
		f.listener.Change(key)
	case key.Gone(): // since the walk began
		delete(f.all, key.Hash)
	default:
		f.all[key.Hash] = key
	}
	if !f.up && meta.NumPending == 0 {
		f.caughtUp()
	}
	return nil
}

func (f *follower) caughtUp() {
	f.listener.Replace(slices.Collect(maps.Values(f.all)))
	f.heard()
	f.up, f.all = true, nil
}

// Keys returns the keys that the stream holds and that are of use, by hash, and the greatest
// revision of all that it holds.
func (s *Stream) Keys(ctx context.Context) (keys map[string]change.Key, greatest int64, err error) {
	keys = map[string]change.Key{}
	stream, err := s.keys(ctx)
	if err != nil {
		return nil, 0, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(s.keysPrefix()+".>"))
	if err != nil {
		return nil, 0, fmt.Errorf("read the state of stream %s: %w", s.keysName(), err)
	}
	for subject := range info.State.Subjects {
		key, _, err := lastKey(ctx, stream, subject)
		if err != nil {
			return nil, 0, fmt.Errorf("read stream %s: %w", s.keysName(), err)
		}
		greatest = max(greatest, key.Revision)
		if !key.Gone() {
			keys[key.Hash] = key
		}
	}
	return keys, greatest, nil
}
