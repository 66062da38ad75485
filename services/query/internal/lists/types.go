package lists

import (
	"litfass/pkg/change"
	"litfass/pkg/document"
)

// Types is what the lookup of types and genres says in one language (interface.md, Type and genre
// lookup).
type Types struct {
	Types map[string]Type `json:"types"` // by id
}

// Type is one event type with its genres by id.
type Type struct {
	Name   string            `json:"name"`
	Genres map[string]string `json:"genres"`
}

// TypesAndGenres returns all event types with their genres, by language.
func (s ValueSets) TypesAndGenres(langs []string) map[string]Types {
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

// Name adds the names in lang to an event's types. A type or genre that the sets do not hold has
// the name "".
func (s ValueSets) Name(types []document.EventType, lang string) []NamedType {
	named := make([]NamedType, len(types))
	for i, one := range types {
		named[i] = NamedType{
			TypeID: one.TypeID, TypeName: s.nameOf(change.LookupEventTypes, one.TypeID, lang),
			GenreID: one.GenreID, GenreName: s.nameOf(change.LookupEventGenres, one.GenreID, lang),
		}
	}
	return named
}
