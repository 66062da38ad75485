package geocoder

import (
	"strings"
	"sync"

	"litfass/pkg/chassis/spelling"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/town"
)

// folded are the names of town.All as they are compared: without regard to case and marks.
var folded = sync.OnceValue(func() []string {
	towns := town.All()
	names := make([]string, len(towns))
	for i, t := range towns {
		names[i] = document.Words(t.Name)
	}
	return names
})

// otherNames are names of large cities in English, German and Danish, as they are compared.
var otherNames = map[string]string{
	"copenhagen": "koebenhavn", "kopenhagen": "koebenhavn", "vienna": "wien", "munich": "muenchen", "cologne": "koeln",
	"prague": "praha", "prag": "praha", "warsaw": "warszawa", "warschau": "warszawa", "rome": "roma", "rom": "roma",
	"milan": "milano", "mailand": "milano", "venice": "venezia", "venedig": "venezia", "brussels": "bruxelles",
	"bruessel": "bruxelles", "geneva": "geneve", "genf": "geneve", "lisbon": "lisboa", "lissabon": "lisboa", "florence": "firenze",
	"florenz": "firenze", "krakau": "krakow", "flensborg": "flensburg", "hamborg": "hamburg", "slesvig": "schleswig",
	"hadersleben": "haderslev", "sonderburg": "soenderborg", "apenrade": "aabenraa", "tondern": "toender",
}

// TownsOf returns Towns with their source.
func TownsOf(name, country string, most int) adminapi.Positions {
	found := adminapi.Positions{Positions: []adminapi.Position{}, Credits: []string{town.Attribution}}
	found.Positions = append(found.Positions, Towns(name, country, most)...)
	return found
}

// Towns returns up to most towns whose name is or begins with a name: the exact ones before the
// others, the largest first. If there are none, it returns those with one typo in a name of five
// letters or more. country is an ISO 3166-1 alpha-3 code; "" for any.
func Towns(name, country string, most int) []adminapi.Position {
	asked := document.Words(name)
	if asked == "" {
		return nil
	}
	if other, known := otherNames[asked]; known {
		asked = other
	}
	var exact, begun, near []adminapi.Position
	for i, known := range folded() {
		t := town.All()[i]
		switch {
		case country != "" && t.Country != country:
		case known == asked:
			exact = append(exact, positionOfTown(t))
		case strings.HasPrefix(known, asked) && len(begun) < most:
			begun = append(begun, positionOfTown(t))
		case len(exact)+len(begun) == 0 && len(near) < most && len(asked) >= 5 && isNear(asked, known):
			near = append(near, positionOfTown(t))
		}
	}
	if exact = append(exact, begun...); len(exact) == 0 {
		return near
	}
	return exact[:min(len(exact), most)]
}

// isNear reports whether a name has at most one typo; the first letter is right.
func isNear(asked, known string) bool {
	return known != "" && known[0] == asked[0] && max(len(known)-len(asked), len(asked)-len(known)) <= 2 &&
		spelling.Distance(asked, known) <= 1
}

func positionOfTown(t town.Town) adminapi.Position {
	return adminapi.Position{
		Name: t.Name, City: t.Name, Country: t.Country, Lat: t.Lat, Lon: t.Lon, Precision: adminapi.PreciseTown,
	}
}
