// Package slugs knows all entities of an index by their slugs. It holds a small row of each in the
// memory of a read node, and reads the rest of an entity when a request names it.
package slugs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/filter"
)

// Kind is a kind of entities E whose documents are D.
type Kind[D, E any] struct {
	Index      string
	Attributes []string    // of whole documents
	Parameter  string      // of requests, that names a slug
	Word       reason.Word // for an entity
	// Identify returns the id and the revision of a document, and its row; nil if the document lacks
	// it, or does not exist.
	Identify func(d D) (id string, revision int64, row *document.Row)
	// Read returns the entity of a whole document that exists, with its memory in bytes; nil for
	// kinds of which only rows are needed.
	Read func(d D) (one *E, size int)
}

// Source reads documents that exist: the whole ones of some ids, or for none all with the
// attributes of rows only.
type Source[D any] func(ctx context.Context, ids ...string) ([]D, error)

const (
	// sourceTimeout bounds one question to the index.
	sourceTimeout = 15 * time.Second
	// atOnce is the number of whole documents that are read at once for the rows of an index of an
	// earlier release, which has none.
	atOnce = 10
)

// rowAttributes are the attributes of documents from which rows are read.
var rowAttributes = []string{"id", "revision", "row"}

// InIndex returns the documents in an engine's index.
func (k Kind[D, E]) InIndex(e *engine.Engine) Source[D] {
	e = e.Within(sourceTimeout)
	return func(ctx context.Context, ids ...string) ([]D, error) {
		match, attributes := filter.Existing(), rowAttributes
		if len(ids) > 0 {
			match, attributes = filter.Named(match, ids), k.Attributes
		}
		compiled, _ := filter.Compile(match)
		return engine.Documents[D](ctx, e, k.Index, compiled, attributes)
	}
}

// Row is what is held of an entity.
type Row struct {
	document.Row
	UUID     string
	Revision int64
}

// Name returns the name in a language, or else the original; "" is the language of that.
func (r *Row) Name(language string) string { return cmp.Or(r.Names[language], r.Names[""]) }

// Store holds the current rows and renews them on demand after a change of the index. It keeps the
// entities that were asked for last.
type Store[D, E any] struct {
	kind    Kind[D, E]
	source  Source[D]
	set     *cache.Value[*Set]
	kept    *kept[E]
	loads   singleflight.Group
	last    *Set
	digest  [sha256.Size]byte
	unknown fault.Violations // of a request that names a slug without an entity
}

// NewStore returns a store that has read nothing yet. now is the clock, time.Now outside of tests.
func NewStore[D, E any](kind Kind[D, E], source Source[D], signal *cache.Signal, now func() time.Time) *Store[D, E] {
	s := &Store[D, E]{kind: kind, source: source, kept: newKept[E]()}
	s.unknown.Add(kind.Parameter, reason.UnknownReference(kind.Word))
	s.set = cache.NewValue(signal, now, engine.Upkeep(s.renew), kind.Index)
	return s
}

// Current returns rows that are not older than the signal heard last; without a signal, than a
// second. The error is the source's, or the context's.
func (s *Store[D, E]) Current(ctx context.Context) (*Set, error) { return s.set.Get(ctx) }

// Of returns the entity of a slug with the version of the set that named it. The error is the
// source's, or an Invalid fault that names the parameter.
func (s *Store[D, E]) Of(ctx context.Context, slug string) (one *E, version uint64, err error) {
	set, err := s.Current(ctx)
	if err != nil {
		return nil, 0, err
	}
	if row := set.Find(slug); row != nil {
		one, err = s.entity(ctx, row)
	}
	if err == nil && one == nil {
		err = s.unknown.Err("invalid_parameters", "the request has parameters that are not valid")
	}
	return one, set.Version, err
}

// Find returns the entity of a slug, nil if there is none. The error is the source's.
func (s *Store[D, E]) Find(ctx context.Context, slug string) (*E, error) {
	set, err := s.Current(ctx)
	if err != nil {
		return nil, err
	}
	if row := set.Find(slug); row != nil {
		return s.entity(ctx, row)
	}
	return nil, nil
}

// entity reads the entity of a row; nil if it is gone meanwhile.
func (s *Store[D, E]) entity(ctx context.Context, row *Row) (*E, error) {
	key := keyOf{row.UUID, row.Revision}
	if one := s.kept.get(key); one != nil {
		return one, nil
	}
	read := engine.Upkeep(func(ctx context.Context) (*E, error) { return s.read(ctx, key) })
	loaded := s.loads.DoChan(fmt.Sprint(key), func() (any, error) { return read(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-loaded:
		one, _ := result.Val.(*E)
		return one, result.Err
	}
}

func (s *Store[D, E]) read(ctx context.Context, key keyOf) (*E, error) {
	documents, err := s.source(ctx, key.uuid)
	if err != nil {
		return nil, fmt.Errorf("read one of %s: %w", s.kind.Index, err)
	}
	for _, d := range documents {
		if id, _, row := s.kind.Identify(d); id == key.uuid && row != nil {
			one, size := s.kind.Read(d)
			s.kept.add(key, one, size)
			return one, nil
		}
	}
	return nil, nil
}

// renew reads the rows. The set stays the same if none changed. There is never more than one
// reading at a time.
func (s *Store[D, E]) renew(ctx context.Context) (*Set, error) {
	rows, err := Rows(ctx, s.kind, s.source)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", s.kind.Index, err)
	}
	// Where a slug passes from one entity to another, the later change has it.
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.UUID, b.UUID)) })
	written, err := json.Marshal(rows)
	if err != nil {
		return nil, fmt.Errorf("digest %s: %w", s.kind.Index, err)
	}
	if digest := sha256.Sum256(written); s.last == nil || digest != s.digest {
		next := newSet(rows)
		if s.last != nil {
			next.Version = s.last.Version + 1
		}
		s.last, s.digest = next, digest
	}
	return s.last, nil
}

// Rows returns the rows of all entities. Those that documents of an earlier release lack are made
// of a few whole documents at a time.
func Rows[D, E any](ctx context.Context, kind Kind[D, E], source Source[D]) (rows []*Row, err error) {
	read := func(ids ...string) (without []string, err error) {
		documents, err := source(ctx, ids...)
		for _, d := range documents {
			if id, revision, row := kind.Identify(d); row != nil {
				rows = append(rows, &Row{*row, id, revision})
			} else {
				without = append(without, id)
			}
		}
		return without, err
	}
	without, err := read()
	for ids := range slices.Chunk(without, atOnce) {
		if err == nil {
			_, err = read(ids...)
		}
	}
	return rows, err
}
