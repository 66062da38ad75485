package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"litfass/pkg/chassis/index"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/value"
)

// StreamID returns the id in the stream of a record (the reverse of
// document.EntityID: slugs have no "_").
func StreamID(index, id string) string {
	if index == document.Regions {
		return strings.ReplaceAll(id, "_", ".")
	}
	return id
}

// place is the index and the id of a document.
type place struct{ index, id string }

// compareEntity compares the documents of the entity's last message with those in the indexes. The
// zero message has none.
func (v Verifier) compareEntity(ctx context.Context, e entityRef, last stream.Message) (Sight, error) {
	seen := Sight{Last: last}
	wanted := map[place]index.Document{}
	if last.Sequence > 0 {
		documents, err := read(v.Stream.Prefix(), v.Projector, last)
		if err != nil {
			unusable := Difference{Kind: e.kind, Entity: e.id, ID: last.Subject, What: Unusable, Reason: err.Error()}
			seen.Differences = []Difference{unusable}
			return seen, nil //nolint:nilerr // what is wrong with the message is what was asked for
		}
		if wanted[place{documents.Index, documents.ID}], err = toDocument(documents.Record); err != nil {
			return seen, err
		}
		for _, d := range documents.Dates {
			if wanted[place{document.Dates, d.DateUUID}], err = toDocument(d); err != nil {
				return seen, err
			}
		}
	}
	found, err := v.readDocuments(ctx, e, wanted)
	if err != nil {
		return seen, err
	}
	seen.Documents = max(len(wanted), len(found))
	seen.Differences, err = differences(e, wanted, found)
	return seen, err
}

// readDocuments reads the documents of an entity, and those in the places of wanted ones.
func (v Verifier) readDocuments(
	ctx context.Context, e entityRef, wanted map[place]index.Document,
) (map[place]index.Document, error) {
	found := map[place]index.Document{}
	home, id := project.Home(e.kind, e.id)
	if home == "" {
		return found, nil
	}
	err := v.Index.ByID(ctx, home, []string{id}, nil, func(d index.Document) error {
		found[place{home, id}] = d
		return nil
	})
	if index.Refused(err) { // an id that no document of the engine can have
		return found, nil
	}
	if err != nil || e.kind != change.KindEvent {
		return found, err
	}
	keep := func(d index.Document) error {
		var id string
		if err := json.Unmarshal(d["date_uuid"], &id); err != nil {
			return fmt.Errorf("document of %s: %w", document.Dates, err)
		}
		found[place{document.Dates, id}] = d
		return nil
	}
	var ids []string
	for at := range wanted {
		if at.index == document.Dates {
			ids = append(ids, at.id)
		}
	}
	if err := v.Index.ByID(ctx, document.Dates, ids, nil, keep); err != nil {
		return nil, err
	}
	return found, v.Index.Each(ctx, document.Dates, "uuid = "+quote(e.id), nil, keep)
}

// quote writes text as a value of a filter.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func differences(e entityRef, wanted, found map[place]index.Document) ([]Difference, error) {
	var list []Difference
	add := func(at place, what What, attributes []string) {
		list = append(list, Difference{
			Kind: e.kind, Entity: e.id, Index: at.index, ID: at.id, What: what, Attributes: attributes,
		})
	}
	for at, want := range wanted {
		got, ok := found[at]
		if !ok {
			add(at, Missing, nil)
			continue
		}
		attributes, err := unequal(want, got)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", at.index, at.id, err)
		}
		if len(attributes) > 0 {
			add(at, Different, attributes)
		}
	}
	for at := range found {
		if _, ok := wanted[at]; !ok {
			add(at, Extra, nil)
		}
	}
	return list, nil
}

// toDocument returns a document in the engine's form.
func toDocument(content any) (index.Document, error) {
	data, err := value.JSON(content)
	if err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	var d index.Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	return d, nil
}
