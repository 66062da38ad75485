package verify

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
)

// digest identifies a document's content. Two documents of one digest are taken for equal.
type digest [16]byte

// key identifies a document in its index in 16 bytes: a uuid, or the digest of another id.
type key [16]byte

// side is one of the two sides that are compared.
type side bool

const (
	ofStream side = false // a document that the stream asks for
	ofIndex  side = true  // a document of an index
)

// entry is a document that only one side has shown so far.
type entry struct {
	side    side
	content digest
	event   key // whose date it is; zero for records
}

// ledger crosses off the documents that stream and indexes agree on. It needs some 50 bytes for
// each document that only one side has shown so far. It is safe for concurrent use.
type ledger struct {
	mu       sync.Mutex
	counts   Counts                   // of the stream
	open     map[string]map[key]entry // by index
	names    map[key]string           // ids that are no uuids
	doubtful map[entityRef]bool
	strays   []Difference // of no entity that the stream could hold
}

// ids are the possible ids of an entity in the stream.
var ids = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

func newLedger() *ledger {
	l := &ledger{counts: Counts{Documents: map[string]int{}}, open: map[string]map[key]entry{}, names: map[key]string{}, doubtful: map[entityRef]bool{}}
	for _, settings := range document.Indexes {
		l.open[settings.Name] = map[key]entry{}
	}
	return l
}

// expect adds the documents of a message and counts them. A message that can never be applied makes
// its entity doubtful.
func (l *ledger) expect(prefix string, projector project.Projector, m stream.Message) error {
	documents, err := read(prefix, projector, m)
	l.count(documents)
	if err != nil {
		kind, id, _ := change.ParseSubject(prefix, m.Subject)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.doubt(entityRef{kind, id}, Difference{ID: m.Subject, What: Unusable, Reason: err.Error()})
		return nil
	}
	for _, d := range documents.Dates {
		if err := l.want(document.Dates, d.DateUUID, documents.ID, d); err != nil {
			return err
		}
	}
	return l.want(documents.Index, documents.ID, "", documents.Record)
}

// count counts the documents of a message, which has none if it can never be applied.
func (l *ledger) count(documents project.Documents) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Messages++
	if documents.Index != "" {
		l.counts.Documents[document.Dates] += len(documents.Dates)
		l.counts.Documents[documents.Index]++
	}
}

// read returns the documents of a message, or the reason why it can never be applied.
func read(prefix string, projector project.Projector, m stream.Message) (project.Documents, error) {
	c, err := change.Decode(m.Data)
	if err != nil {
		return project.Documents{}, err
	}
	if want := c.Subject(prefix); want != m.Subject {
		return project.Documents{}, fmt.Errorf("change of %s lies on %s", want, m.Subject)
	}
	return projector.Project(c)
}

func (l *ledger) want(name, id, event string, content any) error {
	d, err := toDocument(content)
	if err != nil {
		return err
	}
	l.show(ofStream, name, id, event, digestOf(d))
	return nil
}

// find adds an indexed document.
func (l *ledger) find(settings document.Index, d index.Document) error {
	var id, event string
	if err := json.Unmarshal(d[settings.PrimaryKey], &id); err != nil {
		return fmt.Errorf("document of %s: %w", settings.Name, err)
	}
	if settings.Name == document.Dates && json.Unmarshal(d["uuid"], &event) != nil {
		event = ""
	}
	l.show(ofIndex, settings.Name, id, event, digestOf(d))
	return nil
}

// show crosses off a document that the other side has shown. If their contents differ, it makes the
// entities of both doubtful.
func (l *ledger) show(side side, name, id, event string, content digest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, shown := l.key(id), entry{side: side, content: content}
	if event != "" {
		shown.event = l.key(event)
	}
	other, ok := l.open[name][k]
	if !ok || other.side == side {
		l.open[name][k] = shown
		return
	}
	delete(l.open[name], k)
	if other.content != content {
		l.doubtDocument(name, k, shown)
		l.doubtDocument(name, k, other)
	}
}

// doubtDocument makes the entity of a document doubtful.
func (l *ledger) doubtDocument(name string, k key, e entry) {
	ref := entityRef{project.KindAt(name), StreamID(name, l.id(k))}
	if name == document.Dates {
		ref = entityRef{kind: change.KindEvent}
		if e.event != (key{}) {
			ref.id = l.id(e.event)
		}
	}
	l.doubt(ref, Difference{Index: name, ID: l.id(k), What: Extra})
}

// doubt makes an entity doubtful, or records a stray if the stream can have no such entity.
func (l *ledger) doubt(ref entityRef, stray Difference) {
	if ids.MatchString(ref.id) {
		l.doubtful[ref] = true
		return
	}
	l.strays = append(l.strays, stray)
}

// close returns the entities of all documents that differ or that only one side has shown, and the
// documents of no entity that the stream could hold.
func (l *ledger) close() (suspects map[entityRef]bool, strays []Difference) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, open := range l.open {
		for k, e := range open {
			l.doubtDocument(name, k, e)
		}
	}
	return l.doubtful, l.strays
}

func (l *ledger) key(id string) key {
	if parsed, err := uuid.Parse(id); err == nil && parsed.String() == id {
		return key(parsed)
	}
	sum := sha256.Sum256([]byte(id))
	k := key(sum[:16])
	l.names[k] = id
	return k
}

func (l *ledger) id(k key) string {
	if name, ok := l.names[k]; ok {
		return name
	}
	return uuid.UUID(k).String()
}

// digestOf depends on the spelling of the attributes' JSON, which the engine preserves. Should it
// not, two equal documents only look different until they are compared in full.
func digestOf(d index.Document) digest {
	names := make([]string, 0, len(d))
	for name := range d {
		names = append(names, name)
	}
	slices.Sort(names)
	hash := sha256.New()
	var head []byte
	for _, name := range names {
		head = strconv.AppendQuote(head[:0], name)
		head = strconv.AppendInt(append(head, ':'), int64(len(d[name])), 10)
		hash.Write(append(head, ':'))
		hash.Write(d[name])
	}
	return digest(hash.Sum(nil)[:16])
}
