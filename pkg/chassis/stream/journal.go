package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The journal is the stream of published changes in their order, each with the state that it
// replaced: the stream of the catalogue has only the last state of an entity. It is read by the
// sequences of that stream. The changes of an entry that begins after sequence 70 are at 71, 72 and
// so on, since one publisher at a time writes; an entry is written before its changes are
// published. Where they are published otherwise, or not at all, the following entry shows it by its
// beginning, or is void: the journal has a hole there, and is never wrong.

const (
	// journalRaw is the size of the changes of one entry before compression, approximately.
	journalRaw = 2 << 20
	// journalWait is how long a publisher waits for the journal, which may be missing: readers notice
	// the hole.
	journalWait = 3 * time.Second
	// journalPause is how long nothing is written to the journal after a failure, for changes to be
	// published without delay.
	journalPause = 10 * time.Second
)

// Journal are the bounds of the journal.
type Journal struct {
	Age   time.Duration `env:"CHANGES_AGE" envDefault:"168h"`         // the longest time that changes are kept; 0: none are
	Bytes int64         `env:"CHANGES_BYTES" envDefault:"1073741824"` // of changes, compressed
}

func (j Journal) on() bool { return j.Age > 0 && j.Bytes > 0 }

// JournalEntry lists changes that were published one after another.
type JournalEntry struct {
	Stream  string          `json:"stream"` // Identity of the stream of the catalogue
	After   uint64          `json:"after"`  // its newest sequence before these changes
	Changes []JournalChange `json:"changes,omitempty"`
	// Void is the sequence up to which the changes after After are not known; 0 of an entry with
	// changes.
	Void uint64 `json:"void,omitempty"`
}

// End returns the last sequence that the entry is about.
func (e JournalEntry) End() uint64 { return max(e.Void, e.After+uint64(len(e.Changes))) }

// JournalChange is a change with the message that it replaced.
type JournalChange struct {
	Before json.RawMessage `json:"before,omitempty"` // as that of After; nil without an earlier message
	After  json.RawMessage `json:"after"`            // an encoded change.Change
}

func (s *Stream) journalName() string { return s.config.Name + "_CHANGES" }

func (s *Stream) journalSubject() string { return s.prefix + "-changes" }

func (s *Stream) journalConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        s.journalName(),
		Description: "published changes in order, with the state that each replaced",
		Subjects:    []string{s.journalSubject()},
		Storage:     jetstream.FileStorage,
		Replicas:    s.config.Replicas,
		MaxAge:      s.config.Journal.Age,
		MaxBytes:    s.config.Journal.Bytes,
		Discard:     jetstream.DiscardOld,
		AllowDirect: true,
	}
}

// journal writes an entry with the messages of a window and returns it, also if the journal may
// have it although it failed, which is in the log. It returns one without changes if the journal is
// off or has failed before. Changes are published also without it.
func (s *Stream) journal(ctx context.Context, window []*message) (entry JournalEntry) {
	if !s.config.Journal.on() || len(window) == 0 || time.Now().UnixNano() < s.journalAgain.Load() {
		return entry
	}
	ctx, cancel := context.WithTimeout(ctx, journalWait)
	defer cancel()
	info, err := s.info(ctx)
	if err == nil {
		err = s.writeUnvoided(ctx)
	}
	if err != nil {
		s.journalFailed(err)
		return entry
	}
	entry = JournalEntry{Stream: s.identity(info), After: info.State.LastSeq}
	for _, m := range window {
		entry.Changes = append(entry.Changes, JournalChange{Before: m.replaces, After: m.data})
	}
	if err := s.writeJournal(ctx, entry); err != nil {
		s.journalFailed(err)
	}
	return entry
}

// journalSize is the size of a change with the one that it replaces, approximately.
func (m *message) journalSize() int { return len(m.replaces) + len(m.data) }

// journalFailed notes that changes are published without the journal.
func (s *Stream) journalFailed(err error) {
	if s.Connected() { // else no change is published either
		s.journalAgain.Store(time.Now().Add(journalPause).UnixNano())
	}
	s.log.Warn("the journal lacks changes: copies that are kept by the change feed begin again", "error", err)
}

// writeJournal writes an entry, or a void one in place of one that is too large.
func (s *Stream) writeJournal(ctx context.Context, entry JournalEntry) error {
	data, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	packed := packer().EncodeAll(data, nil)
	if limit := s.conn.MaxPayload(); len(data) > mostUnpacked || limit > 0 && int64(len(packed)+headerEstimate) > limit {
		return s.writeJournal(ctx, JournalEntry{Stream: entry.Stream, After: entry.After, Void: entry.End()})
	}
	for again := false; ; again = true {
		if !s.journaled.Load() {
			if err := s.ensure(ctx, s.journalConfig()); err != nil {
				return fmt.Errorf("ensure stream %s: %w", s.journalName(), err)
			}
			s.journaled.Store(true)
		}
		_, err = s.js.PublishMsg(ctx, &nats.Msg{Subject: s.journalSubject(), Data: packed}, jetstream.WithExpectStream(s.journalName()))
		if err == nil {
			return nil
		}
		if s.journaled.Store(false); again || !errors.Is(err, jetstream.ErrNoStreamResponse) {
			return fmt.Errorf("write to stream %s: %w", s.journalName(), err)
		}
	}
}

// voidJournal records that the changes of an entry were not published as it has them, or perhaps
// not: also when ctx has ended. What cannot be recorded now is before the next entry.
func (s *Stream) voidJournal(ctx context.Context, entry JournalEntry) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), journalWait)
	defer cancel()
	s.unvoided.add(JournalEntry{Stream: entry.Stream, After: entry.After, Void: entry.End()})
	if err := s.writeUnvoided(ctx); err != nil {
		s.log.Warn("the journal of changes has some that were not published", "error", err)
	}
}

// writeUnvoided records all changes that were not published as the journal has them.
func (s *Stream) writeUnvoided(ctx context.Context) error {
	for {
		void, some := s.unvoided.first()
		if !some {
			return nil
		}
		last, err := s.LastSequence(ctx)
		if err != nil {
			return err
		}
		written := void
		written.Void = max(last, void.Void)
		if err := s.writeJournal(ctx, written); err != nil {
			return err
		}
		s.unvoided.remove(void)
	}
}

// voids are entries to be written, without changes. It is safe for concurrent use.
type voids struct {
	mu   sync.Mutex
	list []JournalEntry
}

func (v *voids) add(entry JournalEntry) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = append(v.list, entry)
}

func (v *voids) first() (entry JournalEntry, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.list) == 0 {
		return entry, false
	}
	return v.list[0], true
}

func (v *voids) remove(entry JournalEntry) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = slices.DeleteFunc(v.list, func(e JournalEntry) bool { return e.After == entry.After && e.Void == entry.Void })
}

// replaced reads the last message of each subject of a window, for the journal, and returns the
// messages that are newer.
func (s *Stream) replaced(ctx context.Context, window []*message) (newer []*message, err error) {
	if !s.config.Journal.on() {
		return window, nil
	}
	return s.outdated(ctx, window)
}

// JournalBounds returns the sequences, in the journal, of its first and its last entry. An empty
// journal has a first one above its last one. ok is false without a journal.
func (s *Stream) JournalBounds(ctx context.Context) (first, last uint64, ok bool, err error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	journal, err := s.js.Stream(ctx, s.journalName())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, 0, false, nil
	}
	if err != nil {
		return 0, 0, false, fmt.Errorf("look up stream %s: %w", s.journalName(), err)
	}
	state := journal.CachedInfo().State
	return state.FirstSeq, state.LastSeq, true, nil
}

// JournalEntry returns the entry at a sequence of the journal; ok is false when there is none.
func (s *Stream) JournalEntry(ctx context.Context, sequence uint64) (entry JournalEntry, ok bool, err error) {
	found, ok, err := s.fromLeader(ctx, s.journalName(), fmt.Appendf(nil, `{"seq":%d}`, sequence))
	if err != nil || !ok {
		return entry, false, err
	}
	data, err := unpacker().DecodeAll(found.Data, nil)
	if err == nil {
		err = json.Unmarshal(data, &entry)
	}
	if err != nil {
		return entry, false, fmt.Errorf("read entry %d of the journal: %w", sequence, err)
	}
	return entry, true, nil
}

// Published reports whether the changes of an entry up to a sequence are in the stream of the
// catalogue as the entry has them: the last of these is, and they are published in order. It is
// false if that one was replaced since: there is a later entry then.
func (s *Stream) Published(ctx context.Context, entry JournalEntry, upTo uint64) (bool, error) {
	if upTo <= entry.After || upTo > entry.After+uint64(len(entry.Changes)) {
		return false, nil
	}
	found, ok, err := s.fromLeader(ctx, s.config.Name, fmt.Appendf(nil, `{"seq":%d}`, upTo))
	if err != nil || !ok {
		return false, err
	}
	return bytes.Equal(found.Data, entry.Changes[upTo-entry.After-1].After), nil
}

// fromLeader returns a message as the leader of a stream has it; ok is false when there is none.
func (s *Stream) fromLeader(ctx context.Context, stream string, request []byte) (m Message, ok bool, err error) {
	ctx, cancel := ofOneRequest(ctx)
	defer cancel()
	reply, err := s.conn.RequestWithContext(ctx, jetstream.DefaultAPIPrefix+"STREAM.MSG.GET."+stream, request)
	if err != nil {
		return m, false, fmt.Errorf("read %s of stream %s: %w", request, stream, err)
	}
	var found struct {
		Error   *jetstream.APIError `json:"error"`
		Message struct {
			Sequence uint64 `json:"seq"`
			Subject  string `json:"subject"`
			Data     []byte `json:"data"`
		} `json:"message"`
	}
	switch err := json.Unmarshal(reply.Data, &found); {
	case err != nil:
		return m, false, fmt.Errorf("read %s of stream %s: %w", request, stream, err)
	case found.Error != nil && found.Error.Code == http.StatusNotFound: // no such message, or no stream
		return m, false, nil
	case found.Error != nil:
		return m, false, fmt.Errorf("read %s of stream %s: %w", request, stream, found.Error)
	}
	return Message{Sequence: found.Message.Sequence, Subject: found.Message.Subject, Data: found.Message.Data}, true, nil
}

// holds reports whether the messages were published as an entry has them, as far as it has them.
func (e JournalEntry) holds(window []*message) bool {
	for i, m := range window[:len(e.Changes)] {
		if m.sequence != e.After+uint64(i)+1 { //nolint:gosec // an index is not negative
			return false
		}
	}
	return true
}
