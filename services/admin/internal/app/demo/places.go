package demo

import "strings"

// city is a city with its invented places.
type city struct {
	name, slug                                     string
	country, state                                 string // codes
	countrySlug, countryName, stateSlug, stateName string
	language, timezone, currency                   string
	neighbours                                     string // the language of a border that is near; "" for none
	lat, lon, radiusKM                             float64
	places                                         []place
}

// place is a venue with its organization.
type place struct {
	name, kind             string // kind: a key of rooms
	form                   string // legal form of its organization
	street, number, postal string
	lat, lon               float64
}

type region struct {
	countrySlug, countryName, stateSlug, stateName, slug, name string
	south, west, north, east                                   float64
}

// wideRegions contain several cities each.
var wideRegions = []region{
	{"deutschland", "Deutschland", "schleswig-holstein", "Schleswig-Holstein", "ostseekueste", "Ostseeküste", 53.80, 9.30, 54.92, 11.20},
	{"danmark", "Danmark", "syddanmark", "Syddanmark", "soenderjylland", "Sønderjylland", 54.80, 8.55, 55.35, 10.00},
}

var cities = []city{
	{
		name: "Kiel", slug: "kiel", country: "DEU", state: "SH", language: "de", timezone: "Europe/Berlin", currency: "EUR",
		countrySlug: "deutschland", countryName: "Deutschland", stateSlug: "schleswig-holstein", stateName: "Schleswig-Holstein",
		lat: 54.3233, lon: 10.1228, radiusKM: 9,
		places: []place{
			{"Speicher am Germaniahafen", "club", "registered_association", "Sandhafen", "3", "24143", 54.3141, 10.1382},
			{"Theater an der Holtenauer", "theatre", "registered_cooperative", "Holtenauer Straße", "103", "24105", 54.3372, 10.1320},
			{"Galerie Brunswik", "gallery", "foundation", "Brunswiker Straße", "40", "24105", 54.3312, 10.1352},
			{"Bürgerhaus Gaarden", "center", "municipal_facility", "Elisabethstraße", "64", "24143", 54.3115, 10.1467},
			{"Lichtspiele am Schrevenpark", "cinema", "limited", "Goethestraße", "11", "24116", 54.3274, 10.1211},
		},
	},
	{
		name: "Flensburg", slug: "flensburg", country: "DEU", state: "SH", language: "de", neighbours: "da", timezone: "Europe/Berlin", currency: "EUR",
		countrySlug: "deutschland", countryName: "Deutschland", stateSlug: "schleswig-holstein", stateName: "Schleswig-Holstein",
		lat: 54.7833, lon: 9.4333, radiusKM: 7,
		places: []place{
			{"Hafenbühne Flensburg", "theatre", "registered_association", "Schiffbrücke", "22", "24939", 54.7921, 9.4328},
			{"Kulturhof Norderstraße", "center", "registered_association", "Norderstraße", "86", "24939", 54.7935, 9.4302},
			{"Roter Schuppen", "club", "limited", "Große Straße", "48", "24937", 54.7880, 9.4337},
			{"Kunstraum Museumsberg", "gallery", "municipal_facility", "Friedrich-Ebert-Straße", "6", "24937", 54.7849, 9.4292},
			{"St.-Petri-Klangkirche", "church", "public_law_institution", "Bau'sche Straße", "7", "24939", 54.8010, 9.4270},
		},
	},
	{
		name: "Lübeck", slug: "luebeck", country: "DEU", state: "SH", language: "de", timezone: "Europe/Berlin", currency: "EUR",
		countrySlug: "deutschland", countryName: "Deutschland", stateSlug: "schleswig-holstein", stateName: "Schleswig-Holstein",
		lat: 53.8655, lon: 10.6866, radiusKM: 10,
		places: []place{
			{"Gewölbekeller Mengstraße", "club", "limited", "Mengstraße", "31", "23552", 53.8681, 10.6842},
			{"Salzspeicher-Bühne", "theatre", "registered_association", "Wallstraße", "2", "23560", 53.8656, 10.6805},
			{"Haus der Sieben Türme", "center", "foundation", "Königstraße", "21", "23552", 53.8697, 10.6897},
			{"Bücherdiele Hüxstraße", "library", "independent_operator", "Hüxstraße", "55", "23552", 53.8652, 10.6893},
		},
	},
	{
		name: "Hamburg", slug: "hamburg", country: "DEU", state: "HH", language: "de", timezone: "Europe/Berlin", currency: "EUR",
		countrySlug: "deutschland", countryName: "Deutschland", stateSlug: "hamburg", stateName: "Hamburg",
		lat: 53.5503, lon: 9.9920, radiusKM: 18,
		places: []place{
			{"Kranhalle Altona", "club", "limited", "Große Elbstraße", "145", "22767", 53.5448, 9.9395},
			{"Schauspielkeller St. Georg", "theatre", "registered_association", "Lange Reihe", "75", "20099", 53.5572, 10.0135},
			{"Galerie Fleetinsel", "gallery", "limited", "Admiralitätstraße", "71", "20459", 53.5479, 9.9849},
			{"Stadtteilhaus Ottensen", "center", "registered_association", "Bahrenfelder Straße", "73", "22765", 53.5532, 9.9279},
			{"Programmkino Schanze", "cinema", "limited", "Schulterblatt", "58", "20357", 53.5622, 9.9616},
			{"Lesesaal Eimsbüttel", "library", "municipal_facility", "Osterstraße", "140", "20255", 53.5762, 9.9510},
		},
	},
	{
		name: "Berlin", slug: "berlin", country: "DEU", state: "BE", language: "de", timezone: "Europe/Berlin", currency: "EUR",
		countrySlug: "deutschland", countryName: "Deutschland", stateSlug: "berlin", stateName: "Berlin",
		lat: 52.5170, lon: 13.3889, radiusKM: 24,
		places: []place{
			{"Maschinenraum Friedrichshain", "club", "limited", "Revaler Straße", "99", "10245", 52.5073, 13.4540},
			{"Hinterhofbühne Neukölln", "theatre", "civil_law_partnership", "Weserstraße", "211", "12047", 52.4872, 13.4281},
			{"Galerie Linienhof", "gallery", "limited", "Linienstraße", "40", "10119", 52.5287, 13.4063},
			{"Kiezhaus Wedding", "center", "registered_association", "Müllerstraße", "56", "13349", 52.5531, 13.3486},
			{"Kino am Landwehrkanal", "cinema", "registered_cooperative", "Paul-Lincke-Ufer", "21", "10999", 52.4966, 13.4261},
			{"Gethsemane-Konzertkirche", "church", "public_law_institution", "Stargarder Straße", "77", "10437", 52.5475, 13.4161},
		},
	},
	{
		name: "København", slug: "koebenhavn", country: "DNK", state: "HS", language: "da", timezone: "Europe/Copenhagen", currency: "DKK",
		countrySlug: "danmark", countryName: "Danmark", stateSlug: "hovedstaden", stateName: "Hovedstaden",
		lat: 55.6761, lon: 12.5683, radiusKM: 14,
		places: []place{
			{"Kedelhuset Nørrebro", "club", "registered_association", "Nørrebrogade", "88", "2200", 55.6914, 12.5530},
			{"Teater Vesterport", "theatre", "foundation", "Vesterbrogade", "59", "1620", 55.6716, 12.5535},
			{"Galleri Bredgade", "gallery", "limited", "Bredgade", "34", "1260", 55.6836, 12.5893},
			{"Kulturhuset Islands Kaj", "center", "municipal_facility", "Islands Brygge", "18", "2300", 55.6668, 12.5795},
			{"Biografen Østerport", "cinema", "registered_cooperative", "Østerbrogade", "29", "2100", 55.6963, 12.5794},
			{"Læsesalen Frederiksberg", "library", "municipal_facility", "Falkoner Allé", "53", "2000", 55.6813, 12.5320},
		},
	},
	{
		name: "Aarhus", slug: "aarhus", country: "DNK", state: "MJ", language: "da", timezone: "Europe/Copenhagen", currency: "DKK",
		countrySlug: "danmark", countryName: "Danmark", stateSlug: "midtjylland", stateName: "Midtjylland",
		lat: 56.1572, lon: 10.2107, radiusKM: 10,
		places: []place{
			{"Pakhus 7", "club", "registered_association", "Mindegade", "10", "8000", 56.1527, 10.2127},
			{"Scenen i Latinerkvarteret", "theatre", "registered_association", "Graven", "15", "8000", 56.1588, 10.2107},
			{"Kunsthallen Mejlgade", "gallery", "foundation", "Mejlgade", "53", "8000", 56.1601, 10.2147},
			{"Medborgerhuset Vesterbro", "center", "municipal_facility", "Vesterbrogade", "22", "8000", 56.1592, 10.1960},
		},
	},
	{
		name: "Odense", slug: "odense", country: "DNK", state: "SD", language: "da", timezone: "Europe/Copenhagen", currency: "DKK",
		countrySlug: "danmark", countryName: "Danmark", stateSlug: "syddanmark", stateName: "Syddanmark",
		lat: 55.3959, lon: 10.3883, radiusKM: 9,
		places: []place{
			{"Farveriet", "club", "limited", "Brandts Passage", "29", "5000", 55.3949, 10.3799},
			{"Eventyrteatret Overgade", "theatre", "registered_association", "Overgade", "48", "5000", 55.3968, 10.3944},
			{"Bogladen Vestergade", "library", "independent_operator", "Vestergade", "35", "5000", 55.3956, 10.3830},
		},
	},
	{
		name: "Aabenraa", slug: "aabenraa", country: "DNK", state: "SD", language: "da", neighbours: "de", timezone: "Europe/Copenhagen", currency: "DKK",
		countrySlug: "danmark", countryName: "Danmark", stateSlug: "syddanmark", stateName: "Syddanmark",
		lat: 55.0443, lon: 9.4174, radiusKM: 7,
		places: []place{
			{"Nygadehuset", "center", "registered_association", "Nygade", "21", "6200", 55.0444, 9.4222},
			{"Musikkælderen Ramsherred", "club", "registered_association", "Ramsherred", "12", "6200", 55.0462, 9.4194},
			{"Galleri Slotsgade", "gallery", "independent_operator", "Slotsgade", "9", "6200", 55.0405, 9.4190},
		},
	},
	{
		name: "Sønderborg", slug: "soenderborg", country: "DNK", state: "SD", language: "da", neighbours: "de", timezone: "Europe/Copenhagen", currency: "DKK",
		countrySlug: "danmark", countryName: "Danmark", stateSlug: "syddanmark", stateName: "Syddanmark",
		lat: 54.9093, lon: 9.7890, radiusKM: 7,
		places: []place{
			{"Havnescenen Alsion", "theatre", "municipal_facility", "Nørre Havnegade", "35", "6400", 54.9130, 9.7826},
			{"Perlegadehuset", "center", "registered_association", "Perlegade", "50", "6400", 54.9107, 9.7905},
		},
	},
	{
		name: "Edinburgh", slug: "edinburgh", country: "GBR", language: "en", timezone: "Europe/London", currency: "GBP",
		countrySlug: "united-kingdom", countryName: "United Kingdom", stateSlug: "scotland", stateName: "Scotland",
		lat: 55.9533, lon: -3.1883, radiusKM: 11,
		places: []place{
			{"The Cooperage", "club", "limited", "Cowgate", "112", "EH1 1JN", 55.9485, -3.1899},
			{"Leith Harbour Theatre", "theatre", "registered_association", "Constitution Street", "60", "EH6 6RR", 55.9743, -3.1663},
			{"Stockbridge Print Gallery", "gallery", "independent_operator", "St Stephen Street", "28", "EH3 5AL", 55.9578, -3.2062},
			{"Marchmont Community Hub", "center", "registered_association", "Marchmont Road", "45", "EH9 1HU", 55.9378, -3.1935},
			{"Lothian Road Picture House", "cinema", "registered_cooperative", "Lothian Road", "94", "EH3 9BZ", 55.9463, -3.2056},
			{"Canongate Reading Room", "library", "foundation", "Canongate", "180", "EH8 8BN", 55.9513, -3.1793},
		},
	},
}

type room struct {
	key      string            // space type
	name     map[string]string // by language
	capacity int
}

var rooms = map[string][]room{
	"club": {
		{"hall", map[string]string{"de": "Saal", "da": "Sal", "en": "Main Room"}, 350},
		{"pub", map[string]string{"de": "Bar", "da": "Bar", "en": "Bar"}, 80},
	},
	"theatre": {
		{"theater_hall", map[string]string{"de": "Große Bühne", "da": "Store Scene", "en": "Main Stage"}, 280},
		{"studio", map[string]string{"de": "Studio", "da": "Studio", "en": "Studio"}, 70},
	},
	"gallery": {
		{"exhibition_room", map[string]string{"de": "Ausstellungsraum", "da": "Udstillingsrum", "en": "Exhibition Room"}, 60},
		{"courtyard", map[string]string{"de": "Innenhof", "da": "Gård", "en": "Courtyard"}, 120},
	},
	"center": {
		{"community_hall", map[string]string{"de": "Bürgersaal", "da": "Borgersal", "en": "Community Hall"}, 200},
		{"workshop", map[string]string{"de": "Werkstatt", "da": "Værksted", "en": "Workshop"}, 25},
		{"garden", map[string]string{"de": "Garten", "da": "Have", "en": "Garden"}, 150},
	},
	"cinema": {
		{"auditorium", map[string]string{"de": "Saal 1", "da": "Sal 1", "en": "Screen One"}, 180},
		{"foyer", map[string]string{"de": "Foyer", "da": "Foyer", "en": "Foyer"}, 60},
	},
	"library": {
		{"multifunctional_room", map[string]string{"de": "Lesesaal", "da": "Læsesal", "en": "Reading Room"}, 90},
		{"cafe", map[string]string{"de": "Café", "da": "Café", "en": "Café"}, 40},
	},
	"church": {
		{"church", map[string]string{"de": "Kirchenschiff", "da": "Kirkeskib", "en": "Nave"}, 400},
	},
}

// organizationName returns the name of the organization of a place, which matches its legal form.
func organizationName(c city, p place) string {
	switch p.form {
	case "registered_association":
		return map[string]string{"de": p.name + " e. V.", "da": "Foreningen " + p.name, "en": p.name + " Association"}[c.language]
	case "limited":
		return map[string]string{"de": p.name + " GmbH", "da": p.name + " ApS", "en": p.name + " Ltd"}[c.language]
	case "foundation":
		return map[string]string{"de": "Stiftung " + p.name, "da": "Fonden " + p.name, "en": p.name + " Trust"}[c.language]
	case "municipal_facility":
		return map[string]string{"de": "Stadt " + c.name + ", " + p.name, "da": c.name + " Kommune, " + p.name, "en": c.name + " Council, " + p.name}[c.language]
	default:
		return p.name
	}
}

// domain returns a host name that never exists: its top-level domain is reserved for examples.
func domain(c city, p place) string {
	plain := strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "ø", "oe", "å", "aa", " ", "-", ".", "", "'", "")
	return plain.Replace(strings.ToLower(p.name)) + "." + c.slug + ".example"
}
