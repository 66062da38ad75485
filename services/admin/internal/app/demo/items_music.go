package demo

// text is the text of a programme item in one language.
type text struct {
	titles   []string
	subtitle string
	summary  string
	about    string
	tags     []string
}

// item is a kind of event with its usual properties.
type item struct {
	key        string
	typeID     int
	genres     []int // one of them is taken; none: no genre
	alsoType   int   // a second type, without genre; 0: none
	categories []int
	kinds      []string // of places where it happens
	rhythm     rhythm
	starts     []string // times of day
	minutes    int
	price      price
	minAge     int // 0: none
	maxAge     int // 0: none
	flags      []int
	texts      map[string]text
}

var stageItems = []item{
	{
		key: "jazz", typeID: 1, genres: []int{1003, 1009, 1015}, categories: []int{1}, kinds: []string{"club", "center", "library"},
		rhythm: weekly, starts: []string{"19:30", "20:00", "20:30"}, minutes: 120, price: tickets, flags: []int{2, 8, 12},
		texts: map[string]text{
			"de": {[]string{"Jazz am Donnerstag: {act}", "Jazzkeller mit {act}", "{act} – {theme}"}, "Jazz aus dem Norden", "Ein Abend mit *{act}*, zwischen Standards und eigenen Stücken.", "{act} spielen Jazz, der zuhört: leise Balladen, lange Bögen, ein Schlagzeug, das lieber flüstert als ruft.", []string{"Jazz", "Live", "Konzert"}},
			"da": {[]string{"Jazz i kælderen: {act}", "Torsdagsjazz med {act}", "{act} – {theme}"}, "Jazz fra nord", "En aften med *{act}* mellem standards og egne numre.", "{act} spiller jazz, der lytter: stille ballader, lange linjer og et trommesæt, der hellere hvisker end råber.", []string{"Jazz", "Live", "Koncert"}},
			"en": {[]string{"Late Jazz: {act}", "Jazz Cellar with {act}", "{act} – {theme}"}, "Jazz from the north", "An evening with *{act}*, between standards and their own tunes.", "{act} play jazz that listens: quiet ballads, long lines, and drums that would rather whisper than shout.", []string{"Jazz", "Live music"}},
		},
	},
	{
		key: "indie", typeID: 1, genres: []int{1017, 1018, 1002, 1011, 1014}, categories: []int{1, 4}, kinds: []string{"club"},
		rhythm: single, starts: []string{"19:00", "20:00", "21:00"}, minutes: 150, price: tickets, minAge: 16, flags: []int{2, 8, 35},
		texts: map[string]text{
			"de": {[]string{"{act} live", "{act} + Gäste", "Plattenpremiere: {act}"}, "Tour „{theme}“", "*{act}* kommen mit neuem Album nach {city}.", "Gitarren, Synthesizer und Texte, die man erst auf dem Heimweg versteht. Im Vorprogramm spielt eine Band aus der Stadt.", []string{"Indie", "Live", "Konzert"}},
			"da": {[]string{"{act} live", "{act} + gæster", "Albumkoncert: {act}"}, "Turné »{theme}«", "*{act}* kommer til {city} med nyt album.", "Guitarer, synthesizere og tekster, man først forstår på vej hjem. Et lokalt band varmer op.", []string{"Indie", "Live", "Koncert"}},
			"en": {[]string{"{act} live", "{act} + support", "Album launch: {act}"}, "“{theme}” tour", "*{act}* bring their new album to {city}.", "Guitars, synthesizers and lyrics that only make sense on the way home. A local band opens the night.", []string{"Indie", "Live music"}},
		},
	},
	{
		key: "chamber", typeID: 1, genres: []int{1032, 1013, 1031}, categories: []int{1}, kinds: []string{"church", "library", "theatre"},
		rhythm: single, starts: []string{"17:00", "18:00", "19:30"}, minutes: 100, price: tickets, flags: []int{4, 8, 12},
		texts: map[string]text{
			"de": {[]string{"Kammerkonzert: {theme}", "{act} spielt Brahms", "Streichquartette im Kerzenschein"}, "Kammermusik", "Ein Programm von Schubert bis heute, gespielt von *{act}*.", "Vor der Pause ein Quartett, danach ein neues Werk, das eigens für diesen Raum geschrieben wurde.", []string{"Klassik", "Kammermusik"}},
			"da": {[]string{"Kammerkoncert: {theme}", "{act} spiller Nielsen", "Strygekvartetter ved stearinlys"}, "Kammermusik", "Et program fra Schubert til i dag med *{act}*.", "Først en kvartet, efter pausen et nyt værk, der er skrevet til netop dette rum.", []string{"Klassisk", "Kammermusik"}},
			"en": {[]string{"Chamber Concert: {theme}", "{act} play Schubert", "String Quartets by Candlelight"}, "Chamber music", "A programme from Schubert to today, played by *{act}*.", "A quartet before the interval, then a new work written for this very room.", []string{"Classical", "Chamber music"}},
		},
	},
	{
		key: "organ", typeID: 1, genres: []int{1033}, alsoType: 31, categories: []int{1, 6}, kinds: []string{"church"},
		rhythm: weekly, starts: []string{"12:00", "18:00"}, minutes: 45, price: donation, flags: []int{0, 4, 8, 12},
		texts: map[string]text{
			"de": {[]string{"Orgel zur Marktzeit", "Orgelvesper: {theme}"}, "", "Eine Dreiviertelstunde Orgelmusik, *Eintritt frei*, Spende erbeten.", "An der großen Orgel: {who}. Danach Führung auf die Empore.", []string{"Orgel", "Klassik"}},
			"da": {[]string{"Orgel ved middagstid", "Orgelaften: {theme}"}, "", "Tre kvarters orgelmusik, *gratis adgang*, bidrag modtages.", "Ved orglet: {who}. Bagefter er der rundvisning på pulpituret.", []string{"Orgel", "Klassisk"}},
			"en": {[]string{"Lunchtime Organ", "Organ Vespers: {theme}"}, "", "Three quarters of an hour of organ music, *free entry*, donations welcome.", "At the organ: {who}. A tour of the loft follows.", []string{"Organ", "Classical"}},
		},
	},
	{
		key: "party", typeID: 3, genres: []int{3004, 3006, 3008, 3010, 3011}, categories: []int{4}, kinds: []string{"club"},
		rhythm: nights, starts: []string{"22:00", "23:00"}, minutes: 360, price: door, minAge: 18, flags: []int{3, 8, 28, 35, 36},
		texts: map[string]text{
			"de": {[]string{"Tanz bis zur ersten Bahn", "Disko im Speicher", "Kopfhörerparty: drei Kanäle, eine Nacht"}, "", "Tanzen bis in den Morgen, mit Plattenspielern und ohne Eile.", "Auflegen werden {act} und Freunde. Das Awareness-Team ist die ganze Nacht ansprechbar.", []string{"Party", "Tanzen", "Nachtleben"}},
			"da": {[]string{"Dans til første bus", "Disko i pakhuset", "Silent disco: tre kanaler, én nat"}, "", "Dans til den lyse morgen, med pladespillere og god tid.", "{act} og venner spiller plader. Awareness-teamet er til stede hele natten.", []string{"Fest", "Dans", "Natteliv"}},
			"en": {[]string{"Dance Till the First Bus", "Disco Downstairs", "Silent Disco: three channels, one night"}, "", "Dancing into the morning, with turntables and no hurry.", "{act} and friends play records. The awareness team is around all night.", []string{"Party", "Dancing", "Nightlife"}},
		},
	},
	{
		key: "drama", typeID: 2, genres: []int{2004, 2006, 2010, 2023}, categories: []int{1}, kinds: []string{"theatre"},
		rhythm: run, starts: []string{"19:00", "19:30", "20:00"}, minutes: 140, price: tickets, minAge: 12, flags: []int{2, 8, 12},
		texts: map[string]text{
			"de": {[]string{"{theme}", "Der Besuch im Leuchtturm", "Nora oder ein Küchentisch"}, "Schauspiel nach {who}", "Drei Menschen, ein Haus am Wasser und *eine* Wahrheit zu viel.", "Regie führt {who}. Das Stück dauert gut zwei Stunden mit Pause, nach der Premiere gibt es ein Gespräch mit dem Ensemble.", []string{"Theater", "Schauspiel"}},
			"da": {[]string{"{theme}", "Besøget i fyrtårnet", "Nora ved køkkenbordet"}, "Skuespil efter {who}", "Tre mennesker, et hus ved vandet og *én* sandhed for meget.", "Instruktion: {who}. Stykket varer godt to timer med pause, og efter premieren taler vi med holdet.", []string{"Teater", "Skuespil"}},
			"en": {[]string{"{theme}", "The Lighthouse Visit", "Nora, or a Kitchen Table"}, "A play after {who}", "Three people, a house by the water and *one* truth too many.", "Directed by {who}. A little over two hours with an interval; a talk with the company follows the first night.", []string{"Theatre", "Drama"}},
		},
	},
	{
		key: "improv", typeID: 2, genres: []int{2012}, alsoType: 4, categories: []int{1, 4}, kinds: []string{"theatre", "center"},
		rhythm: weekly, starts: []string{"20:00"}, minutes: 90, price: door, flags: []int{2, 8, 18},
		texts: map[string]text{
			"de": {[]string{"Improtheater: Sag ein Wort!", "Alles aus dem Stegreif"}, "", "Das Publikum ruft, das Ensemble spielt: kein Abend gleicht dem anderen.", "Wer mag, wirft vor Beginn einen Zettel in den Hut.", []string{"Improtheater", "Comedy"}},
			"da": {[]string{"Improteater: Sig et ord!", "Alt på stående fod"}, "", "Publikum råber, holdet spiller: ingen aften ligner en anden.", "Læg gerne en seddel i hatten, før vi begynder.", []string{"Improteater", "Comedy"}},
			"en": {[]string{"Improv: Give Us a Word!", "Made Up on the Spot"}, "", "You shout, they play: no two nights are the same.", "Drop a note in the hat before we start.", []string{"Improv", "Comedy"}},
		},
	},
	{
		key: "standup", typeID: 4, genres: []int{4001, 4002}, categories: []int{1, 4}, kinds: []string{"club", "theatre"},
		rhythm: single, starts: []string{"19:30", "20:00"}, minutes: 110, price: tickets, minAge: 16, flags: []int{2, 8},
		texts: map[string]text{
			"de": {[]string{"{who}: Ich wollte nur kurz", "Stand-up in {city}", "{who} liest aus der Hausordnung"}, "Soloprogramm", "Ein Abend über Nachbarn, Fahrräder und das *richtige* Mülltrennen.", "{who} erzählt, was passiert, wenn man einmal im Leben zu früh kommt.", []string{"Comedy", "Kabarett"}},
			"da": {[]string{"{who}: Jeg ville bare lige", "Stand-up i {city}", "{who} læser husordenen højt"}, "Soloshow", "En aften om naboer, cykler og *korrekt* affaldssortering.", "{who} fortæller, hvad der sker, når man én gang i livet kommer for tidligt.", []string{"Comedy", "Stand-up"}},
			"en": {[]string{"{who}: I Only Came In For Milk", "Stand-up in {city}", "{who} Reads the House Rules"}, "Solo show", "An evening about neighbours, bicycles and the *right* way to sort your rubbish.", "{who} explains what happens if you are early once in your life.", []string{"Comedy", "Stand-up"}},
		},
	},
	{
		key: "dance", typeID: 10, genres: []int{10002, 10004}, categories: []int{1}, kinds: []string{"theatre"},
		rhythm: run, starts: []string{"19:30"}, minutes: 75, price: tickets, flags: []int{2, 8, 12},
		texts: map[string]text{
			"de": {[]string{"{theme} – ein Tanzabend", "Körper im Gegenlicht"}, "Zeitgenössischer Tanz", "Sechs Tänzerinnen und Tänzer, ein leerer Raum, viel Wind.", "Choreografie: {who}. Musik live von {act}.", []string{"Tanz", "Performance"}},
			"da": {[]string{"{theme} – en danseforestilling", "Kroppe i modlys"}, "Nutidig dans", "Seks dansere, et tomt rum og megen vind.", "Koreografi: {who}. Musik live af {act}.", []string{"Dans", "Performance"}},
			"en": {[]string{"{theme} – an evening of dance", "Bodies Against the Light"}, "Contemporary dance", "Six dancers, an empty room and plenty of wind.", "Choreography: {who}. Live music by {act}.", []string{"Dance", "Performance"}},
		},
	},
	{
		key: "puppets", typeID: 5, genres: []int{5001, 5002, 5010}, alsoType: 43, categories: []int{1, 5}, kinds: []string{"theatre", "center", "library"},
		rhythm: weekly, starts: []string{"11:00", "15:00", "16:00"}, minutes: 50, price: cheap, minAge: 4, maxAge: 10, flags: []int{0, 1, 8, 12, 20},
		texts: map[string]text{
			"de": {[]string{"Der Fuchs, der das Meer sehen wollte", "Kasper und die gestohlene Ampel"}, "Puppentheater ab 4", "Ein Stück mit Figuren aus Holz und Filz für Kinder ab vier.", "Nach der Vorstellung dürfen alle hinter die Bühne schauen.", []string{"Kinder", "Puppentheater", "Familie"}},
			"da": {[]string{"Ræven, der ville se havet", "Mester Jakel og det stjålne lyskryds"}, "Dukketeater fra 4 år", "Et stykke med figurer af træ og filt for børn fra fire år.", "Efter forestillingen må alle se bag scenen.", []string{"Børn", "Dukketeater", "Familie"}},
			"en": {[]string{"The Fox Who Wanted to See the Sea", "Who Stole the Traffic Light?"}, "Puppets from age 4", "A play with figures of wood and felt for children from four.", "Everyone may look behind the stage after the show.", []string{"Kids", "Puppets", "Family"}},
		},
	},
}
