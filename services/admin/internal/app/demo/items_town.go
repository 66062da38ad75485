package demo

var townItems = []item{
	{
		key: "exhibition", typeID: 17, alsoType: 8, categories: []int{1}, kinds: []string{"gallery", "library"},
		rhythm: exhibition, price: free, flags: []int{0, 4, 8},
		texts: map[string]text{
			"de": {[]string{"{theme} – Fotografien von {who}", "{who}: {theme}", "Papier, Schere, Wind. Arbeiten von {who}"}, "Ausstellung", "Neue Arbeiten von *{who}*, erstmals in {city} zu sehen.", "Die Ausstellung zeigt vierzig Blätter und eine Installation im Innenhof. Führungen jeden Sonntag.", []string{"Ausstellung", "Kunst"}},
			"da": {[]string{"{theme} – fotografier af {who}", "{who}: {theme}", "Papir, saks og vind. Værker af {who}"}, "Udstilling", "Nye værker af *{who}*, vist for første gang i {city}.", "Udstillingen rummer fyrre blade og en installation i gården. Rundvisning hver søndag.", []string{"Udstilling", "Kunst"}},
			"en": {[]string{"{theme} – photographs by {who}", "{who}: {theme}", "Paper, Scissors, Wind. Works by {who}"}, "Exhibition", "New work by *{who}*, shown in {city} for the first time.", "Forty prints and an installation in the courtyard. Guided tours every Sunday.", []string{"Exhibition", "Art"}},
		},
	},
	{
		key: "opening", typeID: 8, genres: []int{8001, 8002, 8003, 8004, 8010}, categories: []int{1}, kinds: []string{"gallery"},
		rhythm: single, starts: []string{"18:00", "19:00"}, minutes: 150, price: free, flags: []int{2, 8, 18},
		texts: map[string]text{
			"de": {[]string{"Vernissage: {who}", "Atelierabend mit {who}"}, "", "Zur Eröffnung sprechen wir mit der Künstlerin über Arbeit, Zufall und Leim.", "Ein Glas ist für alle da. Musik: {act}.", []string{"Kunst", "Vernissage"}},
			"da": {[]string{"Fernisering: {who}", "Atelieraften med {who}"}, "", "Ved åbningen taler vi med kunstneren om arbejde, tilfælde og lim.", "Der er et glas til alle. Musik: {act}.", []string{"Kunst", "Fernisering"}},
			"en": {[]string{"Opening night: {who}", "Studio Evening with {who}"}, "", "We talk to the artist about work, chance and glue.", "There is a glass for everyone. Music: {act}.", []string{"Art", "Opening"}},
		},
	},
	{
		key: "reading", typeID: 6, genres: []int{6001, 6002, 6006, 6009, 6013}, alsoType: 38, categories: []int{1, 2}, kinds: []string{"library", "center", "church"},
		rhythm: single, starts: []string{"18:30", "19:00", "19:30"}, minutes: 90, price: cheap, flags: []int{2, 4, 8, 12},
		texts: map[string]text{
			"de": {[]string{"{who} liest „{theme}“", "Lesung: {who}", "Krimi am Kamin mit {who}"}, "Lesung und Gespräch", "*{who}* stellt den neuen Roman vor.", "Im Anschluss signiert {who} Bücher, die Buchhandlung der Nachbarschaft hat einen Tisch aufgebaut.", []string{"Lesung", "Literatur"}},
			"da": {[]string{"{who} læser »{theme}«", "Forfatteraften: {who}", "Krimi ved kaminen med {who}"}, "Oplæsning og samtale", "*{who}* præsenterer sin nye roman.", "Bagefter signerer {who} bøger ved boghandlerens bord.", []string{"Oplæsning", "Litteratur"}},
			"en": {[]string{"{who} reads “{theme}”", "An Evening with {who}", "Crime by the Fireside with {who}"}, "Reading and conversation", "*{who}* presents a new novel.", "{who} signs books afterwards at the neighbourhood bookshop's table.", []string{"Reading", "Books"}},
		},
	},
	{
		key: "slam", typeID: 16, categories: []int{1}, kinds: []string{"club", "center"},
		rhythm: monthly, starts: []string{"20:00"}, minutes: 130, price: door, flags: []int{2, 3, 8},
		texts: map[string]text{
			"de": {[]string{"Poetry Slam {city}", "Wortgefecht am Wasser"}, "", "Acht Poetinnen und Poeten, sechs Minuten, das Publikum entscheidet.", "Moderation: {who}. Offene Liste bis 19:30 Uhr.", []string{"Poetry Slam", "Literatur"}},
			"da": {[]string{"Poetry slam {city}", "Ordkamp ved vandet"}, "", "Otte digtere, seks minutter, publikum bestemmer.", "Vært: {who}. Åben liste til kl. 19.30.", []string{"Poetry slam", "Litteratur"}},
			"en": {[]string{"{city} Poetry Slam", "Fighting Words"}, "", "Eight poets, six minutes each, and you decide.", "Hosted by {who}. The list is open until 7.30pm.", []string{"Poetry slam", "Spoken word"}},
		},
	},
	{
		key: "film", typeID: 9, genres: []int{9001, 9003, 9006, 9009, 9010, 9016}, categories: []int{1, 4}, kinds: []string{"cinema"},
		rhythm: weekly, starts: []string{"17:30", "18:00", "20:15", "21:00"}, minutes: 115, price: cheap, minAge: 12, flags: []int{2, 8, 12},
		texts: map[string]text{
			"de": {[]string{"{theme}", "Stummfilm mit Live-Musik: {theme}", "Kurzfilmnacht"}, "Originalfassung mit Untertiteln", "Ein Film von {who}, mit Einführung.", "Am ersten Abend ist {who} zu Gast und beantwortet Fragen aus dem Publikum.", []string{"Film", "Kino", "OmU"}},
			"da": {[]string{"{theme}", "Stumfilm med levende musik: {theme}", "Kortfilmnat"}, "Originalsprog med undertekster", "En film af {who}, med indledning.", "Den første aften er {who} til stede og svarer på spørgsmål.", []string{"Film", "Biograf"}},
			"en": {[]string{"{theme}", "Silent Film with Live Score: {theme}", "Short Film Night"}, "Original language with subtitles", "A film by {who}, with an introduction.", "{who} joins us on the first night to answer questions.", []string{"Film", "Cinema"}},
		},
	},
	{
		key: "kidsfilm", typeID: 9, genres: []int{9004, 9011}, alsoType: 44, categories: []int{1, 5}, kinds: []string{"cinema", "library"},
		rhythm: weekly, starts: []string{"10:30", "14:30"}, minutes: 80, price: cheap, minAge: 5, flags: []int{0, 1, 8, 20},
		texts: map[string]text{
			"de": {[]string{"Kinderkino: Die Reise des kleinen Otters", "Familienkino am Sonntag"}, "ab 5 Jahren", "Ein Trickfilm ohne Eile, mit Bastelecke im Foyer.", "Der Saal bleibt halb hell und der Ton leise.", []string{"Kinder", "Film", "Familie"}},
			"da": {[]string{"Børnebio: Den lille odders rejse", "Familiebio om søndagen"}, "fra 5 år", "En tegnefilm uden hastværk, med klippebord i foyeren.", "Salen er halvt oplyst, og lyden er dæmpet.", []string{"Børn", "Film", "Familie"}},
			"en": {[]string{"Kids' Cinema: The Little Otter's Journey", "Sunday Family Film"}, "from age 5", "An unhurried animation, with a craft table in the foyer.", "The lights stay half up and the sound stays low.", []string{"Kids", "Film", "Family"}},
		},
	},
	{
		key: "market", typeID: 13, genres: []int{13001, 13009, 13012, 13017, 13019}, categories: []int{4, 6}, kinds: []string{"center", "gallery", "club"},
		rhythm: weekend, price: free, flags: []int{0, 5, 7, 10, 16, 17},
		texts: map[string]text{
			"de": {[]string{"Flohmarkt im Hof", "Plattenbörse {city}", "Streetfood & Straßenmusik"}, "", "Stöbern, tauschen, feilschen: sechzig Stände rund um {place}.", "Aufbau ab acht Uhr. Bei Regen ziehen wir ins Haus.", []string{"Markt", "Flohmarkt", "Draußen"}},
			"da": {[]string{"Loppemarked i gården", "Plademesse {city}", "Streetfood & gademusik"}, "", "Find, byt og prut: tres boder omkring {place}.", "Opstilling fra kl. 8. I regnvejr rykker vi indenfor.", []string{"Marked", "Loppemarked", "Udendørs"}},
			"en": {[]string{"Courtyard Flea Market", "{city} Record Fair", "Street Food & Buskers"}, "", "Rummage, swap and haggle: sixty stalls around {place}.", "Set-up from 8am. If it rains we move inside.", []string{"Market", "Flea market", "Outdoor"}},
		},
	},
	{
		key: "yoga", typeID: 14, genres: []int{14037, 14038, 14039}, alsoType: 51, categories: []int{3, 4}, kinds: []string{"center"},
		rhythm: course, starts: []string{"08:00", "17:30", "18:15"}, minutes: 75, price: cheap, minAge: 14, flags: []int{2, 4, 8},
		texts: map[string]text{
			"de": {[]string{"Yoga am Morgen", "Rücken und Atem mit {who}"}, "Kurs in zehn Terminen", "Ein Kurs für alle, die viel sitzen.", "Matten sind vorhanden, bequeme Kleidung genügt.", []string{"Yoga", "Kurs", "Gesundheit"}},
			"da": {[]string{"Morgenyoga", "Ryg og åndedræt med {who}"}, "Kursus over ti gange", "Et hold for alle, der sidder meget.", "Vi har måtter, tag behageligt tøj på.", []string{"Yoga", "Kursus", "Sundhed"}},
			"en": {[]string{"Morning Yoga", "Back and Breath with {who}"}, "Ten-week course", "A class for everyone who sits too much.", "Mats are here, just wear something comfortable.", []string{"Yoga", "Course", "Wellbeing"}},
		},
	},
	{
		key: "workshop", typeID: 15, alsoType: 40, categories: []int{2, 4}, kinds: []string{"center", "gallery", "library"},
		rhythm: single, starts: []string{"10:00", "14:00"}, minutes: 240, price: tickets, minAge: 10, flags: []int{8, 12, 24},
		texts: map[string]text{
			"de": {[]string{"Siebdruck für Anfängerinnen", "Buchbinden an einem Nachmittag", "Fahrräder selbst reparieren"}, "Workshop", "Vier Stunden, zwölf Plätze, am Ende geht jede mit etwas nach Hause.", "Leitung: {who}. Material ist im Preis enthalten.", []string{"Workshop", "Handwerk"}},
			"da": {[]string{"Serigrafi for begyndere", "Bind en bog på en eftermiddag", "Reparer din cykel selv"}, "Workshop", "Fire timer, tolv pladser, og alle går hjem med noget.", "Underviser: {who}. Materialer er med i prisen.", []string{"Workshop", "Håndværk"}},
			"en": {[]string{"Screen Printing for Beginners", "Bind a Book in an Afternoon", "Fix Your Own Bike"}, "Workshop", "Four hours, twelve places, and everyone takes something home.", "Led by {who}. Materials are included.", []string{"Workshop", "Craft"}},
		},
	},
	{
		key: "lecture", typeID: 20, alsoType: 12, categories: []int{2}, kinds: []string{"library", "center", "church"},
		rhythm: monthly, starts: []string{"18:00", "19:00"}, minutes: 90, price: free, flags: []int{2, 4, 8, 12, 26},
		texts: map[string]text{
			"de": {[]string{"Warum leuchtet das Meer?", "Vortrag: Die Ostsee im Jahr 2100", "Sternenhimmel über {city}"}, "Wissenschaft verständlich", "{who} erklärt, was wir wissen und was noch nicht.", "Vierzig Minuten Vortrag, vierzig Minuten Fragen. Der Abend wird übertragen.", []string{"Vortrag", "Wissenschaft"}},
			"da": {[]string{"Hvorfor lyser havet?", "Foredrag: Østersøen i år 2100", "Stjernehimlen over {city}"}, "Videnskab for alle", "{who} forklarer, hvad vi ved, og hvad vi mangler.", "Fyrre minutters foredrag, fyrre minutters spørgsmål. Aftenen streames.", []string{"Foredrag", "Videnskab"}},
			"en": {[]string{"Why Does the Sea Glow?", "The North Sea in 2100", "The Night Sky above {city}"}, "Science made clear", "{who} explains what we know and what we do not.", "Forty minutes of talk, forty minutes of questions. The evening is streamed.", []string{"Talk", "Science"}},
		},
	},
	{
		key: "tour", typeID: 36, alsoType: 52, categories: []int{2, 4}, kinds: []string{"center", "gallery", "library"},
		rhythm: weekly, starts: []string{"11:00", "14:00", "16:00"}, minutes: 105, price: cheap, flags: []int{0, 4, 5, 7, 25},
		texts: map[string]text{
			"de": {[]string{"Zu Fuß durch das alte {city}", "Frauen, die {city} bauten"}, "Stadtführung", "Ein Rundgang durch Höfe und Gänge, die man sonst übersieht.", "Treffpunkt: {place}, {street}. Die Führung findet bei jedem Wetter statt.", []string{"Stadtführung", "Geschichte"}},
			"da": {[]string{"Til fods gennem det gamle {city}", "Kvinderne, der byggede {city}"}, "Byvandring", "En tur gennem gårde og smøger, man ellers overser.", "Mødested: {place}, {street}. Turen gennemføres i al slags vejr.", []string{"Byvandring", "Historie"}},
			"en": {[]string{"Old {city} on Foot", "The Women Who Built {city}"}, "Walking tour", "A walk through the courts and closes that most people miss.", "We meet at {place}, {street}, whatever the weather.", []string{"Walking tour", "History"}},
		},
	},
	{
		key: "festival", typeID: 18, alsoType: 11, categories: []int{1, 4, 5}, kinds: []string{"center", "church", "cinema", "theatre"},
		rhythm: festival, starts: []string{"14:00", "16:00"}, minutes: 480, price: tickets, flags: []int{0, 7, 10, 13, 16, 17, 18, 28, 38},
		texts: map[string]text{
			"de": {[]string{"Drei Tage Sommer", "{city} klingt", "Lichterfest {theme}"}, "Festival", "Drei Tage Musik, Film und Essen auf allen Bühnen von *{place}*.", "Mit {act} und vielen anderen. Familien haben bis 18 Uhr freien Eintritt auf dem Hof.", []string{"Festival", "Musik", "Familie"}},
			"da": {[]string{"Tre dages sommer", "{city} klinger", "Lysfest: {theme}"}, "Festival", "Tre dage med musik, film og mad på alle scener i *{place}*.", "Med {act} og mange andre. Familier har gratis adgang til gården indtil kl. 18.", []string{"Festival", "Musik", "Familie"}},
			"en": {[]string{"Three Days of Summer", "{city} Sounds", "Festival of Lights: {theme}"}, "Festival", "Three days of music, film and food on every stage of *{place}*.", "With {act} and many more. Families get into the yard free until 6pm.", []string{"Festival", "Music", "Family"}},
		},
	},
	{
		key: "meeting", typeID: 37, alsoType: 46, categories: []int{6}, kinds: []string{"center", "church"},
		rhythm: monthly, starts: []string{"15:00", "18:00"}, minutes: 120, price: free, flags: []int{0, 3, 4, 8, 20},
		texts: map[string]text{
			"de": {[]string{"Nachbarschaftscafé", "Sprachcafé: Deutsch, Dansk, English"}, "", "Kaffee, Kuchen und Leute, die man noch nicht kennt.", "Wer etwas mitbringen möchte, bringt Zeit mit.", []string{"Nachbarschaft", "Treffen"}},
			"da": {[]string{"Nabocafé", "Sprogcafé: dansk, Deutsch, English"}, "", "Kaffe, kage og folk, man ikke kender endnu.", "Vil du have noget med, så tag tid med.", []string{"Naboskab", "Mødested"}},
			"en": {[]string{"Neighbours' Café", "Language Café: English, Deutsch, dansk"}, "", "Coffee, cake and people you have not met yet.", "If you want to bring something, bring time.", []string{"Community", "Meet-up"}},
		},
	},
	{
		key: "seniors", typeID: 59, alsoType: 60, categories: []int{4, 6}, kinds: []string{"center", "library"},
		rhythm: weekly, starts: []string{"10:00", "14:30"}, minutes: 120, price: free, minAge: 60, flags: []int{4, 8, 12, 20},
		texts: map[string]text{
			"de": {[]string{"Spielenachmittag 60+", "Singen mit {who}"}, "", "Karten, Brettspiele und Lieder, die alle kennen.", "Der Raum ist stufenlos erreichbar.", []string{"Senioren", "Spiele"}},
			"da": {[]string{"Spilleeftermiddag 60+", "Fællessang med {who}"}, "", "Kort, brætspil og sange, som alle kender.", "Der er niveaufri adgang til lokalet.", []string{"Seniorer", "Spil"}},
			"en": {[]string{"Games Afternoon 60+", "Sing with {who}"}, "", "Cards, board games and songs that everyone knows.", "The room can be reached without steps.", []string{"Seniors", "Games"}},
		},
	},
	{
		key: "youth", typeID: 58, alsoType: 32, categories: []int{2, 5}, kinds: []string{"center", "library"},
		rhythm: single, starts: []string{"10:00", "13:00"}, minutes: 300, price: free, minAge: 12, maxAge: 17, flags: []int{2, 8, 20, 24, 29},
		texts: map[string]text{
			"de": {[]string{"Junger Hackathon: Baut eure Stadt", "Beats bauen am Laptop"}, "12 bis 17 Jahre", "Ein Tag, ein Team, eine Idee für {city}.", "Laptops können geliehen werden, Mittagessen gibt es umsonst.", []string{"Jugend", "Technik"}},
			"da": {[]string{"Ungdomshackathon: Byg jeres by", "Lav beats på laptop"}, "12 til 17 år", "Én dag, ét hold, én idé til {city}.", "Du kan låne en computer, og frokosten er gratis.", []string{"Unge", "Teknologi"}},
			"en": {[]string{"Young Hackers: Build Your City", "Make Beats on a Laptop"}, "ages 12 to 17", "One day, one team, one idea for {city}.", "Laptops can be borrowed and lunch is free.", []string{"Youth", "Tech"}},
		},
	},
	{
		key: "run", typeID: 7, genres: []int{7007, 7008, 7009}, alsoType: 42, categories: []int{3}, kinds: []string{"center"},
		rhythm: single, starts: []string{"09:30", "10:00"}, minutes: 180, price: donation, flags: []int{0, 7, 11, 15, 38},
		texts: map[string]text{
			"de": {[]string{"Lauf um den Hafen", "Radtour ins Umland", "Wanderung am Steilufer"}, "", "Eine Strecke für alle, ein Ziel mit Suppe.", "Start und Ziel an {place}. Das Startgeld geht an die Wasserrettung.", []string{"Sport", "Draußen"}},
			"da": {[]string{"Løb rundt om havnen", "Cykeltur i oplandet", "Vandretur langs klinten"}, "", "En rute for alle og suppe i mål.", "Start og mål ved {place}. Overskuddet går til livredderne.", []string{"Sport", "Udendørs"}},
			"en": {[]string{"Harbour Run", "Bike Ride into the Country", "Coastal Path Hike"}, "", "A route for everyone, and soup at the finish.", "Start and finish at {place}. Proceeds go to the lifeboats.", []string{"Sport", "Outdoor"}},
		},
	},
	{
		key: "supper", typeID: 53, categories: []int{4, 6}, kinds: []string{"center", "gallery", "cinema"},
		rhythm: single, starts: []string{"18:30", "19:00"}, minutes: 180, price: tickets, minAge: 18, flags: []int{2, 8, 12, 17, 18},
		texts: map[string]text{
			"de": {[]string{"Lange Tafel: {theme}", "Fünf Gänge aus dem Umland"}, "", "Gemeinsam essen an einem Tisch für vierzig.", "Die Küche leitet {who}. Vegetarisch und vegan auf Wunsch.", []string{"Essen", "Genuss"}},
			"da": {[]string{"Langbord: {theme}", "Fem retter fra egnen"}, "", "Fællesspisning ved et bord til fyrre.", "{who} står for køkkenet. Vegetarisk og vegansk efter ønske.", []string{"Mad", "Fællesspisning"}},
			"en": {[]string{"Long Table: {theme}", "Five Courses from Nearby"}, "", "Dinner together at one table for forty.", "{who} runs the kitchen. Vegetarian and vegan on request.", []string{"Food", "Dinner"}},
		},
	},
	{
		key: "talk", typeID: 49, alsoType: 35, categories: []int{2, 6}, kinds: []string{"center", "theatre", "library", "church"},
		rhythm: single, starts: []string{"19:00"}, minutes: 105, price: free, flags: []int{2, 4, 8, 12, 26},
		texts: map[string]text{
			"de": {[]string{"Wem gehört die Stadt?", "Gespräch am runden Tisch: {theme}"}, "Diskussion", "Vier Gäste, eine Frage und ein Mikrofon für das Publikum.", "Es moderiert {who}.", []string{"Diskussion", "Stadt"}},
			"da": {[]string{"Hvem ejer byen?", "Samtale om det runde bord: {theme}"}, "Debat", "Fire gæster, ét spørgsmål og en mikrofon til publikum.", "Ordstyrer: {who}.", []string{"Debat", "By"}},
			"en": {[]string{"Who Owns the City?", "Round Table: {theme}"}, "Discussion", "Four guests, one question and a microphone for the audience.", "Chaired by {who}.", []string{"Debate", "City"}},
		},
	},
}
