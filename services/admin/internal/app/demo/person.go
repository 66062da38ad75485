package demo

import "litfass/pkg/contracts/permission"

// Person is a demo account. There is one for each role, so that every permission can be tried.
type Person struct {
	Email         string // in a domain that is reserved for examples (RFC 2606)
	FirstName     string
	LastName      string
	Locale        string
	Role          permission.Role // in the organization of PeopleOrganization; "" for a user without membership
	PlatformAdmin bool
}

// People are always the same, the role with the most permissions first.
var People = []Person{
	{"owner@litfass.example", "Olga", "Ohlsen", "de", permission.Owner, false},
	{"manager@litfass.example", "Mads", "Møller", "da", permission.Manager, false},
	{"editor@litfass.example", "Edda", "Ebert", "de", permission.Editor, false},
	{"contributor@litfass.example", "Catriona", "Campbell", "en", permission.Contributor, false},
	{"viewer@litfass.example", "Vera", "Voigt", "de", permission.Viewer, false},
	{"admin@litfass.example", "Ada", "Andresen", "en", "", true},
	{"stranger@litfass.example", "Stig", "Storm", "da", "", false},
}

// PeopleOrganization returns the uuid of the organization of the demo catalogue that People belong
// to.
func PeopleOrganization() string {
	return identity("organization", cities[0].slug, cities[0].places[0].name)
}
