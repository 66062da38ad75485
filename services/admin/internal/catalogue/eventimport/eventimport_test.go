package eventimport

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/pkg/contracts/video"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// house is a service with an organization that has a venue, and a stranger's.
type house struct {
	*testing.T
	db             *postgres.DB
	service        *Service
	org, foreign   string
	hall           string // a venue of the organization
	owner          context.Context
	ownersOfOthers context.Context
}

// begin is when the clock of a house stands still: before the dates of all files.
var begin = time.Date(2026, time.November, 2, 6, 0, 0, 0, time.UTC)

func newHouse(t *testing.T) *house {
	t.Helper()
	db, _ := storetest.New(t)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	clock := authtest.ClockAt(begin)
	editor := editing.New(editing.Options{
		DB: db, Limiter: auth.NewLimiter(db, clock.Now), Now: clock.Now, Zone: zone, VideoHosts: video.Hosts{"youtu.be"},
	})
	blobs, err := blob.Open(t.Context(), "file://"+filepath.ToSlash(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{T: t, db: db, org: authtest.Organization(t, db, "Kulturhaus"), foreign: authtest.Organization(t, db, "Jazzclub")}
	h.service = New(Options{
		DB: db, Editor: editor, Overview: overview.New(overview.Options{DB: db, Now: clock.Now, Zone: zone}), Now: clock.Now, Zone: zone,
		Images: editing.NewImages(editing.ImageOptions{Editor: editor, Blobs: blobs, Budget: imaging.NewBudget(64 << 20), Log: slog.New(slog.DiscardHandler)}),
		Remote: remote.New(remote.Config{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}),
	})
	h.owner, h.ownersOfOthers = h.member(h.org, permission.All), h.member(h.foreign, permission.All)
	h.hall = h.venue(h.owner, h.org, "Großer Saal", "")
	h.venue(h.ownersOfOthers, h.foreign, "Scheune", "Europe/London")
	return h
}

// member returns the context of a new member of an organization.
func (h *house) member(org string, set permission.Set) context.Context {
	h.Helper()
	id := authtest.User(h.T, h.db, fmt.Sprintf("%d-%s@example.org", set, org))
	authtest.Member(h.T, h.db, org, id, set)
	return auth.WithPrincipal(h.Context(), auth.Principal{UserID: id, SessionID: "a login"})
}

func (h *house) venue(ctx context.Context, org, name, zone string) string {
	h.Helper()
	created, err := h.service.Editor.CreateVenue(ctx, &rules.Venue{OrgUUID: org, Name: name, Timezone: value.Text(zone)})
	if err != nil {
		h.Fatal(err)
	}
	return created.Answer.UUID
}

// run imports a file and returns the report.
func (h *house) run(ctx context.Context, body adminapi.ImportBody) adminapi.ImportReport {
	h.Helper()
	report, err := h.service.Import(ctx, h.org, body)
	if err != nil {
		h.Fatal(err)
	}
	if !report.Complete {
		h.Fatal("the import is not complete")
	}
	return report
}

// imported is run for a file that is to be written.
func (h *house) imported(content string) adminapi.ImportReport {
	h.Helper()
	return h.run(h.owner, adminapi.ImportBody{Content: content, DryRun: new(bool)})
}

func (h *house) wantCounts(what string, report adminapi.ImportReport, want adminapi.ImportCounts) {
	h.Helper()
	if report.Counts != want {
		h.Fatalf("%s: got %+v, want %+v; %+v", what, report.Counts, want, report.Events)
	}
}

// event returns an event as it is stored.
func (h *house) event(uuid value.Text) *rules.Event {
	h.Helper()
	found, err := h.service.Editor.Event(h.owner, string(uuid))
	if err != nil {
		h.Fatal(err)
	}
	return found.Answer.Event
}

func (h *house) edit(uuid value.Text, edit func(*rules.Event)) {
	h.Helper()
	_, err := h.service.Editor.UpdateEvent(h.owner, editing.Target{Key: string(uuid)}, func(e *rules.Event) error {
		edit(e)
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
}

// rows counts the rows that an import could write.
func (h *house) rows() string {
	h.Helper()
	const count = `
SELECT concat_ws(
    ' ', (SELECT count(*) FROM event), (SELECT count(*) FROM event_date), (SELECT count(*) FROM audit_entry),
    (SELECT count(*) FROM outbox), (SELECT count(*) FROM imported_event), (SELECT sum(version) FROM event)
)`
	var counts string
	if err := h.db.QueryRow(h.Context(), count).Scan(&counts); err != nil {
		h.Fatal(err)
	}
	return counts
}

// programme is a file of so many events, five of them bad from 200 on.
func programme(events int) string {
	var text strings.Builder
	text.WriteString("ID;Titel;Datum;Beginn;Ort;Beschreibung\n")
	for i := range events {
		day, clock, place := fmt.Sprintf("%02d.%02d.2027", i%28+1, i%12+1), "20:00", "Großer Saal"
		switch i {
		case 10:
			day = "31.02.2027"
		case 50:
			clock = "26:00"
		case 90:
			place = "Mond"
		case 130:
			day = ""
		}
		title := fmt.Sprintf("Konzert %d", i)
		if i == 170 {
			title = ""
		}
		fmt.Fprintf(&text, "%d;%s;%s;%s;%s;Text\n", i, title, day, clock, place)
	}
	return text.String()
}

func TestImportsAProgramme(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	file := programme(200)
	before := h.rows()
	want := adminapi.ImportCounts{Rows: 200, Create: 195, Refuse: 5}
	h.wantCounts("dry run", h.run(h.owner, adminapi.ImportBody{Content: file}), want)
	if after := h.rows(); after != before {
		t.Fatalf("a dry run has written: %s, before %s", after, before)
	}
	report := h.imported(file)
	h.wantCounts("import", report, want)
	for number, field := range map[int]string{12: "start_date", 52: "start_time", 92: "venue", 132: "start_date", 172: "title"} {
		refused := report.Events[number-2]
		if refused.Number != number || refused.Action != adminapi.ImportRefuse || refused.Reasons[0].Field != field || refused.Reasons[0].Row != number {
			t.Errorf("row %d: %+v", number, refused)
		}
	}
	first := h.event(report.Events[0].EventUUID)
	if first.Title != "Konzert 0" || first.Dates[0].StartDate != "2027-01-01" || first.Dates[0].StartTime != "20:00" ||
		string(first.VenueUUID) != h.hall || first.ReleaseStatus != rules.StatusDraft {
		t.Errorf("first: %+v", first)
	}
	written := h.rows()
	want = adminapi.ImportCounts{Rows: 200, Unchanged: 195, Refuse: 5}
	h.wantCounts("again", h.imported(file), want)
	h.wantCounts("again, overwriting", h.run(h.owner, adminapi.ImportBody{Content: file, DryRun: new(bool), Overwrite: true}), want)
	if after := h.rows(); after != written {
		t.Errorf("an import of the same has written: %s, before %s", after, written)
	}
}

func TestAnImportChangesWhatTheFileChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const head = "ID;Titel;Datum;Beginn;Untertitel\n"
	uuid := h.imported(head + "1;Jazz;24.12.2026;20:00;mit Gast\n2;Chor;25.12.2026;20:00;\n").Events[0].EventUUID
	date := h.event(uuid).Dates[0].UUID
	h.edit(uuid, func(e *rules.Event) { e.Summary, e.Subtitle = "Ein Abend", "ohne Gast" })

	report := h.imported(head + "1;Jazz im Saal;26.12.2026;21:00;mit Gast\n")
	h.wantCounts("changed", report, adminapi.ImportCounts{Rows: 1, Update: 1, Edited: 1, Missing: 1})
	e := h.event(uuid)
	if e.Title != "Jazz im Saal" || e.Summary != "Ein Abend" || e.Subtitle != "ohne Gast" ||
		len(e.Dates) != 1 || e.Dates[0].UUID != date || e.Dates[0].StartDate != "2026-12-26" || e.Dates[0].StartTime != "21:00" {
		t.Errorf("got %+v", e)
	}
	if kept := report.Events[0].Kept[0]; kept != (adminapi.ImportChange{Field: "subtitle", Before: "ohne Gast", After: "mit Gast"}) {
		t.Errorf("kept %+v", kept)
	}
	if missing := report.Missing[0]; missing.Title != "Chor" || missing.ExternalID != "2" {
		t.Errorf("missing %+v", missing)
	}

	h.edit(uuid, func(e *rules.Event) { e.Title = "Jazz bei uns" })
	again := head + "1;Jazz anderswo;26.12.2026;21:00;mit Gast\n"
	h.wantCounts("edited and changed", h.imported(again), adminapi.ImportCounts{Rows: 1, Unchanged: 1, Edited: 1, Missing: 1})
	if title := h.event(uuid).Title; title != "Jazz bei uns" {
		t.Errorf("the edit was overwritten: %s", title)
	}
	report = h.run(h.owner, adminapi.ImportBody{Content: again, DryRun: new(bool), Overwrite: true})
	h.wantCounts("overwritten", report, adminapi.ImportCounts{Rows: 1, Update: 1, Missing: 1})
	if e := h.event(uuid); e.Title != "Jazz anderswo" || e.Subtitle != "mit Gast" || e.Summary != "Ein Abend" {
		t.Errorf("overwritten: %+v", e)
	}
}

func TestDatesAreMergedOneByOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const head = "Titel;Datum;Beginn\n"
	uuid := h.imported(head + "Jazz;01.12.2026;20:00\nJazz;02.12.2026;20:00\nJazz;03.12.2026;20:00\n").Events[0].EventUUID
	h.edit(uuid, func(e *rules.Event) {
		e.Dates[0].StartTime = "19:00"
		e.Dates = e.Dates[:2]
	})
	report := h.imported(head + "Jazz;01.12.2026;20:00\nJazz;03.12.2026;20:00\nJazz;04.12.2026;20:00\nJazz;05.12.2026;20:00\n")
	var got []string
	e := h.event(uuid)
	for i := range e.Dates {
		got = append(got, startOf(&e.Dates[i]))
	}
	if fmt.Sprint(got) != "[2026-12-01T19:00 2026-12-04T20:00 2026-12-05T20:00]" {
		t.Errorf("dates %v", got)
	}
	if event := report.Events[0]; len(event.Kept) != 2 || len(event.Changes) != 2 {
		t.Errorf("got %+v", event)
	}
	report = h.imported(head + "Jazz;05.12.2026;20:00\n")
	if missing := fmt.Sprint(report.Events[0].MissingDates); missing != "[2026-12-01T19:00 2026-12-04T20:00]" {
		t.Errorf("missing %v", missing)
	}
}

// TestDatesThatAreOverStayWhereTheyWere: a new date of a file moves the coming date that the file
// dropped, and is added where only past dates are missing.
func TestDatesThatAreOverStayWhereTheyWere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const head = "Titel;Datum;Beginn\n"
	uuid := h.imported(head + "Jazz;01.11.2026;20:00\nJazz;20.11.2026;20:00\n").Events[0].EventUUID
	before := h.event(uuid).Dates
	over, coming := before[0].UUID, before[1].UUID
	for _, step := range []struct {
		file, want string
		dates      int
	}{
		{"Jazz;21.11.2026;20:00\n", "2026-11-21T20:00", 2},
		{"Jazz;21.11.2026;20:00\nJazz;22.11.2026;20:00\n", "2026-11-21T20:00", 3},
	} {
		h.imported(head + step.file)
		e, at := h.event(uuid), map[string]string{}
		for i := range e.Dates {
			at[e.Dates[i].UUID] = startOf(&e.Dates[i])
		}
		if len(at) != step.dates || at[over] != "2026-11-01T20:00" || at[coming] != step.want {
			t.Errorf("%s: the date that is over is %s, the coming one %s, of %v", step.file, at[over], at[coming], at)
		}
	}
}

// TestKindsPricesAndAges: names of types and categories are found in every language, others become
// tags; prices and ages that cannot be read are noted, and an unchanged file changes nothing.
func TestKindsPricesAndAges(t *testing.T) {
	h := newHouse(t)
	const file = "ID;Titel;Datum;Ort;Art;Kategorie;Preis;Alter;Schlagworte\n" +
		"1;Jazz;24.12.2027;Großer Saal;Konzert, Blues;Familie;8-12 €;ab 6;Jazz\n" +
		"2;Zirkus;24.12.2027;Großer Saal;circus;Unfug;frei;alle;\n" +
		"3;Probe;24.12.2027;Großer Saal;;;teuer;Kinder;\n" +
		"4;Ball;24.12.2027;Großer Saal;\"Fest, Feier; Konzert\";;;;\n"
	report := h.imported(file)
	h.wantCounts("the first time", report, adminapi.ImportCounts{Rows: 4, Create: 4})
	shown := func(i int) string {
		e := h.event(report.Events[i].EventUUID)
		return fmt.Sprint(kindText(e), " | ", e.Categories, " | ", priceText(e), " | ", agesText(e), " | ", e.Tags)
	}
	for i, want := range []string{
		"1 | [1 5] | tiered_prices 8 12 EUR | 6– | [Jazz Blues]", "26 | [1 5] | free |  | [Unfug]", " | [] |  |  | []",
		"19, 1 | [4 1] |  |  | []",
	} {
		if got := shown(i); got != want {
			t.Errorf("event %d is %q, want %q", i, got, want)
		}
	}
	if notes := fmt.Sprint(report.Events[2].Notes); len(report.Events[2].Notes) != 2 || !strings.Contains(notes, "not_written_price") ||
		!strings.Contains(notes, "not_written_age") {
		t.Errorf("the third is noted as %s", notes)
	}
	h.wantCounts("again", h.imported(file), adminapi.ImportCounts{Rows: 4, Unchanged: 4})
	h.edit(report.Events[0].EventUUID, func(e *rules.Event) { e.PriceType, e.MinPrice, e.MaxPrice, e.Currency = "free", nil, nil, "" })
	again := h.imported(strings.Replace(file, "8-12 €;ab 6", "9 €;ab 8", 1))
	h.wantCounts("changed here and there", again, adminapi.ImportCounts{Rows: 4, Update: 1, Unchanged: 3, Edited: 1})
	if got := shown(0); !strings.Contains(got, "| free | 8–") {
		t.Errorf("the price that was edited here is lost, or the age is not taken: %s", got)
	}
}

func TestWhoMayImport(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	file := adminapi.ImportBody{Content: "Titel;Datum\nJazz;24.12.2026\n", DryRun: new(bool)}
	if _, err := h.service.Import(h.ownersOfOthers, h.org, file); !fault.Is(err, fault.NotFound) {
		t.Errorf("a stranger: %v", err)
	}
	viewer := h.member(h.org, permission.ViewEventInsights)
	if _, err := h.service.Import(viewer, h.org, adminapi.ImportBody{Address: "http://127.0.0.1:1/"}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a member without rights: %v", err)
	}
	editor := h.member(h.org, permission.EditEvent)
	h.wantCounts("who may only edit", h.run(editor, file), adminapi.ImportCounts{Rows: 1, Refuse: 1})
	adder := h.member(h.org, permission.AddEvent|permission.ChooseAsEventOrganization)
	released := adminapi.ImportBody{Content: "Titel;Datum;Onlinelink\nJazz;24.12.2026;https://example.org\n"}
	released.Defaults.ReleaseStatus = rules.StatusReleased
	h.wantCounts("who may not release", h.run(adder, released), adminapi.ImportCounts{Rows: 1, Refuse: 1})
	h.wantCounts("who may release", h.run(h.owner, released), adminapi.ImportCounts{Rows: 1, Create: 1})
	h.wantCounts("who may add", h.run(adder, file), adminapi.ImportCounts{Rows: 1, Create: 1})
	file.Content = "Titel;Datum;Untertitel\nJazz;24.12.2026;x\n"
	h.wantCounts("who may not edit", h.run(adder, file), adminapi.ImportCounts{Rows: 1, Refuse: 1})
	h.wantCounts("who may edit", h.run(editor, file), adminapi.ImportCounts{Rows: 1, Update: 1})
}

func TestVenues(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.venue(h.owner, h.org, "Foyer", "")
	h.venue(h.owner, h.org, "Foyer", "")
	const head = "Titel;Datum;Beginn;Ort\n"
	reason := func(ctx context.Context, place string) string {
		report := h.run(ctx, adminapi.ImportBody{Content: head + "Jazz;24.12.2026;20:00;\"" + place + "\"\n"})
		if len(report.Events[0].Reasons) == 0 {
			return ""
		}
		return report.Events[0].Reasons[0].Field + " " + report.Events[0].Reasons[0].Reason
	}
	for place, want := range map[string]string{
		"GROSSER SAAL": "is not the name", "großer saal": "", "Großer Saal, Hauptstraße 1": "", "Foyer": "several venues", "Scheune": "is not the name",
	} {
		if got := reason(h.owner, place); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", place, got, want)
		}
	}
	var barn string
	if err := h.db.QueryRow(t.Context(), "SELECT uuid::text FROM venue WHERE name = 'Scheune'").Scan(&barn); err != nil {
		t.Fatal(err)
	}
	open := adminapi.ImportBody{Content: head + "Jazz;24.12.2026;20:00;\n"}
	open.Defaults.VenueUUID = value.Text(barn)
	if report := h.run(h.owner, open); len(report.Events[0].Reasons) > 0 {
		t.Errorf("an open default: %+v", report.Events[0].Reasons)
	}
	if _, err := h.db.Exec(t.Context(), "UPDATE venue SET use = 'closed' WHERE uuid = $1", barn); err != nil {
		t.Fatal(err)
	}
	if _, err := h.service.Import(h.owner, h.org, open); !fault.Is(err, fault.Invalid) {
		t.Errorf("a closed default: %v", err)
	}
	if _, err := h.db.Exec(t.Context(), "UPDATE venue SET use = 'ask' WHERE uuid = $1", barn); err != nil {
		t.Fatal(err)
	}
	if _, err := h.service.Import(h.owner, h.org, open); err == nil || fault.Of(err).Violations[0].Code != "venue_asks" {
		t.Errorf("a default whose owner decides first: %v", err)
	}
	const accept = `INSERT INTO venue_request (uuid, venue_uuid, org_uuid, state, for_organization, asked_at, decided_at)
		VALUES (new_uuid_v7(), $1, $2, 'accepted', true, now(), now())`
	if _, err := h.db.Exec(t.Context(), accept, barn, h.org); err != nil {
		t.Fatal(err)
	}
	if report := h.run(h.owner, open); len(report.Events[0].Reasons) > 0 {
		t.Errorf("a default whose owner has accepted the organization: %+v", report.Events[0].Reasons)
	}
	var owner int
	if err := h.db.QueryRow(t.Context(), "SELECT user_id FROM membership WHERE org_uuid = $1 LIMIT 1", h.org).Scan(&owner); err != nil {
		t.Fatal(err)
	}
	authtest.Member(t, h.db, h.foreign, owner, permission.ChooseVenue)
	if got := reason(h.owner, "Scheune"); got != "" {
		t.Errorf("a venue that may be chosen: %s", got)
	}
	calendar := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Jazz\nLOCATION:Scheune\nDTSTART;TZID=Europe/Berlin:20261224T200000\nEND:VEVENT\nEND:VCALENDAR\n"
	report := h.run(h.owner, adminapi.ImportBody{Content: calendar})
	if got := report.Events[0].Start; got != "2026-12-24T19:00" {
		t.Errorf("on the wall clock of London: %s", got)
	}
	unknown := adminapi.ImportBody{Content: calendar}
	unknown.Defaults.VenueUUID = value.Text(h.foreign)
	if _, err := h.service.Import(h.owner, h.org, unknown); !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != "defaults.venue_uuid" {
		t.Errorf("an unknown default: %v", err)
	}
}

// TestImportsOfOneFileAtOnce: together they create each event once.
func TestImportsOfOneFileAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	file := adminapi.ImportBody{Content: programme(20), DryRun: new(bool)}
	var all sync.WaitGroup
	var created [4]int
	for i := range created {
		all.Go(func() {
			report, err := h.service.Import(h.owner, h.org, file)
			if err != nil {
				t.Error(err)
			}
			created[i] = report.Counts.Create
		})
	}
	all.Wait()
	if sum := created[0] + created[1] + created[2] + created[3]; sum != 19 {
		t.Errorf("created %v", created)
	}
	h.wantCounts("afterwards", h.imported(file.Content), adminapi.ImportCounts{Rows: 20, Unchanged: 19, Refuse: 1})
}

func TestReadsFromAnAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("Titel;Datum\nJazz;24.12.2026\n"))
	}))
	defer site.Close()
	body := adminapi.ImportBody{Address: value.Text(site.URL + "/events.csv"), DryRun: new(bool)}
	report := h.run(h.owner, body)
	h.wantCounts("from an address", report, adminapi.ImportCounts{Rows: 1, Create: 1})
	if report.Source != site.URL+"/events.csv" {
		t.Errorf("source %s", report.Source)
	}
	h.wantCounts("again", h.run(h.owner, body), adminapi.ImportCounts{Rows: 1, Unchanged: 1})
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const file = "Titel;Datum\nJazz;24.12.2026\n"
	for field, body := range map[string]adminapi.ImportBody{
		"content":                         {},
		"content_base64":                  {ContentBase64: "%"},
		"address":                         {Address: "ftp://example.org"},
		"format":                          {Content: file, Format: "xlsx"},
		"source":                          {Content: file, Source: value.Text(strings.Repeat("x", 501))},
		"date_order":                      {Content: file, DateOrder: "ymd"},
		"until":                           {Content: file, Until: "soon"},
		"missing":                         {Content: file, Missing: "delete"},
		"mapping[0].field":                {Content: file, Mapping: []adminapi.ImportMapping{{Column: "Titel", Field: "x"}}},
		"mapping":                         {Content: file, Mapping: []adminapi.ImportMapping{{Column: "x", Field: "title"}}},
		"defaults.venue_uuid":             {Content: file, Defaults: adminapi.ImportDefaults{VenueUUID: "x"}},
		"defaults.languages[0]":           {Content: file, Defaults: adminapi.ImportDefaults{Languages: []string{"xx"}}},
		"defaults.release_status":         {Content: file, Defaults: adminapi.ImportDefaults{ReleaseStatus: "cancelled"}},
		"defaults.event_types[0].type_id": {Content: file, Defaults: adminapi.ImportDefaults{EventTypes: []adminapi.EventType{{TypeID: -1}}}},
	} {
		_, err := h.service.Import(h.owner, h.org, body)
		if !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
