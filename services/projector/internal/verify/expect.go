package verify

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"

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

// expected is a document of the stream that was not found in the index yet.
type expected struct {
	content digest
	event   key // whose date it is; zero for records
}

// expectation is the content that the indexes should have, in some 50 bytes a document.
type expectation struct {
	prefix    string
	projector project.Projector
	counts    Counts
	open      map[string]map[key]expected // by index
	names     map[key]string              // ids that are no uuids
	doubtful  map[entityRef]bool
	strays    []Difference // of no entity that the stream could hold
}

// ids are the possible ids of an entity in the stream.
var ids = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`)

func newExpectation(prefix string, projector project.Projector) *expectation {
	e := &expectation{
		prefix:    prefix,
		projector: projector,
		counts:    Counts{Documents: map[string]int{}},
		open:      map[string]map[key]expected{},
		names:     map[key]string{},
		doubtful:  map[entityRef]bool{},
	}
	for _, settings := range document.Indexes {
		e.open[settings.Name] = map[key]expected{}
	}
	return e
}

// add adds the documents of a message. A message that can never be applied makes its entity
// doubtful.
func (e *expectation) add(m stream.Message) error {
	e.counts.Messages++
	documents, err := read(e.prefix, e.projector, m)
	if err != nil {
		kind, id, ok := change.ParseSubject(e.prefix, m.Subject)
		e.doubt(entityRef{kind, id}, ok, Difference{ID: m.Subject, What: Unusable, Reason: err.Error()})
		return nil //nolint:nilerr // noted as a difference
	}
	var event key
	if documents.Index == document.Events {
		event = e.key(documents.ID)
	}
	for _, d := range documents.Dates {
		if err := e.want(document.Dates, d.DateUUID, event, d); err != nil {
			return err
		}
	}
	return e.want(documents.Index, documents.ID, key{}, documents.Record)
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

func (e *expectation) want(name, id string, event key, content any) error {
	d, err := toDocument(content)
	if err != nil {
		return err
	}
	e.counts.Documents[name]++
	e.open[name][e.key(id)] = expected{content: digestOf(d), event: event}
	return nil
}

// compare crosses an indexed document off the list, or makes its entity doubtful.
func (e *expectation) compare(settings document.Index, d index.Document) error {
	var id string
	if err := json.Unmarshal(d[settings.PrimaryKey], &id); err != nil {
		return fmt.Errorf("document of %s: %w", settings.Name, err)
	}
	wanted, ok := e.open[settings.Name][e.key(id)]
	delete(e.open[settings.Name], e.key(id))
	if ok && wanted.content == digestOf(d) {
		return nil
	}
	stray := Difference{Index: settings.Name, ID: id, What: Extra}
	if settings.Name != document.Dates {
		e.doubt(entityRef{project.KindAt(settings.Name), StreamID(settings.Name, id)}, true, stray)
		return nil
	}
	if ok {
		e.doubtful[entityRef{change.KindEvent, e.id(wanted.event)}] = true
	}
	var event string
	err := json.Unmarshal(d["uuid"], &event)
	e.doubt(entityRef{change.KindEvent, event}, err == nil, stray)
	return nil
}

// doubt makes an entity doubtful, or records a stray if the stream can have no such entity.
func (e *expectation) doubt(ref entityRef, ok bool, stray Difference) {
	if ok && ids.MatchString(ref.id) {
		e.doubtful[ref] = true
		return
	}
	e.strays = append(e.strays, stray)
}

// suspects returns the entities of all documents that differ or are missing.
func (e *expectation) suspects() iter.Seq[entityRef] {
	for name, open := range e.open {
		for id, wanted := range open {
			ref := entityRef{change.KindEvent, e.id(wanted.event)}
			if name != document.Dates {
				ref = entityRef{project.KindAt(name), StreamID(name, e.id(id))}
			}
			e.doubtful[ref] = true
		}
	}
	return func(yield func(entityRef) bool) {
		for ref := range e.doubtful {
			if !yield(ref) {
				return
			}
		}
	}
}

func (e *expectation) key(id string) key {
	if parsed, err := uuid.Parse(id); err == nil && parsed.String() == id {
		return key(parsed)
	}
	sum := sha256.Sum256([]byte(id))
	k := key(sum[:16])
	e.names[k] = id
	return k
}

func (e *expectation) id(k key) string {
	if name, ok := e.names[k]; ok {
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
	for _, name := range names {
		fmt.Fprintf(hash, "%q:%d:", name, len(d[name]))
		hash.Write(d[name])
	}
	return digest(hash.Sum(nil)[:16])
}
