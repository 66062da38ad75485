package catalogfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/services/admin/internal/app/demo"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

const (
	org   = "01941f29-7c00-7000-8000-00000000000a"
	venue = "01941f29-7c00-7000-8000-00000000000b"
	space = "01941f29-7c00-7000-8000-00000000000c"
	event = "01941f29-7c00-7000-8000-00000000000d"
	date  = "01941f29-7c00-7000-8000-00000000000e"
)

// sound is a small catalogue in which every kind appears once.
var sound = strings.Join([]string{
	`{"kind":"region","country_slug":"danmark","state_slug":"syddanmark","region_slug":"als","name":"Als","geometry":{"type":"Polygon","coordinates":[[[9.7,54.8],[10.1,54.8],[10.1,55.1],[9.7,54.8]]]}}`,
	`{"kind":"organization","uuid":"` + org + `","name":"Møllen","country":"DNK"}`,
	`{"kind":"venue","uuid":"` + venue + `","org_uuid":"` + org + `","name":"Møllen på Als","city":"Nordborg","country":"DNK","lat":55.06,"lon":9.74,"timezone":"Europe/Copenhagen"}`,
	`{"kind":"space","uuid":"` + space + `","venue_uuid":"` + venue + `","name":"Loftet","space_type":"hall","accessibility_flags":"18446744073709551615"}`,
	`{"kind":"label","key":"weekly","names":{"en":"Tip","da":"Ugens tip"}}`,
	`{"uuid":"` + event + `","org_uuid":"` + org + `","venue_uuid":"` + venue + `","space_uuid":"` + space + `","title":"Sang & \"spil\" 🎻","languages":["da"],"tags":["Folk"],"labels":["weekly"],"event_types":[{"type_id":1,"genre_id":1010}],"price_type":"free","release_status":"released","dates":[{"uuid":"` + date + `","start_date":"2028-02-29","start_time":"00:00"}],"kind":"event"}`,
}, "\n") + "\n"

func importText(t *testing.T, db *postgres.DB, file []byte) (Counts, []string) {
	t.Helper()
	var refusals []string
	importer := Importer{Saver: editing.NewOperator(db), Report: func(r Refusal) { refusals = append(refusals, r.String()) }}
	counts, err := importer.Import(t.Context(), bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return counts, refusals
}

func exportText(t *testing.T, db *postgres.DB) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := Export(t.Context(), db, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestImportTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	first, refusals := importText(t, db, []byte(sound))
	if len(refusals) > 0 || first.Total() != (Count{Created: 6}) {
		t.Fatalf("counts %v, refusals %v", first, refusals)
	}
	rows := outboxRows(t, db)
	again, _ := importText(t, db, pack(t, sound))
	if again.Total() != (Count{Unchanged: 6}) {
		t.Errorf("counts %v", again)
	}
	if outboxRows(t, db) != rows {
		t.Error("importing again filled the outbox")
	}
	changed, _ := importText(t, db, []byte(strings.Replace(sound, "Loftet", "Kælderen", 1)))
	if changed.Total() != (Count{Unchanged: 5, Changed: 1}) {
		t.Errorf("counts %v", changed)
	}
}

func outboxRows(t *testing.T, db *postgres.DB) int {
	t.Helper()
	state, err := outbox.ReadState(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return state.Pending
}

func TestImportReportsEveryBadLine(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	lines := []struct{ line, want string }{
		{`{"kind":"organization","uuid":"` + org + `","name":"Møllen"}`, ""},
		{`not JSON`, `line 2: is not one JSON object: invalid character 'o' in literal null (expecting 'u'), at byte 2`},
		{`[]`, `line 3: must be an object`},
		{`{"uuid":"` + org + `"}`, `line 4: kind must be one of region, organization, venue, space, label, series, contributor, event, portal, list`},
		{`{"kind":"Event"}`, `line 5: kind must be one of region, organization, venue, space, label, series, contributor, event, portal, list`},
		{`{"kind":7}`, `line 6: kind must be text`},
		{`{"kind":"venue","uuid":"` + venue + `","name":5,"org_uuid":"` + org + `","colour":"red","lat":"54"}`,
			`line 7: venue ` + venue + `: name must be text; colour is not a known field; lat must be a number`},
		{`{"kind":"space","uuid":"` + space + `","uuid":"` + space + `","venue_uuid":"` + venue + `"}`,
			`line 8: space ` + space + `: uuid is given twice`},
		{`{"kind":"space","uuid":"` + space + `","venue_uuid":"` + venue + `","name":"Saal"} extra`,
			`line 9: is not one JSON object: invalid character 'e' after top-level value, at byte 130`},
		{`{"kind":"space","uuid":"` + space + `","venue_uuid":"` + event + `","name":"Saal"}`,
			`line 10: space ` + space + `: venue_uuid names no venue`},
		{`{"kind":"event","uuid":"` + event + `","org_uuid":"` + org + `","title":"x","tags":[1],"dates":[{"uuid":"` + date + `","start_date":20261120,"when":"late"}]}`,
			`line 11: event ` + event + `: tags[0] must be text; dates[0].start_date must be text; dates[0].when is not a known field`},
		{`{"kind":"event","uuid":"` + event + `","org_uuid":"` + org + `","title":"","release_status":"released","dates":[{"uuid":"x","start_date":"2026-13-01","start_time":"25:00"}]}`,
			`line 12: event ` + event + `: dates[0].uuid is not a UUIDv7; dates[0].start_date is not a date YYYY-MM-DD from 1900 to 2999; dates[0].start_time is not a time HH:MM; title is missing: a released event has one; venue_uuid is missing: a released event has a venue, an online link, or a venue for each date`},
		{``, ""},
		{"{\"kind\":\"organization\",\"uuid\":\"" + venue + "\",\"name\":\"\xff\"}", `line 14: is not valid UTF-8`},
		{`{"kind":"organization","name":"nameless"}`, `line 15: organization: uuid is missing`},
		{`{"kind":"organization","uuid":"` + venue + `","name":"` + strings.Repeat("x", MaxLine) + `"}`, `line 16: is longer than 8388608 bytes`},
		{`{"kind":"region"}`, `line 17: region: country_slug is not made of 1 to 100 of a-z, 0-9 and -; state_slug is not made of 1 to 100 of a-z, 0-9 and -; region_slug is not made of 1 to 100 of a-z, 0-9 and -; name is missing; geometry is not a GeoJSON Polygon or MultiPolygon`},
		{`{"kind":"venue","uuid":"` + venue + `","org_uuid":"` + org + `","name":"the last line counts too"}`, ""},
	}
	var file bytes.Buffer
	var want []string
	for _, l := range lines {
		fmt.Fprintln(&file, l.line)
		if l.want != "" {
			want = append(want, l.want)
		}
	}
	counts, got := importText(t, db, file.Bytes())
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			g, w := "", ""
			if i < len(got) {
				g = got[i]
			}
			if i < len(want) {
				w = want[i]
			}
			if g != w {
				t.Errorf("\n got %s\nwant %s", g, w)
			}
		}
	}
	wantCounts := Counts{
		"": {Refused: 8}, rules.KindOrganization: {Created: 1, Refused: 1}, rules.KindVenue: {Created: 1, Refused: 1},
		rules.KindSpace: {Refused: 2}, rules.KindEvent: {Refused: 2}, rules.KindRegion: {Refused: 1},
	}
	if fmt.Sprint(counts) != fmt.Sprint(wantCounts) {
		t.Errorf("counts %v, want %v", counts, wantCounts)
	}
}

// An export, imported elsewhere and exported again, has the same bytes; imported where it came from
// it changes nothing.
func TestExportImportRoundTrip(t *testing.T) {
	t.Parallel()
	here, _ := storetest.New(t)
	there, _ := storetest.New(t)
	importText(t, here, []byte(sound))
	made := demo.Generate(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	made.Events = made.Events[:200]
	catalogue := made.Entities()
	if _, err := Save(t.Context(), editing.NewOperator(here), catalogue, func(int) {}); err != nil {
		t.Fatal(err)
	}
	exported := exportText(t, here)
	if again, refusals := importText(t, here, exported); again.Total() != (Count{Unchanged: len(catalogue) + 6}) {
		t.Errorf("counts %v, refusals %v", again, refusals)
	}
	if counts, refusals := importText(t, there, exported); counts.Total() != (Count{Created: len(catalogue) + 6}) {
		t.Fatalf("counts %v, refusals %v", counts, refusals)
	}
	if !bytes.Equal(exportText(t, there), exported) {
		t.Error("the export of the import differs from what was imported")
	}
}

// TestAnOldFileTakesBackNoSale: the availability of a date follows a file that is as new as what is
// stored, or newer, and one that does not say how new it is.
func TestAnOldFileTakesBackNoSale(t *testing.T) {
	t.Parallel()
	db, _ := storetest.New(t)
	const start = `"start_date":"2028-02-29",`
	for _, step := range []struct {
		what, given, want string
		changed           int
	}{
		{"the first", `"availability":"available","availability_version":5,`, `"availability":"available","remaining_places":null,"availability_version":5`, 1},
		{"again", `"availability":"available","availability_version":5,`, `"available","remaining_places":null,"availability_version":5`, 0},
		{"an edited one", `"availability":"few_left","remaining_places":3,"availability_version":5,`, `"few_left","remaining_places":3,"availability_version":6`, 1},
		{"an old one", `"availability":"available","availability_version":5,`, `"few_left","remaining_places":3,"availability_version":6`, 0},
		{"a newer one", `"availability":"sold_out","remaining_places":0,"availability_version":9,`, `"sold_out","remaining_places":0,"availability_version":9`, 1},
		{"one that only is newer", `"availability":"sold_out","remaining_places":0,"availability_version":12,`, `"sold_out","remaining_places":0,"availability_version":12`, 1},
		{"one without a version", `"availability":"available",`, `"available","remaining_places":null,"availability_version":13`, 1},
		{"one beyond all versions", `"availability":"sold_out","availability_version":1000000000000001,`, `"available","remaining_places":null,"availability_version":13`, 0},
		{"the last version", `"availability":"sold_out","availability_version":1000000000000000,`, `"sold_out","remaining_places":null,"availability_version":1000000000000000`, 1},
		{"an edit of that", `"availability":"available","availability_version":1000000000000000,`, `"available","remaining_places":null,"availability_version":1000000000000001`, 1},
		{"an export of that", `"availability":"available","availability_version":1000000000000001,`, `"available","remaining_places":null,"availability_version":1000000000000001`, 0},
	} {
		counts, refusals := importText(t, db, []byte(strings.Replace(sound, start, start+step.given, 1)))
		if total := counts.Total(); total.Changed+min(total.Created, 1) != step.changed {
			t.Errorf("%s: %+v, %v", step.what, total, refusals)
		}
		refused := step.what == "one beyond all versions"
		if refused != (len(refusals) == 1) || refused && !strings.Contains(refusals[0], "dates[0].availability_version must be a whole number from 1 to 1000000000000000") {
			t.Errorf("%s: %v", step.what, refusals)
		}
		if got := exportText(t, db); !bytes.Contains(got, []byte(step.want)) {
			t.Errorf("%s: the export has no %s: %s", step.what, step.want, got)
		}
	}
}

// Every line of an export is one JSON object that begins with its kind.
func TestEncode(t *testing.T) {
	t.Parallel()
	line, err := encode(&rules.Organization{UUID: org, Name: `<"A" & B>`})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"kind":"organization","uuid":"` + org + `","name":"<\"A\" & B>","description":null,`; !strings.HasPrefix(string(line), want) {
		t.Errorf("line %s", line)
	}
	if !json.Valid(line) || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
		t.Errorf("line %q", line)
	}
}

// failing is a database that goes away after some batches.
type failing struct{ batches int }

var errGone = errors.New("gone")

func (f *failing) Save(_ context.Context, entities []rules.Entity) ([]editing.Result, error) {
	if f.batches--; f.batches < 0 {
		return nil, errGone
	}
	results := make([]editing.Result, len(entities))
	for i := range results {
		results[i].Outcome = editing.Created
	}
	return results, nil
}

func organizations(count int) string {
	return strings.Repeat(`{"kind":"organization","uuid":"`+org+`","name":"a"}`+"\n", count)
}

func TestImportStopsWithTheDatabase(t *testing.T) {
	t.Parallel()
	importer := Importer{Saver: &failing{batches: 2}, Report: func(r Refusal) { t.Error(r) }}
	counts, err := importer.Import(t.Context(), strings.NewReader(organizations(5*batchLines)))
	if !errors.Is(err, errGone) || !strings.Contains(err.Error(), "lines 1001 to 1500 were not saved") {
		t.Errorf("error %v", err)
	}
	if counts.Total().Created != 2*batchLines {
		t.Errorf("counts %v", counts)
	}
}

func TestImportOfABrokenFileSavesWhatCameBefore(t *testing.T) {
	t.Parallel()
	packed := pack(t, organizations(3*batchLines))
	importer := Importer{Saver: &failing{batches: 100}, Report: func(r Refusal) { t.Error(r) }}
	counts, err := importer.Import(t.Context(), bytes.NewReader(packed[:len(packed)-8]))
	if !errors.Is(err, io.ErrUnexpectedEOF) || counts.Total().Created != 3*batchLines {
		t.Errorf("counts %v, error %v", counts, err)
	}
}

// An import from a pipe that gives nothing ends with its context.
func TestImportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	importer := Importer{Saver: &failing{batches: 100}, Report: func(r Refusal) { t.Error(r) }}
	done := make(chan error)
	go func() { _, err := importer.Import(ctx, in); done <- err }()
	if _, err := io.WriteString(out, organizations(1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCountsWrite(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	counts := Counts{rules.KindEvent: {Created: 12, Refused: 1}, "": {Refused: 3}}
	if err := counts.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := `                created  changed  unchanged  refused
        region        0        0          0        0
  organization        0        0          0        0
         venue        0        0          0        0
         space        0        0          0        0
         label        0        0          0        0
        series        0        0          0        0
   contributor        0        0          0        0
         event       12        0          0        1
        portal        0        0          0        0
          list        0        0          0        0
       unknown        0        0          0        3
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}
