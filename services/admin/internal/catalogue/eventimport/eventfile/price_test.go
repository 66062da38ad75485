package eventfile

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestWrittenPrices(t *testing.T) {
	euro := func(low, high float64) Price { return Price{Low: low, High: high, Currency: "EUR"} }
	kroner := func(low, high float64) Price { return Price{Low: low, High: high, Currency: "DKK"} }
	for text, want := range map[string]Price{
		"12,50 €/erm. 8 €":                         euro(8, 12.5),
		"VVK 10 / AK 12":                           euro(10, 12),
		"VVK 15€, AK 18€, erm. 12€":                euro(12, 18),
		"Erw. 12 €, Kinder 6 €, Familien 25 €":     euro(6, 25),
		"Erwachsene 8 €, Kinder bis 12 Jahre frei": euro(0, 8),
		"Kinder frei, Erw. 8 €":                    euro(0, 8),
		"VVK 10 / AK 12, Mitglieder frei":          euro(0, 12),
		"Børn gratis, voksne 80 kr.":               kroner(0, 80),
		"Kinder: Eintritt frei, sonst 8 €":         euro(0, 8),
		"8 € (freie Platzwahl, barrierefrei)":      euro(8, 0),
		"Eintritt frei, Getränke 3 €":              {Free: true},
		"10 € (inkl. 1 Getränk)":                   euro(10, 0),
		"12,-":                                     euro(12, 0),
		"EUR 7.50":                                 euro(7.5, 0),
		"HUF 3500":                                 {Low: 3500, Currency: "HUF"},
		"12 RON / 8 RON":                           {Low: 8, High: 12, Currency: "RON"},
		"10 VVK, 12 AK":                            euro(10, 12),
		"1.200 kr.":                                kroner(1200, 0),
		"1 200 kr":                                 kroner(1200, 0),
		"kr. 80 / 50 for børn under 12 år":         kroner(50, 80),
		"frei":                                     {Free: true},
		"Freier Eintritt!":                         {Free: true},
		"Fri entré":                                {Free: true},
		"Ingen entré":                              {Free: true},
		"0,00 €":                                   {Free: true},
		"Eintritt frei, Spenden erbeten":           {Donation: true},
		"Hutkasse":                                 {Donation: true},
	} {
		if got, ok := ReadPrice(text); !ok || got != want {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"auf Anfrage", "siehe Aushang", "Tickets unter 0431 123456"} {
		if got, ok := ReadPrice(text); ok {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

func TestWrittenAges(t *testing.T) {
	for text, want := range map[string][2]int{
		"ab 6 J.": {6, -1}, "6+": {6, -1}, "FSK 16": {16, -1}, "6-12 Jahre": {6, 12}, "fra 3 år": {3, -1}, "ab 18 Monaten": {1, -1},
		"ab 1,5 Jahren": {1, -1}, "bis 12": {-1, 12}, "Kinder bis 10 Jahre": {-1, 10}, "op til 12 år": {-1, 12}, "U18": {-1, 18},
		"12 and under": {-1, 12}, "Ü30": {30, -1}, "alle": {-1, -1}, "ohne Altersbeschränkung": {-1, -1},
	} {
		if low, high, ok := ReadAges(text); !ok || low != want[0] || high != want[1] {
			t.Errorf("%q: got %d, %d, %v, want %v", text, low, high, ok, want)
		}
	}
	for _, text := range []string{"Familien", "ab 6 Jahren, empfohlen ab 8"} {
		if low, high, ok := ReadAges(text); ok {
			t.Errorf("%q is read as %d, %d", text, low, high)
		}
	}
}

// TestFilesOfAssociations: the columns of files as associations and their programs write them.
func TestFilesOfAssociations(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"German, one column for the address": {
			"Veranstaltung;Wann;Wo;Straße/Hausnr.;PLZ/Ort;Eintritt (€);Altersempfehlung;Veranstaltungstyp;Internetseite;Plakat\n" +
				"Müllers Bühne;24.12.2026 20:00;Speicher;Am Hafen 1;24103 Kiel;12,50/8;ab 6 J.;Konzert;https://example.org;https://example.org/a.jpg\n",
			"Müllers Bühne|2026-12-24T20:00|{Speicher Am Hafen 1 24103 Kiel}|12,50/8 EUR|ab 6 J.|Konzert|https://example.org|https://example.org/a.jpg",
		},
		"German Outlook": {
			"\"Betreff\",\"Beginnt am\",\"Beginnt um\",\"Endet am\",\"Endet um\",\"Ort\",\"Kategorien\"\n" +
				"\"Jahresfeier\",\"24.12.2026\",\"19:00:00\",\"24.12.2026\",\"22:00:00\",\"Saal, Am Hafen 1, 24103 Kiel, Deutschland\",\"Fest\"\n",
			"Jahresfeier|2026-12-24T19:00|{Saal Am Hafen 1 24103 Kiel}|||||",
		},
		"English Outlook": {
			"Subject,Start Date,Start Time,End Date,End Time,Location\nParty,24/12/2026,7:00:00 PM,24/12/2026,10:00:00 PM,Hall\n",
			"Party|2026-12-24T19:00|{Hall    }|||||",
		},
		"Danish Outlook": {
			"Emne;Startdato;Starttidspunkt;Slutdato;Sluttidspunkt;Sted;Pris\nFest;24-12-2026;19.00;24-12-2026;22.00;Huset;80\n",
			"Fest|2026-12-24T19:00|{Huset    }|80 DKK||||",
		},
		"Danish": {
			"Hvad;Hvornår;Hvor;Adresse;Postnr. og by;Billetpris (kr.);Aldersgruppe;Læs mere\n" +
				"Kor;24.12.2026;Huset;Havnegade 1;8000 Aarhus C;100;fra 3 år;https://example.org\n",
			"Kor|2026-12-24|{Huset Havnegade 1 8000 Aarhus C}|100 DKK|fra 3 år||https://example.org|",
		},
		"Swiss":                       {"Titel;Datum (TT.MM.JJJJ);Preis CHF\nChor;24.12.2026;20\n", "Chor|2026-12-24|{    }|20 CHF||||"},
		"an advance sale with prices": {"Titel;Datum;Vorverkauf\nChor;24.12.2026;8 €\nJazz;24.12.2026;frei\n", "Chor|2026-12-24|{    }|8 €||||"},
		"an address of two lines": {
			"Titel;Datum;Ort;Adresse\nChor;24.12.2026;Saal;\"Am Hafen 1\n24103 Kiel\"\n", "Chor|2026-12-24|{Saal Am Hafen 1 24103 Kiel}|||||",
		},
		"prices in advance, at the door and reduced": {
			"Tag;Was;Wo;VVK (EUR);AK;erm.\n24.12.2026;Chor;Saal;10;12 €;8\n25.12.2026;Jazz;Saal;10;;frei\n", "Chor|2026-12-24|{Saal    }|10 EUR / 12 € / 8||||",
		},
		"prices for some": {"Titel;Datum;Erwachsene;Kinder\nChor;24.12.2026;8;frei\n", "Chor|2026-12-24|{    }|8 / frei||||"},
		"ages for some":   {"Titel;Datum;Kinder\nChor;24.12.2026;ja\n", "Chor|2026-12-24|{    }|||||"},
		"a title above": {
			"Programm 2026;;;\n;;;\nTitel;Datum;Beginn;Ort\nChor;24.12.2026;20:00;Saal\n", "Chor|2026-12-24T20:00|{Saal    }|||||",
		},
		"an old Mac":      {"Titel;Datum;Ort\rChor;24.12.2026;Saal\rJazz;25.12.2026;Saal\r", "Chor|2026-12-24|{Saal    }|||||"},
		"only an address": {"Titel;Datum;Adresse\nChor;24.12.2026;\"Am Hafen 1, 24103 Kiel\"\n", "Chor|2026-12-24|{Am Hafen 1 Am Hafen 1 24103 Kiel}|||||"},
		"English": {
			"Event,Date,Time,Venue,Street Address,Zip/City,Entry Fee,Age Group,Event Link,Photo URL\n" +
				"Choir,2026-12-24,8 pm,Hall,12 High Street,24103 Kiel,£5,6+,https://example.org,https://example.org/a.jpg\n",
			"Choir|2026-12-24T20:00|{Hall High Street 12 24103 Kiel}|£5|6+||https://example.org|https://example.org/a.jpg",
		},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := charmap.Windows1252.NewEncoder().Bytes([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			file, err := Read(t.Context(), data, Options{})
			if err != nil || len(file.Events) == 0 || len(file.Events[0].Reasons) > 0 || len(file.Events[0].Dates) == 0 {
				t.Fatalf("%v, %+v", err, file)
			}
			e := file.Events[0]
			p := PlaceOf(e.Values)
			place := "{" + strings.Join([]string{p.Name, p.Street, p.HouseNumber, p.PostalCode, p.City}, " ") + "}"
			got := strings.Join([]string{
				e.Values[FieldTitle], e.Dates[0].Start.String(), place, e.Values[FieldPrice], e.Values[FieldAge], e.Values[FieldKind],
				e.Values[FieldSourceLink], e.Values[FieldImage],
			}, "|")
			if strings.ReplaceAll(got, " }", "}") != strings.ReplaceAll(c.want, " }", "}") {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
