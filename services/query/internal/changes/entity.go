package changes

import (
	"encoding/json"
	"fmt"
	"sync"

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
func (c *published) size() int { return len(c.before.message) + len(c.after.message) }

// entity is a state of an event, a venue or another entity that clients follow. Its documents are
// made when they are needed first. It is safe for concurrent use.
type entity struct {
	projector project.Projector
	message   json.RawMessage // nil: it did not exist

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
}

type point struct{ lat, lon float64 }

// docs returns the documents. The error is that of a state that no index can show.
func (e *entity) docs() ([]*doc, error) {
	e.once.Do(func() {
		if e.message != nil {
			e.documents, e.err = e.project()
		}
	})
	return e.documents, e.err
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
	switch c.Kind {
	case change.KindEvent:
		docs := make([]*doc, len(projected.Dates))
		for i, date := range projected.Dates {
			if docs[i], err = dateDoc(date); err != nil {
				return nil, err
			}
		}
		return docs, nil
	case change.KindVenue, change.KindOrganization, change.KindContributor, change.KindSeries:
		one, err := recordDoc(c.ID, projected.Record)
		return []*doc{one}, err
	default:
		return nil, nil
	}
}

func dateDoc(date document.Date) (*doc, error) {
	attributes, entry, err := attributesOf(date, document.EntryAttributes[0])
	if err != nil {
		return nil, err
	}
	d := &doc{id: date.DateUUID, event: date.UUID, found: cache.NewDocument(attributes), entry: entry}
	if shown := date.Entry.Value; shown.VenueLat != nil && shown.VenueLon != nil {
		d.point = &point{*shown.VenueLat, *shown.VenueLon}
	}
	return d, nil
}

func recordDoc(id string, record any) (*doc, error) {
	attributes, view, err := attributesOf(record, "view")
	if err != nil {
		return nil, err
	}
	d := &doc{id: id, found: cache.NewDocument(attributes), entry: view}
	_, lat, hasLat := d.found.Values("lat")
	_, lon, hasLon := d.found.Values("lon")
	if hasLat && hasLon && len(lat) > 0 && len(lon) > 0 {
		d.point = &point{lat[0], lon[0]}
	}
	return d, nil
}

// attributesOf returns the attributes of a document as the index holds it, and apart from them the
// JSON in the attribute with that name.
func attributesOf(document any, shown string) (attributes applied.Attributes, entry json.RawMessage, err error) {
	data, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(data, &attributes)
	}
	var text string
	if err == nil {
		err = json.Unmarshal(attributes[shown], &text)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read a document: %w", err)
	}
	delete(attributes, shown)
	return attributes, json.RawMessage(text), nil
}
