package lists

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	spoken "litfass/pkg/contracts/language"
	"litfass/pkg/contracts/publicapi"
)

// ValueSets holds value sets by name, one of the Lookup constants of package change. A missing set
// counts as empty.
type ValueSets map[string]document.LookupView

// versioned is the value sets with a version that other sets do not have.
type versioned struct {
	sets    ValueSets
	version string
}

// ValueSets returns all value sets.
func (r *Reader) ValueSets(ctx context.Context) (ValueSets, error) {
	sets, _, err := r.VersionedSets(ctx)
	return sets, err
}

// VersionedSets returns all value sets and their version, for the keys of answers made of them.
func (r *Reader) VersionedSets(ctx context.Context) (sets ValueSets, version string, err error) {
	v, err := r.valueSets.Get(ctx)
	return v.sets, v.version, err
}

func (r *Reader) readValueSets(ctx context.Context) (v versioned, err error) {
	all, err := views[document.LookupView](ctx, r, document.Lookups, "view")
	if err != nil {
		return v, err
	}
	v.sets = make(ValueSets, len(all))
	for _, set := range all {
		v.sets[set.Name] = set
	}
	written, err := json.Marshal(v.sets)
	if err != nil {
		return v, fmt.Errorf("digest the value sets: %w", err)
	}
	v.version = fmt.Sprintf("%x", sha256.Sum256(written))
	return v, nil
}

// fallback is the language that every item has a name in.
const fallback = spoken.Default

// byName are the sets that are ordered by name, which differs between languages.
var byName = []string{change.LookupLanguages, change.LookupCountries, change.LookupCurrencies, change.LookupLabels}

// Choosable returns the items of a set with their names in lang, in the order in which they are
// shown.
func (s ValueSets) Choosable(name, lang string) []publicapi.Item {
	set := s[name]
	items := make([]publicapi.Item, 0, len(set.Items))
	for _, item := range set.Items {
		items = append(items, publicapi.Item{
			ID: id(set, item.ID), Name: nameIn(item, lang), SPDX: item.Extra["spdx"], URL: item.Extra["url"],
		})
	}
	if slices.Contains(byName, name) {
		order := collate.New(language.Make(lang))
		slices.SortStableFunc(items, func(a, b publicapi.Item) int { return order.CompareString(a.Name, b.Name) })
	}
	return items
}

// EventGenres returns the genres of an event type, or of all for 0, with their names in lang. known
// is false when there is no such type.
func (s ValueSets) EventGenres(eventType int, lang string) (items []publicapi.Item, known bool) {
	group := strconv.Itoa(eventType)
	items = []publicapi.Item{}
	for _, genre := range s[change.LookupEventGenres].Items {
		if eventType == 0 || genre.Group == group {
			items = append(items, publicapi.Item{
				ID: id(s[change.LookupEventGenres], genre.ID), Name: nameIn(genre, lang), EventType: number(genre.Group),
			})
		}
	}
	return items, eventType == 0 || slices.ContainsFunc(s[change.LookupEventTypes].Items,
		func(item document.LookupItem) bool {
			return item.ID == group
		})
}

// States returns the states of a country (upper-case code), or of all for "". Their id is the code
// that the field state has everywhere; it is unique within its country.
func (s ValueSets) States(country, lang string) []publicapi.Item {
	items := []publicapi.Item{}
	for _, state := range s[change.LookupStates].Items {
		if country == "" || state.Group == country {
			items = append(items, publicapi.Item{ID: state.Extra["code"], Name: nameIn(state, lang), Country: state.Group})
		}
	}
	return items
}

// Name returns the name in lang of an item of a set; "" of an unknown one.
func (s ValueSets) Name(set, id, lang string) string {
	for _, item := range s[set].Items {
		if item.ID == id {
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

// number parses an id of a set whose ids are integers; the write side accepts no other.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
