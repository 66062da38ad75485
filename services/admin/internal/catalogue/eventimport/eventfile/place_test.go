package eventfile

import "testing"

func TestPlaceOf(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		values map[string]string
		want   Place
	}{
		"only a name":      {map[string]string{FieldVenue: " Alte  Mühle "}, Place{Name: "Alte Mühle"}},
		"columns":          {map[string]string{FieldVenue: "Saal, Foyer", FieldStreet: "Wall 12 a", FieldCity: "24103 Kiel"}, Place{"Saal, Foyer", "Wall", "12 a", "24103", "Kiel"}},
		"a number apart":   {map[string]string{FieldVenue: "Saal", FieldStreet: "Straße des 17. Juni 1", FieldHouseNumber: "2"}, Place{"Saal", "Straße des 17. Juni 1", "2", "", ""}},
		"a line":           {map[string]string{FieldVenue: "Speicher, Am Hafen 1-3, D-24103 Kiel, Deutschland"}, Place{"Speicher", "Am Hafen", "1-3", "24103", "Kiel"}},
		"a town only":      {map[string]string{FieldVenue: "Rathaus, Husum"}, Place{Name: "Rathaus", City: "Husum"}},
		"an address":       {map[string]string{FieldVenue: "Hus", FieldStreet: "Havnegade 5, 1058 København K"}, Place{"Hus", "Havnegade", "5", "1058", "København K"}},
		"a number before":  {map[string]string{FieldVenue: "Atelier", FieldStreet: "77 bis rue de Charonne, 75011", FieldPostalCode: "75011"}, Place{"Atelier", "rue de Charonne", "77 bis", "75011", ""}},
		"a comma between":  {map[string]string{FieldVenue: "Métro", FieldStreet: "51, Boulevard Blanqui", FieldCity: "Paris"}, Place{"Métro", "Boulevard Blanqui", "51", "", "Paris"}},
		"a yard":           {map[string]string{FieldVenue: "Hof", FieldStreet: "Wall 3, Hinterhaus", FieldCity: "Kiel"}, Place{"Hof", "Wall, Hinterhaus", "3", "", "Kiel"}},
		"no name":          {map[string]string{FieldStreet: "Am Hafen 1, 24103 Kiel"}, Place{"Am Hafen 1", "Am Hafen", "1", "24103", "Kiel"}},
		"an address first": {map[string]string{FieldVenue: "Am Hafen 1, 24103 Kiel, Deutschland"}, Place{"Am Hafen 1", "Am Hafen", "1", "24103", "Kiel"}},
		"Outlook":          {map[string]string{FieldVenue: "Saal; Am Hafen 1; 24103 Kiel"}, Place{"Saal", "Am Hafen", "1", "24103", "Kiel"}},
		"nothing":          {map[string]string{}, Place{}},
		"commas only":      {map[string]string{FieldVenue: ",,,"}, Place{}},
		"no house, a year": {map[string]string{FieldVenue: "Saal", FieldStreet: "1848"}, Place{Name: "Saal", Street: "1848"}},
	} {
		if got := PlaceOf(test.values); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

// TestTownsAndVenues: Ort is the venue, unless another column is.
func TestTownsAndVenues(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"Ort": FieldVenue, "Ort;Spielort": FieldCity, "Spielort;Ort": FieldCity, "Ort;PLZ": FieldVenue} {
		file, err := Read(t.Context(), []byte("Titel;Datum;"+header+"\nJazz;24.12.2026;x;y\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range file.Columns {
			if c.Name == "Ort" && c.Field != want {
				t.Errorf("%s: Ort is %q, want %q", header, c.Field, want)
			}
		}
	}
}
