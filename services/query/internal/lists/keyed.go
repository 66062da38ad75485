package lists

import (
	"cmp"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/publicapi"
)

// Keyed returns the items of a set of texts as Choosable does, with their keys.
func (s ValueSets) Keyed(name, lang string) []publicapi.Keyed {
	items := s.Choosable(name, lang)
	keyed := make([]publicapi.Keyed, len(items))
	for i, item := range items {
		key, _ := item.ID.(string)
		keyed[i] = publicapi.Keyed{ID: key, Key: key, Name: item.Name}
	}
	return keyed
}

// Codes returns the codes of a region's country and state, by their names; "" for one that is not
// known.
func (s ValueSets) Codes(region publicapi.Region) (country, state string) {
	for _, item := range s[change.LookupCountries].Items {
		if isNamed(item, region.CountryName) {
			country = cmp.Or(country, item.ID)
		}
	}
	for _, item := range s[change.LookupStates].Items {
		if item.Group == country && isNamed(item, region.StateName) {
			state = cmp.Or(state, item.Extra["code"])
		}
	}
	return country, state
}

// isNamed reports whether an item has a name in some language.
func isNamed(item document.LookupItem, name string) bool {
	for _, one := range item.Names {
		if one == name {
			return true
		}
	}
	return false
}
