package demo

import "litfass/services/admin/internal/permission"

// Person can log in to a demo: one for each role, so that every right and its absence can be tried.
type Person struct {
	Email         string // no real address: the domain is reserved for examples (RFC 2606)
	FirstName     string
	LastName      string
	Locale        string
	Role          permission.Role // in the organization of PeopleOrganization; "" for no member
	PlatformAdmin bool
}

// People are always the same, the strongest in their organization first.
var People = []Person{
	{"owner@litfass.example", "Olga", "Ohlsen", "de", permission.Owner, false},
	{"manager@litfass.example", "Mads", "Møller", "da", permission.Manager, false},
	{"editor@litfass.example", "Edda", "Ebert", "de", permission.Editor, false},
	{"contributor@litfass.example", "Catriona", "Campbell", "en", permission.Contributor, false},
	{"viewer@litfass.example", "Vera", "Voigt", "de", permission.Viewer, false},
	{"admin@litfass.example", "Ada", "Andresen", "en", "", true},
	{"stranger@litfass.example", "Stig", "Storm", "da", "", false},
}

// PeopleOrganization returns the uuid of the organization of the demo catalogue that People belong to.
func PeopleOrganization() string {
	return identity("organization", cities[0].slug, cities[0].places[0].name)
}
