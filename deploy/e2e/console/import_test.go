package console

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
)

// importRows is how many events importFile has, and importRefused how many of them cannot be read.
const importRows, importRefused = 200, 5

// importFile is a programme as a spreadsheet writes it. Each refused row lacks its title or its
// day, or has a day or a time that does not exist.
func importFile() []byte {
	var file strings.Builder
	file.WriteString("Nr;Titel;Datum;Beginn;Beschreibung\r\n")
	for i := 1; i <= importRows; i++ {
		title, day, clock := fmt.Sprintf("Konzert %d", i), fmt.Sprintf("%02d.%02d.2099", i%28+1, i%12+1), "20:00"
		switch i {
		case 20:
			title = ""
		case 60:
			day = "31.02.2099"
		case 100:
			clock = "25:99"
		case 140:
			day = ""
		case 180:
			clock = "abends"
		}
		fmt.Fprintf(&file, "P%d;%s;%s;%s;Ein Abend mit Musik\r\n", i, title, day, clock)
	}
	return []byte(file.String())
}

func TestImportFile(t *testing.T) {
	good := regexp.MustCompile(`(?m)^P\d+;Konzert \d+;(0[1-9]|1\d|2[0-8])\.(0[1-9]|1[0-2])\.2099;20:00;`)
	if found := len(good.FindAllString(string(importFile()), -1)); found != importRows-importRefused {
		t.Errorf("%d good rows", found)
	}
}

// calendarFile is a calendar with three events, of which one has no beginning.
const calendarFile = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Verein//DE\r\n" +
	"BEGIN:VEVENT\r\nUID:lesung-1\r\nDTSTAMP:20990101T000000Z\r\nDTSTART:20990301T190000Z\r\nSUMMARY:Lesung 1\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nUID:lesung-2\r\nDTSTAMP:20990101T000000Z\r\nSUMMARY:Lesung 2\r\nEND:VEVENT\r\n" +
	"BEGIN:VEVENT\r\nUID:lesung-3\r\nDTSTAMP:20990101T000000Z\r\nDTSTART:20990303T190000Z\r\nSUMMARY:Lesung 3\r\nEND:VEVENT\r\n" +
	"END:VCALENDAR\r\n"

// testImport: an organizer imports a spreadsheet, and without scripts a calendar.
func (c *consoleTest) testImport(t *testing.T) {
	c.importsFile(t, "programme.csv", importFile(), "Konzert 7;", "Konzert 7 mit Chor;", true, map[string]any{
		"rows": importRows, "refused": []int{21, 61, 101, 141, 181}, "search": "Konzert", "title": "Konzert 7 mit Chor",
		"guesses":   harness.Line{"Nr": "external_id", "Titel": "title", "Datum": "start_date", "Beginn": "start_time", "Beschreibung": "description"},
		"otherwise": harness.Line{"column": "Beschreibung", "field": "summary"},
	})
	c.importsFile(t, "calendar.ics", []byte(calendarFile), "Lesung 3", "Lesung 3 im Hof", false, map[string]any{
		"rows": 3, "refused": []int{2}, "search": "Lesung", "title": "Lesung 3 im Hof", "guesses": harness.Line{"UID": "external_id", "SUMMARY": "title"}, "otherwise": nil,
	})
}

// testImportChoices: an event that was deleted here, and one that the file no longer has.
func (c *consoleTest) testImportChoices(t *testing.T) {
	owner := c.scene.editors["owner"]
	venue := harness.Line{"name": "Saal der Importe", "city": "Kiel", "lat": 54.3, "lon": 10.1}
	venue["org_uuid"] = made(owner.Write(t, http.MethodPut, "/organization", encoded(t, harness.Line{"name": "Importe mit Auswahl"})))
	owner.Write(t, http.MethodPut, "/venue", encoded(t, venue))
	org := venue["org_uuid"]
	path := fmt.Sprintf("/console/organization/%s", org)
	args := map[string]any{
		"path": path + "/import", "events": path + "/events",
		"remove": harness.Line{"address": c.URL() + "/api/admin", "token": owner.Token, "org": org, "password": harness.EditorPassword},
	}
	file := "Nr;Titel;Datum;Beginn;Ort\n1;Eins;12.03.2099;20:00;Saal der Importe\n2;Zwei;13.03.2099;20:00;Saal der Importe\n"
	elsewhere := "Nr;Titel;Datum;Beginn;Ort;Straße;PLZ;Stadt\n" +
		"1;Eins;12.03.2099;20:00;Saal der Importe;;;\n2;Zwei;13.03.2099;20:00;Saal der Importe;;;\n" +
		"4;Vier;12.03.2099;20:00;Neue Bühne;Wall 3;24103;Kiel\n5;Fünf;13.03.2099;20:00;neue bühne;;24103;Kiel\n"
	for key, content := range map[string]string{"file": file + "3;Drei;14.03.2099;20:00;Saal der Importe\n", "fewer": file, "elsewhere": elsewhere} {
		written := filepath.Join(t.TempDir(), key+".csv")
		if err := os.WriteFile(written, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		args[key] = written
	}
	j := c.journey("console-import-choices", true, args)
	j.Context["storageState"] = c.states["owner"]
	c.run(t, j)
}

// importsFile imports a file into an organization of its own, and again with one text changed.
func (c *consoleTest) importsFile(t *testing.T, name string, file []byte, before, after string, scripts bool, args map[string]any) {
	t.Helper()
	path := "/console/organization/" + made(c.scene.editors["owner"].Write(t, http.MethodPut, "/organization", encoded(t, harness.Line{"name": name})))
	args["path"], args["events"], args["source"] = path+"/import", path+"/events", "Programm "+name
	for key, content := range map[string][]byte{"file": file, "changed": bytes.Replace(file, []byte(before), []byte(after), 1)} {
		written := filepath.Join(t.TempDir(), key+"-"+name)
		if err := os.WriteFile(written, content, 0o600); err != nil {
			t.Fatal(err)
		}
		args[key] = written
	}
	j := c.journey("console-import", scripts, args)
	j.Context["storageState"] = c.states["owner"]
	c.run(t, j)
}
