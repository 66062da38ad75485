package eventfile

import (
	"fmt"
	"os"
	"testing"
)

// TestReadsWhatThePublicSearchExports reads the tables that the query service's own tests compare
// its feeds with: every column of a field is recognized, no other one is, and CSV and spreadsheet
// say the same.
func TestReadsWhatThePublicSearchExports(t *testing.T) {
	want := []string{
		"2026-11-20T19:30–2026-11-21T01:00 released Kulturhalle", "2028-02-28–2028-02-29 released ",
		"2026-07-01T19:30 cancelled Kulturhalle", "2026-10-30T10:00–2027-01-02 deferred Kulturhalle",
		"2026-11-22T19:30 rescheduled Kulturhalle",
	}
	for _, format := range []string{"csv", "xlsx"} {
		data, err := os.ReadFile("../../../../../query/internal/feed/testdata/table." + format)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Read(t.Context(), data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		left := []string{}
		for _, c := range file.Columns {
			switch {
			case c.Field == "":
				left = append(left, c.Name)
			case c.Field != c.Name || c.GuessedBy != ByHeader:
				t.Errorf("%s: the column %s is %s by its %s", format, c.Name, c.Field, c.GuessedBy)
			}
		}
		if fmt.Sprint(left) != "[labels org_name venue_country venue_timezone venue_lat venue_lon page_url text_language date_uuid]" {
			t.Errorf("%s: not read are %v", format, left)
		}
		if len(file.Events) != 2 || len(file.Events[0].Reasons)+len(file.Events[1].Reasons) > 0 {
			t.Fatalf("%s: %+v", format, file.Events)
		}
		first, formula := file.Events[0], file.Events[1]
		for n, d := range first.Dates {
			end := ""
			if d.End.Day != "" {
				end = "–" + d.End.String()
			}
			if got := d.Start.String() + end + " " + d.Values[FieldStatus] + " " + d.Values[FieldVenue]; got != want[n] {
				t.Errorf("%s: %q, want %q", format, got, want[n])
			}
			if _, ok := ReadStatus(d.Values[FieldStatus]); !ok {
				t.Errorf("%s: the status %s is unknown", format, d.Values[FieldStatus])
			}
		}
		if price, ok := ReadPrice(first.Values[FieldPrice]); !ok || price != (Price{Low: 12.5, High: 20, Currency: "EUR"}) {
			t.Errorf("%s: the price is %+v", format, price)
		}
		if low, high, ok := ReadAges(first.Values[FieldAge]); !ok || low != 12 || high != -1 {
			t.Errorf("%s: the ages are %d to %d", format, low, high)
		}
		if got := first.Values[FieldDescription]; got != "Sechs Bands.\n\n- Einlass eine Stunde vorher" {
			t.Errorf("%s: the description is %q", format, got)
		}
		if d := formula.Dates[0]; formula.Values[FieldTitle] != `=HYPERLINK("https://evil.example"); =1+1` || d.Start.String() != "2026-11-20T00:00" ||
			formula.Values[FieldDescription] != "-cmd|' /C calc'!A0" || formula.Values[FieldTags] != "@SUM(A1); -1; Jazz, Blues" || d.Values[FieldPostalCode] != "01067" {
			t.Errorf("%s: %v %v", format, formula.Values, d)
		}
	}
}
