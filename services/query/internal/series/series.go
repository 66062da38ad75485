// Package series knows the names of the series of a read node, by their slugs and uuids. Their
// texts, which are long, are read from the index when they are shown.
package series

import (
	"context"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/slugs"
)

// Store knows the current series.
type Store = slugs.Store[record, publicapi.Series]

// Find returns the row of a series by its uuid, the uuid of a part or its slug, nil if there is
// none. A slug may be the uuid of another series, which it must not stand for.
func Find(set *slugs.Set, name string) *slugs.Row {
	if uuid, is := value.UUIDv7(name); is {
		if row := set.Identified(uuid); row != nil {
			return row
		}
	}
	return set.Find(name)
}

type record = document.Record[publicapi.Series]

var kind = slugs.Kind[record, publicapi.Series]{
	Index: document.Series, Attributes: []string{"id", "revision", "view"}, Parameter: "series", Word: reason.WordSeries,
	Identify: func(d record) (id string, revision int64, row *document.Row) {
		if d.Row != nil {
			row = &d.Row.Value
		} else if d.View != nil {
			made := document.RowOfSeries(d.View.Value)
			row = &made
		}
		return d.ID, d.Revision, row
	},
}

// NewStore returns a store of the series in an engine's index that has read nothing yet. now is the
// clock, time.Now outside of tests.
func NewStore(e *engine.Engine, signal *cache.Signal, now func() time.Time) *Store {
	return slugs.NewStore(kind, kind.InIndex(e), signal, now)
}

// Rows returns the rows of all series. The error is the engine's.
func Rows(ctx context.Context, e *engine.Engine) ([]*slugs.Row, error) {
	return slugs.Rows(ctx, kind, kind.InIndex(e))
}
