// Package valueset holds the value sets of the catalogue: the choosable values of a field, with
// names by language.
//
// The sets of sets.json are Litfass's own (event types, genres, flags, ...). The names of
// languages, countries and currencies in cldr.json are the Unicode CLDR's; see generate.go. Ids
// never change their meaning: events refer to them.
package valueset

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"litfass/pkg/contracts/change"
)

//go:embed sets.json
var setsFile []byte

//go:embed cldr.json
var cldrFile []byte

// sets is every value set as a lookup, and the position of every id in it.
type sets struct {
	lookups []change.Lookup
	index   map[string]map[string]int // by lookup and id: position in Items
	byName  map[string]change.Lookup
}

// load reads the embedded files once; they are part of the program, so a broken one is a panic.
var load = sync.OnceValue(func() sets {
	var own []change.Lookup
	mustDecode(setsFile, &own)
	var cldr struct {
		Languages, Countries, Currencies map[string]map[string]string
	}
	mustDecode(cldrFile, &cldr)
	s := sets{index: map[string]map[string]int{}, byName: map[string]change.Lookup{}}
	s.lookups = append(own,
		codeLookup(change.LookupLanguages, cldr.Languages),
		codeLookup(change.LookupCountries, cldr.Countries),
		codeLookup(change.LookupCurrencies, cldr.Currencies),
	)
	for _, lookup := range s.lookups {
		s.byName[lookup.Name] = lookup
		s.index[lookup.Name] = map[string]int{}
		for position, item := range lookup.Items {
			s.index[lookup.Name][item.ID] = position
		}
	}
	return s
})

func mustDecode(data []byte, into any) {
	if err := json.Unmarshal(data, into); err != nil {
		panic(fmt.Sprintf("embedded value set: %v", err))
	}
}

// codeLookup returns a lookup of codes with their names, ordered by the English name.
func codeLookup(name string, codes map[string]map[string]string) change.Lookup {
	lookup := change.Lookup{Name: name}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		lookup.Items = append(lookup.Items, change.LookupItem{ID: code, Names: codes[code]})
	}
	english := collate.New(language.English)
	slices.SortStableFunc(lookup.Items, func(a, b change.LookupItem) int {
		return english.CompareString(a.Names["en"], b.Names["en"])
	})
	return lookup
}

// All returns every value set, one for each Lookup... constant of package change. The result is
// shared and must not be changed.
func All() []change.Lookup { return load().lookups }

// Has reports whether the set of that name (a Lookup... constant of package change) holds an item
// of that id.
func Has(lookup, id string) bool {
	_, found := load().index[lookup][id]
	return found
}

// HasNumber is Has for the sets whose ids are integers.
func HasNumber(lookup string, id int) bool { return Has(lookup, strconv.Itoa(id)) }

// HasGenre reports whether an event of that type may have that genre: one of the type's own, or 0
// for none.
func HasGenre(typeID, genreID int) bool {
	if genreID == 0 {
		return HasNumber(change.LookupEventTypes, typeID)
	}
	s := load()
	position, found := s.index[change.LookupEventGenres][strconv.Itoa(genreID)]
	return found && s.byName[change.LookupEventGenres].Items[position].Group == strconv.Itoa(typeID)
}

// HasState reports whether a country has a state of that code. For a country without states in the
// set, every code is accepted.
func HasState(country, state string) bool {
	return Has(change.LookupStates, country+"-"+state) || !statesKnown()[country]
}

var statesKnown = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, item := range load().byName[change.LookupStates].Items {
		known[item.Group] = true
	}
	return known
})
