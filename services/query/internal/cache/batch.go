package cache

import (
	"bytes"
	"slices"

	"litfass/pkg/contracts/applied"
)

// Batch lists the changes that a projector applied to the index together.
type Batch struct {
	// all means that anything may have changed, for the reason given.
	all    bool
	reason Reason

	// found are the dates of events of which filters, order by start or words find a date otherwise
	// than before. changes begins with them and continues with the dates of which only the rendered
	// entry changed, and changesAndTimes with those of which only the time of change differs.
	found, changes, changesAndTimes []Change
	// rendered are the changes after found by the id of the date, and shown all changes of rendered
	// entries.
	rendered, shown map[string]*Change
	// altered are the attributes in which dates differ, besides the time of their change. With
	// comesOrGoes there are dates that came or went.
	altered     map[string]bool
	comesOrGoes bool
	// events are those of all changes; with whole, each has all its dates. changedDates are the dates
	// of the changed ones.
	events       []event
	changedDates int
	whole        bool
	records      map[string]map[string]bool   // ids of the records written, by index
	names        map[string]map[string]string // of the venues and organizations among them
	changed      map[string]recordChanges     // of these; none where the signal does not carry them
	// before and after are the versions of the index of dates before and after the batch; "" when
	// unknown.
	before, after string
}

// Change is a date before and after a batch; nil where the index does not contain it.
type Change struct {
	id            string
	before, after *Document
	rendered      bool     // the rendered entry changed
	entry         []string // parts of the rendered entry after the change; nil when it is not known
	revision      int64    // of the event after the change; 0 when it is not known
	reworded      bool     // words of the date changed
	retimed       bool     // the time of its last change did
}

// NewBatch returns the batch of a signal. before and after are the versions of the index of dates
// before and after it, "" when unknown.
func NewBatch(signalled applied.Batch, before, after string) *Batch {
	b := &Batch{
		all: signalled.All, reason: Large, before: before, after: after, whole: signalled.Whole, names: signalled.Names,
		records: make(map[string]map[string]bool, len(signalled.Records)), altered: map[string]bool{},
	}
	for index, ids := range signalled.Records {
		b.records[index] = make(map[string]bool, len(ids))
		for _, id := range ids {
			b.records[index][id] = true
		}
	}
	alike := foundAlike(signalled.Dates)
	d := decoder{}
	b.changed = d.recordChanges(signalled.Changed, b.records)
	var rendered, retimed []Change
	for _, date := range signalled.Dates {
		c := Change{id: date.ID, before: d.document(date.Before), after: d.document(date.After), rendered: date.Shown, entry: date.Entry, revision: date.Revision}
		c.reworded = c.before == nil || c.after == nil || !sameWords(c.before, c.after)
		c.retimed = c.before == nil || c.after == nil || c.before.text(changedAt) != c.after.text(changedAt)
		switch {
		case date.OnlyRetimed():
			retimed = append(retimed, c)
		case alike[eventIn(date)]:
			rendered = append(rendered, c)
		default:
			b.found = append(b.found, c)
		}
		b.compare(date)
	}
	b.changes = slices.Concat(b.found, rendered)
	b.changesAndTimes = slices.Concat(b.changes, retimed)
	b.events = eventsOf(b.changesAndTimes, len(b.found))
	for _, of := range b.events {
		if of.changed {
			b.changedDates += len(of.dates)
		}
	}
	b.rendered, b.shown = make(map[string]*Change, len(rendered)), make(map[string]*Change, len(b.changes))
	for i := range b.changes {
		c := &b.changes[i]
		if i >= len(b.found) {
			b.rendered[c.id] = c
		}
		if c.rendered {
			b.shown[c.id] = c
		}
	}
	return b
}

// compare notes the attributes that a date alters.
func (b *Batch) compare(date applied.Date) {
	if date.Before == nil || date.After == nil {
		b.comesOrGoes = true
		return
	}
	for _, documents := range [][2]applied.Attributes{{date.Before, date.After}, {date.After, date.Before}} {
		for name, value := range documents[0] {
			if other, exists := documents[1][name]; name != changedAt && (!exists || !bytes.Equal(value, other)) {
				b.altered[name] = true
			}
		}
	}
}

// alters reports whether the batch may change which dates an answer finds that reads these
// attributes: a date came or went, or differs in one of them.
func (b *Batch) alters(attributes ...string) bool {
	return b.comesOrGoes || slices.ContainsFunc(attributes, func(name string) bool { return b.altered[name] })
}

// foundAlike returns the events of which every search finds all dates as before.
func foundAlike(dates []applied.Date) map[string]bool {
	alike := map[string]bool{}
	for _, date := range dates {
		event := eventIn(date)
		before, known := alike[event]
		alike[event] = date.IsFoundAlike() && (before || !known)
	}
	return alike
}

// eventIn returns the event of a date, as JSON.
func eventIn(date applied.Date) string {
	if date.After != nil {
		return string(date.After[EventAttribute])
	}
	return string(date.Before[EventAttribute])
}

// members returns the JSON of the rendered entry after the change without its opening brace; nil
// when it is not known.
func (c *Change) members() []byte {
	length := 0
	for _, part := range c.entry {
		length += len(part)
	}
	if length < len(`{"":0}`) || c.entry[0] == "" || c.entry[0][0] != '{' {
		return nil
	}
	entry := make([]byte, 0, length)
	for _, part := range c.entry {
		entry = append(entry, part...)
	}
	return entry[1:]
}

// changedAt is the attribute of the time of a date's last change, which every edit of its event
// sets.
const changedAt = "changed_at"

// comparisons returns the number of changes that answers are compared with.
func (b *Batch) comparisons(answers map[Key]Answer) (count int) {
	for _, answer := range answers {
		count += answer.compared(b)
	}
	return count
}

// everything returns a batch that may have changed anything.
func everything(reason Reason) *Batch { return &Batch{all: true, reason: reason} }

// touches reports whether the batch wrote a record of an index.
func (b *Batch) touches(index string) bool { return b.all || len(b.records[index]) > 0 }

// Reason explains why cached answers were invalidated or evicted, for metrics.
type Reason string

// Patched is the reason for a copy that shows something else.
const Patched Reason = "patched"

// Invalidations and evictions by reason. The first five are of batches that may have changed
// anything.
const (
	Begun    Reason = "begun"   // the first signal
	Silence  Reason = "silence" // no signal for too long
	Session  Reason = "session" // another projector, or the same one restarted
	Gap      Reason = "gap"     // a batch was missed
	Large    Reason = "large"   // the projector could not list the changes, or swapped indexes
	Work     Reason = "work"    // too many answers and changes to compare
	Written  Reason = "written" // a record of the answer was written
	Altered  Reason = "altered" // a date came, went or moved
	Skipped  Reason = "skipped" // a date came or went before a page with an offset
	NoSpares Reason = "spares"  // a date left a page that has no other to show
	Words    Reason = "words"   // only the engine knows whether words find a date
	Rank     Reason = "rank"    // only the engine knows where a date is in the order
	Counted  Reason = "counted" // only the engine can count
	Unsent   Reason = "unsent"  // the signal lacks an entry that the answer shows
	Form     Reason = "form"    // the answer does not consist of entries
	Age      Reason = "age"
	Room     Reason = "room" // evicted: others needed the memory
)

// Reasons lists all of them.
var Reasons = []Reason{
	Begun, Silence, Session, Gap, Large, Work, Written, Altered, Skipped, NoSpares, Words, Rank, Counted, Unsent, Form, Age, Room,
}
