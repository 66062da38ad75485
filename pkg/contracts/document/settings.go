package document

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"

	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
)

// The indexes of a read node, before the node's index prefix.
const (
	Dates         = "dates"         // Date
	Events        = "events"        // Event
	Venues        = "venues"        // Venue
	Organizations = "organizations" // Record[publicapi.Organization]
	Regions       = "regions"       // Region; ID: the slugs joined by "_"
	Portals       = "portals"       // Portal
	Lists         = "lists"         // List
	Series        = "series"        // Record[publicapi.Series]
	Contributors  = "contributors"  // Contributor
	Lookups       = "lookups"       // Record[LookupView]
)

// Index is one index with its settings. Everything not listed is off: no facet search, no typo
// tolerance on numbers.
type Index struct {
	Name       string
	PrimaryKey string
	Searchable []string // in the order of their weight; none: the index is not searched by words
	Equal      []string // filtered by =, IN, STARTS WITH, CONTAINS, and counted as facets
	Compare    []string // filtered by =, <, >, and the rest of the comparisons
	Sortable   []string
	Ranking    []string // ranking rules in order
}

// Limits that hold for every index: no answer is cut where an exact one was asked for.
const (
	MaxTotalHits      = 100_000_000
	MaxValuesPerFacet = 10_000
)

// Indexes are all indexes of a read node.
//
// In "dates" the rule "sort" comes first, so that a search asked to be sorted by start is; one
// without a sort ranks by relevance and, among equals, by start and date (RULES.md, Paging).
var Indexes = []Index{
	{
		Name:       Dates,
		PrimaryKey: "date_uuid",
		Searchable: []string{"title_words", "subtitle_words", "text_words", "tag_words", "venue_words", "contributor_words"},
		Equal: []string{
			"uuid", "org_uuid", "venue_uuid", "space_uuid", "venue_country", "categories", "type_ids", "genre_ids", "tag_keys",
			"space_type", "languages", "release_status", "price_type", "currency", "accessibility_bits", "visitor_bits",
			"title_key", "title_end", "venue_key", "venue_end", "city_key", "city_end", "postal_key", "postal_end",
			"city_spelling", "tag_spellings", "varies_in", "labels", "series_uuids", "series_uuid", "series_part_uuid",
			"open_times", "off_days", "shut_days", "availability",
			"contributor_uuids",
		},
		Compare: append([]string{
			"date_uuid", "start_key", "start_day", "end_day", "start_minute", "ends_at", "min_price", "age_from",
			"age_to", "first_open", "last_open", "open_from", "shut_until",
		}, EarlierAttributes...),
		Sortable: []string{"start_key", "date_uuid", "changed_at", "ends_at"},
		Ranking: []string{
			"sort", "words", "typo", "proximity", "attribute", "exactness", "start_key:asc", "date_uuid:asc",
		},
	},
	{
		Name:       Events,
		PrimaryKey: "id",
		Equal:      []string{"gone", "pictures.uuid"},
		Compare:    []string{"id"},
		Sortable:   []string{"id"},
		Ranking:    []string{"sort"},
	},
	{
		Name:       Venues,
		PrimaryKey: "id",
		Searchable: []string{"name_words", "city_words"},
		Equal: []string{
			"gone", "org_uuid", "country", "accessibility_bits",
			"name_key", "name_end", "city_key", "city_end", "postal_key", "postal_end",
		},
		Compare:  []string{"id", "lat", "lon"},
		Sortable: []string{"name_sort", "id"},
		Ranking:  byName,
	},
	{
		Name:       Organizations,
		PrimaryKey: "id",
		Searchable: []string{"name_words"},
		Equal:      []string{"gone", "name_key", "name_end"},
		Compare:    []string{"id"},
		Sortable:   []string{"name_sort", "id"},
		Ranking:    byName,
	},
	{
		Name:       Regions,
		PrimaryKey: "id",
		Equal:      []string{"gone"},
		Compare:    []string{"id"},
		Sortable:   []string{"id"},
		Ranking:    []string{"sort"},
	},
	{
		Name:       Portals,
		PrimaryKey: "id",
		Equal:      []string{"gone"},
		Compare:    []string{"id"},
		Sortable:   []string{"id"},
		Ranking:    []string{"sort"},
	},
	{
		Name:       Lists,
		PrimaryKey: "id",
		Equal:      []string{"gone"},
		Compare:    []string{"id"},
		Sortable:   []string{"id"},
		Ranking:    []string{"sort"},
	},
	{
		Name:       Series,
		PrimaryKey: "id",
		Equal:      []string{"gone"},
		Compare:    []string{"id"},
		Sortable:   []string{"name_sort", "id"},
		Ranking:    []string{"sort"},
	},
	{
		Name:       Contributors,
		PrimaryKey: "id",
		Searchable: []string{"name_words"},
		Equal:      []string{"gone", "name_key", "name_end", "former_uuids"},
		Compare:    []string{"id"},
		Sortable:   []string{"name_sort", "id"},
		Ranking:    byName,
	},
	{Name: Lookups, PrimaryKey: "id", Equal: []string{"gone"}},
}

// byName are the ranking rules of indexes that suggestions search by the words of a name and that
// are otherwise sorted.
var byName = []string{"sort", "words", "typo", "proximity", "attribute", "exactness"}

// shapes are the JSON of the documents by index.
var shapes = map[string]string{
	Dates:         value.Shape(reflect.TypeFor[Date]()),
	Events:        value.Shape(reflect.TypeFor[Event]()),
	Venues:        value.Shape(reflect.TypeFor[Venue]()),
	Organizations: value.Shape(reflect.TypeFor[Record[publicapi.Organization]]()),
	Regions:       value.Shape(reflect.TypeFor[Region]()),
	Portals:       value.Shape(reflect.TypeFor[Portal]()),
	Lists:         value.Shape(reflect.TypeFor[List]()),
	Series:        value.Shape(reflect.TypeFor[Record[publicapi.Series]]()),
	Contributors:  value.Shape(reflect.TypeFor[Contributor]()),
	Lookups:       value.Shape(reflect.TypeFor[Record[LookupView]]()),
}

// Version grows when the documents change their meaning while their keys and the settings stay the
// same.
const Version = 6

// SettingsHash identifies the settings, and the keys and the meaning of the documents. A read node
// whose indexes were built with another hash rebuilds them. salt identifies the other input of the
// documents, see project.Projector.
func SettingsHash(salt string) string {
	data, err := json.Marshal(struct {
		Version int
		Indexes []Index
		Shapes  map[string]string
		Salt    string
	}{Version, Indexes, shapes, salt})
	if err != nil {
		panic(err) // plain strings always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// EntityID returns the document id of a change's id: the engine's ids may not hold dots.
func EntityID(id string) string { return strings.ReplaceAll(id, ".", "_") }

func keysOf(entry any) []string {
	var keys []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(entry)) {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}
