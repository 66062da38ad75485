// Package lookup shows value sets: items with their names in one language, as the choosable lists, the flags and the
// lookup of types and genres need them. It is pure.
package lookup

import (
	"cmp"
	"slices"
	"strconv"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"litfass/pkg/change"
	"litfass/pkg/document"
	spoken "litfass/pkg/language"
)

// Sets holds value sets by name, one of the Lookup constants of package change. A set that is not there shows as empty.
type Sets map[string]document.LookupView

// fallback is the language that every item has a name in.
const fallback = spoken.Default

// Item is one element of a choosable list. ID and Name are always there (interface.md, Choosable item); the others are of
// some lists only.
type Item struct {
	ID        any    `json:"id"` // int in sets whose ids are integers, else string
	Name      string `json:"name"`
	EventType int    `json:"event_type,omitempty"` // of genres
	Country   string `json:"country,omitempty"`    // of states
	SPDX      string `json:"spdx,omitempty"`       // of licences
	URL       string `json:"url,omitempty"`        // of licences
}

// byName are the sets whose order is that of their names, which is another one in every language.
var byName = []string{change.LookupLanguages, change.LookupCountries, change.LookupCurrencies}

// Choosable returns the items of a set with their names in lang, in the order in which they are shown.
func (s Sets) Choosable(name, lang string) []Item {
	set := s[name]
	items := make([]Item, 0, len(set.Items))
	for _, item := range set.Items {
		items = append(items, Item{
			ID: id(set, item.ID), Name: nameIn(item, lang), SPDX: item.Extra["spdx"], URL: item.Extra["url"],
		})
	}
	if slices.Contains(byName, name) {
		sortByName(items, lang)
	}
	return items
}

// EventGenres returns the genres of an event type, or of all for 0, with their names in lang. known is false when there
// is no such type.
func (s Sets) EventGenres(eventType int, lang string) (items []Item, known bool) {
	asked := strconv.Itoa(eventType)
	items = []Item{}
	for _, genre := range s[change.LookupEventGenres].Items {
		if eventType == 0 || genre.Group == asked {
			items = append(items, Item{
				ID: id(s[change.LookupEventGenres], genre.ID), Name: nameIn(genre, lang), EventType: number(genre.Group),
			})
		}
	}
	return items, eventType == 0 || slices.ContainsFunc(s[change.LookupEventTypes].Items, func(item document.LookupItem) bool {
		return item.ID == asked
	})
}

// States returns the states of a country (upper-case code), or of all for "". Their id is the code that the field state
// holds everywhere; it is unique within its country.
func (s Sets) States(country, lang string) []Item {
	items := []Item{}
	for _, state := range s[change.LookupStates].Items {
		if country == "" || state.Group == country {
			items = append(items, Item{ID: state.Extra["code"], Name: nameIn(state, lang), Country: state.Group})
		}
	}
	return items
}

// Flag is one bit of a mask with its topic.
type Flag struct {
	ID        string `json:"id"` // the position of the bit
	Name      string `json:"name"`
	Key       string `json:"key"`
	TopicID   string `json:"topic_id"`
	TopicName string `json:"topic_name"`
}

// Flags returns the bits of a mask with their names in lang, ordered by topic, then bit. flags and topics are names of
// sets.
func (s Sets) Flags(flags, topics, lang string) []Flag {
	names := map[string]string{}
	for _, topic := range s[topics].Items {
		names[topic.ID] = nameIn(topic, lang)
	}
	shown := []Flag{}
	for _, flag := range s[flags].Items {
		shown = append(shown, Flag{
			ID: flag.ID, Name: nameIn(flag, lang), Key: flag.Extra["key"], TopicID: flag.Group, TopicName: names[flag.Group],
		})
	}
	slices.SortStableFunc(shown, func(a, b Flag) int {
		return cmp.Or(cmp.Compare(number(a.TopicID), number(b.TopicID)), cmp.Compare(number(a.ID), number(b.ID)))
	})
	return shown
}

// Types is what the lookup of types and genres says in one language (interface.md, Type and genre lookup).
type Types struct {
	Types map[string]Type `json:"types"` // by id
}

// Type is one event type with its genres by id.
type Type struct {
	Name   string            `json:"name"`
	Genres map[string]string `json:"genres"`
}

// TypesAndGenres returns all event types with their genres, by language.
func (s Sets) TypesAndGenres(langs []string) map[string]Types {
	byLang := make(map[string]Types, len(langs))
	for _, lang := range langs {
		types := map[string]Type{}
		for _, item := range s[change.LookupEventTypes].Items {
			types[item.ID] = Type{Name: nameIn(item, lang), Genres: map[string]string{}}
		}
		for _, genre := range s[change.LookupEventGenres].Items {
			if of, found := types[genre.Group]; found {
				of.Genres[genre.ID] = nameIn(genre, lang)
			}
		}
		byLang[lang] = Types{Types: types}
	}
	return byLang
}

// NamedType is an event's type and genre with their names; genre 0, no genre, has none.
type NamedType struct {
	TypeID    int    `json:"type_id"`
	TypeName  string `json:"type_name"`
	GenreID   int    `json:"genre_id"`
	GenreName string `json:"genre_name"`
}

// Name adds the names in lang to an event's types. A type or genre that the sets do not hold has the name "".
func (s Sets) Name(types []document.EventType, lang string) []NamedType {
	named := make([]NamedType, len(types))
	for i, one := range types {
		named[i] = NamedType{
			TypeID: one.TypeID, TypeName: s.nameOf(change.LookupEventTypes, one.TypeID, lang),
			GenreID: one.GenreID, GenreName: s.nameOf(change.LookupEventGenres, one.GenreID, lang),
		}
	}
	return named
}

func (s Sets) nameOf(set string, number int, lang string) string {
	asked := strconv.Itoa(number)
	for _, item := range s[set].Items {
		if item.ID == asked {
			return nameIn(item, lang)
		}
	}
	return ""
}

func nameIn(item document.LookupItem, lang string) string {
	return cmp.Or(item.Names[lang], item.Names[fallback])
}

func id(set document.LookupView, text string) any {
	if set.Integer {
		return number(text)
	}
	return text
}

// number reads an id of a set whose ids are integers; the write side lets no other through.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func sortByName(items []Item, lang string) {
	order := collate.New(language.Make(lang))
	slices.SortStableFunc(items, func(a, b Item) int { return order.CompareString(a.Name, b.Name) })
}
