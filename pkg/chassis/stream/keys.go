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
	// keysIdle is how long a follower hears of no key before it looks for some.
	keysIdle = 3 * time.Second
	// keysLate is how long it goes on looking after it has heard of one: the stream may get the
	// message later than the follower.
	keysLate = time.Second
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
//
// FollowKeys reads message by message, without a consumer: a user with the right to create
// consumers chooses the subject to which the server publishes.
func (s *Stream) FollowKeys(ctx context.Context, listener KeyListener) error {
	written := make(chan struct{}, 1)
	subscription, err := s.conn.Subscribe(s.keysPrefix()+".>", func(*nats.Msg) {
		select {
		case written <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return fmt.Errorf("follow the API keys: %w", err)
	}
	defer func() { _ = subscription.Unsubscribe() }() // fails only when the connection is closed
	f := &follower{stream: s, listener: listener}
	var until time.Time // to look for what was written
	for failing := false; ctx.Err() == nil; {
		err := f.read(ctx)
		wait := keysIdle
		switch {
		case err != nil:
			if !failing && ctx.Err() == nil {
				s.log.Warn("hears of no API keys and tries again", "error", err)
			}
			failing, wait = true, firstRetry
		case failing:
			s.log.Info("hears of API keys again")
			failing = false
		}
		if time.Now().Before(until) {
			wait = min(wait, lookAgain)
		}
		select {
		case <-ctx.Done():
		case <-written:
			until = time.Now().Add(keysLate)
		case <-time.After(wait):
		}
	}
	return nil
}

// follower collects keys until it has read all, then passes on each.
type follower struct {
	stream   *Stream
	listener KeyListener
	created  time.Time             // when the stream was that it has read
	next     uint64                // sequence
	all      map[string]change.Key // by hash, until it has read all
}

// read passes on what the stream has beyond the follower's place. It begins again when the stream
// is another one.
func (f *follower) read(ctx context.Context) error {
	stream, err := f.stream.keys(ctx)
	if err != nil {
		return err
	}
	info := stream.CachedInfo()
	if !info.Created.Equal(f.created) {
		f.created, f.next, f.all = info.Created, 1, map[string]change.Key{}
	}
	for f.next <= info.State.LastSeq {
		request := fmt.Appendf(nil, `{"seq":%d,"next_by_subj":%q}`, f.next, f.stream.keysPrefix()+".>")
		message, found, err := f.stream.fromLeader(ctx, f.stream.keysName(), request)
		if err != nil {
			return err
		}
		if !found { // the newest were deleted
			break
		}
		f.hear(message)
		f.next = message.Sequence + 1
	}
	if f.all != nil {
		f.listener.Replace(slices.Collect(maps.Values(f.all)))
		f.all = nil
	}
	return nil
}

// hear takes a message. One that is no key is logged and skipped.
func (f *follower) hear(message Message) {
	key, bad := change.DecodeKey(message.Data)
	if bad == nil && message.Subject != f.stream.keysPrefix()+"."+key.Hash {
		bad = errors.New("its subject is another key's")
	}
	switch {
	case bad != nil:
		f.stream.log.Warn("skipping a message that is no API key", "sequence", message.Sequence, "error", bad)
	case f.all == nil:
		f.listener.Change(key)
	case key.Gone(): // since the reading began
		delete(f.all, key.Hash)
	default:
		f.all[key.Hash] = key
	}
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
