package lists

import (
	"slices"
	"strconv"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/publicapi"
)

// TypesAndGenres returns all event types with their genres, by language.
func (s ValueSets) TypesAndGenres(langs []string) map[string]publicapi.Types {
	byLang := make(map[string]publicapi.Types, len(langs))
	for _, lang := range langs {
		types := map[string]publicapi.Type{}
		for _, item := range s[change.LookupEventTypes].Items {
			types[item.ID] = publicapi.Type{Name: nameIn(item, lang), Genres: map[string]string{}}
		}
		for _, genre := range s[change.LookupEventGenres].Items {
			if of, found := types[genre.Group]; found {
				of.Genres[genre.ID] = nameIn(genre, lang)
			}
		}
		byLang[lang] = publicapi.Types{Types: types}
	}
	return byLang
}

// NameTypes adds the names in lang to an event's types. Unknown types and genres have the name "".
func (s ValueSets) NameTypes(types []publicapi.EventType, lang string) []publicapi.NamedType {
	names := make([]publicapi.NamedType, len(types))
	for i, one := range types {
		names[i] = publicapi.NamedType{
			TypeID: one.TypeID, TypeName: s.Name(change.LookupEventTypes, strconv.Itoa(one.TypeID), lang),
			GenreID: one.GenreID, GenreName: s.Name(change.LookupEventGenres, strconv.Itoa(one.GenreID), lang),
		}
	}
	return names
}

// Keywords returns the names in lang of an event's categories, then of its types and genres, each
// once, without unknown ones.
func (s ValueSets) Keywords(categories []int, types []publicapi.EventType, lang string) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, category := range categories {
		add(s.Name(change.LookupCategories, strconv.Itoa(category), lang))
	}
	for _, one := range s.NameTypes(types, lang) {
		add(one.TypeName)
		add(one.GenreName)
	}
	return names
}
