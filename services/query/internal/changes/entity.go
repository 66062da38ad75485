package changes

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"litfass/pkg/contracts/applied"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/services/query/internal/cache"
)

// published is a change at its place in the order of all.
type published struct {
	sequence      uint64
	kind          change.Kind
	id            string
	before, after *entity
}

// size is the memory of a change, approximately.
func (c *published) size() int { return changeSize + int(c.before.size.Load()+c.after.size.Load()) }

// The memory of a change, of a document, and of an attribute, each without its contents.
const changeSize, docSize, attributeSize = 512, 256, 64

// entity is a state of an event, a venue or another entity that clients follow. Its documents are
// made when they are needed first. It is safe for concurrent use.
type entity struct {
	projector project.Projector
	message   json.RawMessage // nil: it did not exist, or its documents are made
	size      atomic.Int64    // in memory, without that of an empty one

	once      sync.Once
	documents []*doc // of an event its dates, by start
	err       error
}

// doc is a document with what an answer shows of it.
type doc struct {
	id, event string
	found     *cache.Document // what filters read
	entry     json.RawMessage
	point     *point
	size      int // in memory, approximately
}

type point struct{ lat, lon float64 }

// docs returns the documents, and how many of them were made now, at least one if any work was
// done. The error is that of a state that no index can show.
func (e *entity) docs() (docs []*doc, made int, err error) {
	e.once.Do(func() {
		if e.message == nil {
			return
		}
		e.documents, e.err = e.project()
		size := 0
		for _, d := range e.documents {
			size += d.size
		}
		e.message = nil
		e.size.Store(int64(size))
		made = max(1, len(e.documents))
	})
	return e.documents, made, e.err
}

func (e *entity) project() ([]*doc, error) {
	c, err := change.Decode(e.message)
	if err != nil || c.Gone() {
		return nil, err
	}
	projected, err := e.projector.Project(c)
	if err != nil {
		return nil, err
	}
	makes := maker{cache.NewDocuments()}
	switch c.Kind {
	case change.KindEvent:
		docs := make([]*doc, len(projected.Dates))
		for i, date := range projected.Dates {
			if docs[i], err = makes.date(date); err != nil {
				return nil, err
			}
		}
		return docs, nil
	case change.KindVenue, change.KindOrganization, change.KindContributor, change.KindSeries:
		one, err := makes.record(c.ID, projected.Record)
		return []*doc{one}, err
	default:
		return nil, nil
	}
}

// readByFilters are the attributes by name that filters read: those of all indexes but their words.
var readByFilters = func() map[string]bool {
	names := map[string]bool{}
	for _, index := range document.Indexes {
		for _, name := range slices.Concat(index.Equal, index.Compare, index.Sortable) {
			names[name] = true
		}
	}
	return names
}()

// maker makes the documents of one entity, which have most attributes in common.
type maker struct{ documents *cache.Documents }

func (m maker) date(date document.Date) (*doc, error) {
	d, err := m.doc(date, document.EntryAttributes[0])
	if err != nil {
		return nil, err
	}
	d.id, d.event = date.DateUUID, date.UUID
	if shown := date.Entry.Value; shown.VenueLat != nil && shown.VenueLon != nil {
		d.point = &point{*shown.VenueLat, *shown.VenueLon}
	}
	return d, nil
}

func (m maker) record(id string, record any) (*doc, error) {
	d, err := m.doc(record, "view")
	if err != nil {
		return nil, err
	}
	d.id = id
	_, lat, hasLat := d.found.Values("lat")
	_, lon, hasLon := d.found.Values("lon")
	if hasLat && hasLon && len(lat) > 0 && len(lon) > 0 {
		d.point = &point{lat[0], lon[0]}
	}
	return d, nil
}

// doc returns a document with the attributes that filters read, and apart from them the JSON in the
// attribute with that name.
func (m maker) doc(document any, shown string) (*doc, error) {
	var attributes applied.Attributes
	data, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(data, &attributes)
	}
	var text string
	if err == nil {
		err = json.Unmarshal(attributes[shown], &text)
	}
	if err != nil {
		return nil, fmt.Errorf("read a document: %w", err)
	}
	maps.DeleteFunc(attributes, func(name string, _ json.RawMessage) bool { return name == shown || !readByFilters[name] })
	found, fresh := m.documents.Document(attributes)
	return &doc{
		found: found, entry: json.RawMessage(text), size: docSize + len(text) + attributeSize*len(attributes) + fresh,
	}, nil
}
