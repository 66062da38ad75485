package valueset_test

import (
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/language"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	spoken "litfass/pkg/contracts/language"
	"litfass/services/admin/internal/catalogue/valueset"
)

func TestAllIsComplete(t *testing.T) {
	want := map[string]int{
		change.LookupLanguages: 184, change.LookupCountries: 249, change.LookupStates: 21, change.LookupCurrencies: 159,
		change.LookupEventTypes: 63, change.LookupEventGenres: 290, change.LookupSpaceTypes: 26, change.LookupPriceTypes: 5,
		change.LookupAvailabilities: 6, change.LookupContributorRoles: 16,
		change.LookupLicenses: 10, change.LookupLegalForms: 15, change.LookupLinkTypes: 12, change.LookupReleaseStatuses: 7,
		change.LookupEventOccasions: 8, change.LookupCategories: 6, change.LookupAccessibilityFlags: 25,
		change.LookupAccessibilityTopic: 6, change.LookupVisitorInfoFlags: 41, change.LookupVisitorInfoTopic: 5,
	}
	for _, lookup := range valueset.All() {
		if len(lookup.Items) != want[lookup.Name] {
			t.Errorf("%s has %d items, want %d", lookup.Name, len(lookup.Items), want[lookup.Name])
		}
		delete(want, lookup.Name)
	}
	if len(want) != 0 {
		t.Errorf("missing sets: %v", want)
	}
}

func TestItemsAreWellFormed(t *testing.T) {
	groups := map[string]string{
		change.LookupEventGenres:        change.LookupEventTypes,
		change.LookupStates:             change.LookupCountries,
		change.LookupAccessibilityFlags: change.LookupAccessibilityTopic,
		change.LookupVisitorInfoFlags:   change.LookupVisitorInfoTopic,
	}
	for _, lookup := range valueset.All() {
		seen := map[string]bool{}
		for _, item := range lookup.Items {
			if item.ID == "" || seen[item.ID] {
				t.Errorf("%s holds %q twice or without an id", lookup.Name, item.ID)
			}
			seen[item.ID] = true
			for _, code := range spoken.Codes {
				name := item.Names[code]
				if name == "" || name != strings.TrimSpace(name) || strings.Contains(name, "source") {
					t.Errorf("%s %s has the %s name %q", lookup.Name, item.ID, code, name)
				}
			}
			if _, err := strconv.Atoi(item.ID); lookup.Integer != (err == nil) {
				t.Errorf("%s %s: integer is %v", lookup.Name, item.ID, lookup.Integer)
			}
			if parent := groups[lookup.Name]; parent != "" && !valueset.Has(parent, item.Group) {
				t.Errorf("%s %s belongs to %q, which %s lacks", lookup.Name, item.ID, item.Group, parent)
			}
		}
	}
}

func TestCodesAreThoseOfTheStandards(t *testing.T) {
	for _, lookup := range valueset.All() {
		for _, item := range lookup.Items {
			switch lookup.Name {
			case change.LookupLanguages:
				if _, err := language.ParseBase(item.ID); err != nil || len(item.ID) != 2 {
					t.Errorf("%s is no language: %v", item.ID, err)
				}
			case change.LookupCountries:
				region, err := language.ParseRegion(item.ID)
				if err != nil || !region.IsCountry() || region.ISO3() != item.ID {
					t.Errorf("%s is no country: %v", item.ID, err)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ lookup, id, language, want string }{
		{change.LookupLanguages, "no", "de", "Norwegisch"},
		{change.LookupLanguages, "da", "da", "Dansk"},
		{change.LookupCountries, "DEU", "da", "Tyskland"},
		{change.LookupCountries, "MKD", "de", "Nordmazedonien"},
		{change.LookupCurrencies, "DKK", "de", "Dänische Krone"},
		{change.LookupEventGenres, "1020", "en", "Reggae"},
		{change.LookupEventGenres, "2016", "de", "Klassische Oper"},
		{change.LookupEventGenres, "11002", "en", "Jam session"},
		{change.LookupEventGenres, "13008", "da", "Ugentligt marked"},
		{change.LookupEventGenres, "14001", "en", "German"},
		{change.LookupLegalForms, "not_specified", "da", "Ikke angivet"},
	}
	for _, test := range tests {
		if got := name(test.lookup, test.id, test.language); got != test.want {
			t.Errorf("%s %s in %s is %q, want %q", test.lookup, test.id, test.language, got, test.want)
		}
	}
}

func name(lookup, id, code string) string {
	for _, set := range valueset.All() {
		for _, item := range set.Items {
			if set.Name == lookup && item.ID == id {
				return item.Names[code]
			}
		}
	}
	return ""
}

func TestHas(t *testing.T) {
	tests := []struct {
		name      string
		got, want bool
	}{
		{"genre of its type", valueset.HasGenre(1, 1003), true},
		{"genre of another type", valueset.HasGenre(2, 1003), false},
		{"no genre", valueset.HasGenre(15, 0), true},
		{"no genre of an unknown type", valueset.HasGenre(64, 0), false},
		{"unknown genre", valueset.HasGenre(1, 1999), false},
		{"state of its country", valueset.HasState("DEU", "SH"), true},
		{"state of another country", valueset.HasState("DNK", "SH"), false},
		{"state of a country without states in the set", valueset.HasState("CAN", "ON"), true},
		{"lower-case country", valueset.Has(change.LookupCountries, "deu"), false},
		{"withdrawn country", valueset.Has(change.LookupCountries, "YUG"), false},
		{"private-use country", valueset.Has(change.LookupCountries, "XKK"), false},
		{"currency of the past years", valueset.Has(change.LookupCurrencies, "HRK"), true},
		{"currency of the far past", valueset.Has(change.LookupCurrencies, "DEM"), false},
		{"unknown set", valueset.Has("nothing", "1"), false},
		{"number", valueset.HasNumber(change.LookupEventOccasions, 0), true},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: got %v", test.name, test.got)
		}
	}
}

// TestEveryTypeHasCategories: forms and imports propose categories for every event type.
func TestEveryTypeHasCategories(t *testing.T) {
	known := map[string]bool{}
	for _, set := range valueset.All() {
		for _, item := range set.Items {
			known[set.Name+" "+item.ID] = true
		}
	}
	for _, set := range valueset.All() {
		if set.Name != change.LookupEventTypes {
			continue
		}
		for _, item := range set.Items {
			id, err := strconv.Atoi(item.ID)
			categories := adminapi.CategoriesOf(id)
			if err != nil || len(categories) == 0 {
				t.Errorf("the type %s brings no categories (%v)", item.ID, err)
			}
			for _, category := range categories {
				if !known[change.LookupCategories+" "+strconv.Itoa(category)] {
					t.Errorf("the type %s brings the unknown category %d", item.ID, category)
				}
			}
		}
	}
}
