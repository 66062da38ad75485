package feed

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

// tableSample are dates as an export has them, of which admin's tests read the golden files: of one
// event with all details, and of one whose texts look like formulas.
func tableSample() []Item {
	items := sample()[:5]
	details := items[4].Details
	for n := range items {
		items[n].Details = details
		items[n].PriceType, items[n].MinPrice, items[n].MaxPrice, items[n].Currency = "tiered_prices", at(12.5), at(20), "EUR"
		items[n].MinAge, items[n].MaxAge, items[n].OnlineLink = number(12), nil, "https://stream.example/jazz"
		items[n].CategoryNames, items[n].TypeNames = []string{"Kultur"}, []string{"Fest, Feier", "Konzert", "Konzert"}
		items[n].LabelNames = []string{"Tipp; der Woche"}
	}
	items[4].StartDate, items[4].EndTime = "2026-11-22", ""
	return append(items, changed("7", func(i *Item) {
		i.UUID, i.Title, i.Tags = "01920000-0000-7000-8000-0000000000c2", `=HYPERLINK("https://evil.example"); =1+1`, []string{"@SUM(A1)", "-1", "Jazz, Blues"}
		i.StartTime, i.EndDate, i.EndTime, i.VenuePostalCode, i.VenueLat = "00:00", "", "", "01067", at(-54.5)
		i.Subtitle, i.Summary, i.OrgName = "\t=1+1", "＝1+1", "+49 461"
		i.MinAge, i.MaxAge, i.PriceType = nil, number(12), "free"
		i.Details = &Details{Description: "-cmd|' /C calc'!A0"}
	}))
}

func TestTables(t *testing.T) {
	for _, format := range Formats {
		if format.Name == "csv" || format.Name == "xlsx" {
			checkGolden(t, "table", format, tableSample())
		}
	}
}

// written writes dates in a format and returns the rows that another reader finds.
func written(t *testing.T, name string, items ...Item) [][]string {
	t.Helper()
	at := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	data, err := Formats[at].Write(feedOf(t, items...))
	if err != nil {
		t.Fatal(err)
	}
	if name == "csv" {
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	var rows [][]string
	for _, row := range sheetOf(t, data).Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, c.Text+c.Value)
		}
		rows = append(rows, cells)
	}
	return rows
}

type sheet struct {
	Rows []struct {
		Cells []struct {
			Place   string  `xml:"r,attr"`
			Style   int     `xml:"s,attr"`
			Type    string  `xml:"t,attr"`
			Formula *string `xml:"f"`
			Value   string  `xml:"v"`
			Text    string  `xml:"is>t"`
		} `xml:"c"`
	} `xml:"sheetData>row"`
}

// sheetOf returns the sheet of a workbook, whose parts are all well-formed.
func sheetOf(t *testing.T, data []byte) (s sheet) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range archive.File {
		part, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		into := any(&struct{}{})
		if file.Name == sheetPart {
			into = &s
		}
		if err := xml.Unmarshal(content, into); err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
	return s
}

// TestFormulasAreInert: as text in CSV, which has no types, and in cells of text.
func TestFormulasAreInert(t *testing.T) {
	for n, row := range written(t, "csv", append(tableSample(), sample()...)...) {
		for c, cell := range row {
			for part := range strings.SplitSeq(cell, ";") {
				if strings.IndexAny(strings.TrimLeft(part, " "), formulas) == 0 && !strings.HasPrefix(columns[c].name, "venue_l") {
					t.Errorf("row %d, %s: %q", n, columns[c].name, cell)
				}
			}
		}
	}
	data, err := tabled(NewXLSX)(feedOf(t, append(tableSample(), sample()...)...))
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, row := range sheetOf(t, data).Rows {
		for _, c := range row.Cells {
			if c.Formula != nil || (c.Type != "inlineStr" && c.Type != "") || c.Type == "" && strings.Trim(c.Value, "-.0123456789") != "" {
				t.Errorf("%s: %+v", c.Place, c)
			}
			if c.Style == styleQuoted {
				marked++
			}
		}
	}
	if marked != 6 {
		t.Errorf("%d cells look like formulas", marked)
	}
}

// TestTypesOfCells: days and times are numbers as spreadsheets count them.
func TestTypesOfCells(t *testing.T) {
	for day, want := range map[string]string{"2026-12-24": "46380", "1990-01-01": "32874", "2099-12-31": "73050", "1989-12-31": "", "2100-01-01": "", "x": ""} {
		if got := serialDay(day); got != want {
			t.Errorf("%s: %s, want %s", day, got, want)
		}
	}
	for clock, want := range map[string]string{"00:00": "0", "12:00": "0.5", "20:30": "0.854166666666667", "00:01": "0.000694444444444", "x": ""} {
		if got := serialTime(clock); got != want {
			t.Errorf("%s: %s, want %s", clock, got, want)
		}
	}
	for column, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := letters(column); got != want {
			t.Errorf("%d: %s, want %s", column, got, want)
		}
	}
	old := changed("1", func(i *Item) {
		i.StartDate, i.EndDate, i.Title = "1985-05-01", "", strings.Repeat("🎷", maxCellUnits)
	})
	rows := written(t, "xlsx", old)
	if !slices.Contains(rows[1], "1985-05-01") || !slices.Contains(rows[1], strings.Repeat("🎷", maxCellUnits/2)) {
		t.Error("an early day is no text, or a long text is cut elsewhere")
	}
}

// TestTablesOfSearchesHaveNoEmptyDetails: an import would take an empty column for an empty field.
func TestTablesOfSearchesHaveNoEmptyDetails(t *testing.T) {
	for _, format := range []string{"csv", "xlsx"} {
		without, with := written(t, format, concert())[0], written(t, format, tableSample()...)[0]
		if slices.Contains(without, "description") || !slices.Contains(with, "description") || len(with)-len(without) != 5 || len(with) != len(columns) {
			t.Errorf("%s: %v without details, %v with", format, without, with)
		}
	}
}

func TestPricesAndAgesInTables(t *testing.T) {
	for want, change := range map[string]func(*Item){
		"free": func(i *Item) { i.PriceType = "free" }, "donation": func(i *Item) { i.PriceType = "donation" },
		"12.5–20 EUR": func(*Item) {}, "12.5 EUR": func(i *Item) { i.MaxPrice = nil }, "20 EUR": func(i *Item) { i.MinPrice = at(20) },
		"": func(i *Item) { i.MinPrice, i.MaxPrice, i.PriceType = nil, nil, "not_specified" },
	} {
		if i := changed("1", change); i.price() != want {
			t.Errorf("%q, want %q", i.price(), want)
		}
	}
	for want, ages := range map[string][2]*int{"6–12": {number(6), number(12)}, "6+": {number(6), nil}, "up to 12": {nil, number(12)}, "": {}} {
		i := Item{}
		if i.MinAge, i.MaxAge = ages[0], ages[1]; i.ages() != want {
			t.Errorf("%q, want %q", i.ages(), want)
		}
	}
}
