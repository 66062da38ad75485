package demo

import (
	"math/rand/v2"
	"strings"
)

// vocabulary holds the texts of one language. Words in braces are placeholders.
type vocabulary struct {
	aboutHost, aboutVenue string
	// The title of the festival of a city, and its text.
	festival, aboutFestival string
	people, welcome         []string
	themes                  []string // the same in each language, in one order
	reason                  string   // of a date that does not take place as planned
}

var acts = []string{
	"Nordlicht Trio", "Fjordpost", "The Paper Lanterns", "Kapelle Windstärke Acht", "Marlene & die Möwen", "Halv Otte",
	"Glass Harbour", "Ensemble Querströmung", "Sølvtråd", "Die Gezeitenmaschine", "Kattegat Express", "Low Tide Society",
	"Alma Vester Quartet", "Brückenkinder", "Polaroid Summer", "Røde Tråd", "Hafenorchester", "The Late Ferries",
	"Duo Bernstein", "Moss & Marble", "Tidevand", "Signal West", "Ida Falk", "Jonas Brandt Oktett", "Velvet Static",
	"Lyngby Brass", "Nachtfalter", "Sundowners Collective", "Bølgelængde", "Schall & Wiese",
}

var words = map[string]vocabulary{
	"de": {
		festival:      "{city} leuchtet",
		aboutFestival: "Die Häuser in **{city}** öffnen ihre Bühnen: Wochen voller Musik, Film und Essen, drinnen und draußen.",
		aboutHost:     "{place} ist ein Haus für Kultur in {city}: offen, nachbarschaftlich und mit einem Programm für alle Generationen.",
		aboutVenue:    "Das Haus in der {street} liegt mitten in {city} und ist gut mit Bus und Rad zu erreichen.",
		people: []string{
			"Greta Lindemann", "Jürgen Straß", "Ayşe Demirkan", "Ole Petersen", "Käthe Böttcher", "Matthias Groß",
			"Nora El-Amin", "Lüder Hansen", "Svenja Möller", "Paul Okafor",
		},
		themes: []string{
			"Licht und Hafen", "Das Meer erinnert sich", "Zwischen den Ufern", "Was bleibt", "Stadt aus Papier",
			"Über die Brücke", "Ein Jahr im Schilf", "Nachts sind alle Häuser blau", "Große Fluten", "Die letzte Fähre",
		},
		welcome: []string{
			"Einlass eine halbe Stunde vorher, freie Platzwahl.",
			"Anmeldung ist nicht nötig, wir freuen uns auf viele Gäste.",
			"Getränke und kleine Speisen gibt es am Tresen.",
			"Das Haus ist ab einer Stunde vor Beginn geöffnet.",
		},
		reason: "Leider ist bei uns jemand erkrankt.",
	},
	"da": {
		festival:      "{city} lyser",
		aboutFestival: "Husene i **{city}** åbner deres scener: uger med musik, film og mad, inde og ude.",
		aboutHost:     "{place} er et hus for kultur i {city}: åbent, lokalt og med et program for alle aldre.",
		aboutVenue:    "Huset i {street} ligger midt i {city} og er let at nå med bus og cykel.",
		people: []string{
			"Astrid Kjær", "Søren Højgaard", "Mette Østergaard", "Rasmus Løvstrøm", "Fatima Nielsen", "Bjørn Aagesen",
			"Karen Blåbjerg", "Emil Dam", "Signe Rønne", "Yusuf Holm",
		},
		themes: []string{
			"Lys over havnen", "Havet husker", "Mellem to kyster", "Det, der bliver", "Byen af papir",
			"Over broen", "Et år i sivene", "Om natten er alle huse blå", "Den store stormflod", "Den sidste færge",
		},
		welcome: []string{
			"Dørene åbner en halv time før, frit pladsvalg.",
			"Tilmelding er ikke nødvendig, alle er velkomne.",
			"Der kan købes drikkevarer og lette retter i baren.",
			"Huset er åbent fra en time før start.",
		},
		reason: "Vi har desværre sygdom i huset.",
	},
	"en": {
		festival:      "{city} Lights",
		aboutFestival: "The houses of **{city}** open their stages: weeks of music, film and food, indoors and out.",
		aboutHost:     "{place} is a house for culture in {city}: open, neighbourly, with something on for every generation.",
		aboutVenue:    "You find us in {street}, in the middle of {city}, close to buses and cycle routes.",
		people: []string{
			"Isla McKenzie", "Tom Ashworth", "Priya Nair", "Callum Reid", "Grace O'Donnell", "Femi Adeyemi",
			"Hannah Whitfield", "Ewan Sinclair", "Zoë Harland", "Marcus Bell",
		},
		themes: []string{
			"Light on the Water", "The Sea Remembers", "Between Two Shores", "What Remains", "Paper City",
			"Across the Bridge", "A Year in the Reeds", "All Houses Are Blue at Night", "High Tide", "The Last Ferry",
		},
		welcome: []string{
			"Doors open half an hour before, seats are unreserved.",
			"No booking needed, everyone is welcome.",
			"Drinks and small plates are served at the bar.",
			"The house opens an hour before the start.",
		},
		reason: "Unfortunately, someone on our team is ill.",
	},
}

// fill replaces the placeholders of a text by a place's names.
func fill(text string, c city, p place) string {
	return strings.NewReplacer("{place}", p.name, "{city}", c.name, "{street}", p.street).Replace(text)
}

// cast are the names in the texts of one event, and the number of its theme.
type cast struct {
	act, who string
	theme    int
}

func castOf(r *rand.Rand, language string) cast {
	v := words[language]
	return cast{pick(r, acts), pick(r, v.people), r.IntN(len(v.themes))}
}

// compose replaces the placeholders of a text in a language.
func (h host) compose(names cast, language string) *strings.Replacer {
	return strings.NewReplacer(
		"{place}", h.place.name, "{city}", h.city.name, "{street}", h.place.street,
		"{act}", names.act, "{who}", names.who, "{theme}", words[language].themes[names.theme],
	)
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }
