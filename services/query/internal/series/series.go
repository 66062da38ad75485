// Package series holds the names of the series of a read node in memory, by their slugs. Their
// texts, which are long, are read from the index when they are shown.
package series

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/query/internal/cache"
	"litfass/services/query/internal/engine"
	"litfass/services/query/internal/slugs"
)

// Series is a festival, a run or a programme, without its texts.
type Series struct {
	UUID  string                           `json:"uuid"`
	Slug  string                           `json:"slug"`
	Title string                           `json:"title"`
	Parts []Part                           `json:"parts"`
	Image *Image                           `json:"image"` // nil without one
	Texts map[string]publicapi.SeriesTitle `json:"texts"` // translations by language
}

// TitleIn returns the title in a language, or else the original; "" is the language of that.
func (s *Series) TitleIn(language string) string { return cmp.Or(s.Texts[language].Title, s.Title) }

// Image is the part of an image that is needed to find and draw it.
type Image struct {
	document.Image
	Path string `json:"path"`
}

// Part is a stage or a day of a series.
type Part struct {
	UUID  string `json:"uuid"`
	Title string `json:"title"`
}

// Set is the series of one moment.
type Set = slugs.Set[Series]

// Store holds the current series.
type Store = slugs.Store[Series]

// Find returns the series of a uuid, of the uuid of a part or of a slug, nil if there is none. A
// slug may be the uuid of another series, which it must not stand for.
func Find(set *Set, name string) *Series {
	if uuid, is := value.UUIDv7(name); is {
		for one := range set.All() {
			if one.UUID == uuid || slices.ContainsFunc(one.Parts, func(p Part) bool { return p.UUID == uuid }) {
				return one
			}
		}
	}
	return set.Find(name)
}

// All returns the series of a set by their titles in a language, then slugs.
func All(set *Set, language string) []*Series {
	return slices.SortedFunc(set.All(), func(a, b *Series) int {
		titles := cmp.Compare(strings.ToLower(a.TitleIn(language)), strings.ToLower(b.TitleIn(language)))
		return cmp.Or(titles, cmp.Compare(a.Slug, b.Slug))
	})
}

type record = document.Record[Series]

var kind = slugs.Kind[record, Series]{
	Index: document.Series, Attributes: []string{"id", "revision", "view"}, Parameter: "series", Word: reason.WordSeries,
	Identify: func(d record) (revision int64, id, slug string) {
		if d.View != nil {
			slug = d.View.Value.Slug
		}
		return d.Revision, d.ID, slug
	},
}

// NewStore returns a store of the series in an engine's index that has read nothing yet. now is the
// clock, time.Now outside of tests.
func NewStore(e *engine.Engine, signal *cache.Signal, now func() time.Time) *Store {
	return slugs.NewStore(kind, kind.InIndex(e), read, signal, now)
}

func read(d record) *Series { return &d.View.Value }
