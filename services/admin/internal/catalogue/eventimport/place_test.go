package eventimport

import (
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// mill is a file of three events at a venue that is not known, and one of the same name in another
// town.
const mill = `Titel;Datum;Beginn;Ort;Straße;PLZ;Stadt
Jazz;24.12.2026;20:00;Alte Mühle;Mühlweg 7a;24103;Kiel
Tanz;25.12.2026;20:00;alte mühle;;24103;Kiel
Chor;26.12.2026;20:00;Alte Mühle;Mühlweg 7a;24103;Kiel
Film;27.12.2026;20:00;Alte Mühle;Wall 1;23552;Lübeck
`

// dry reports what the import of a file would do.
func (h *house) dry(body adminapi.ImportBody) adminapi.ImportReport {
	h.Helper()
	body.DryRun = nil
	return h.run(h.owner, body)
}

func (h *house) count(query string, args ...any) int {
	h.Helper()
	var n int
	if err := h.db.QueryRow(h.Context(), query, args...).Scan(&n); err != nil {
		h.Fatal(err)
	}
	return n
}

// TestUnknownVenuesAreListedOnce: with the number of their events, their addresses, and an open
// venue of another organization as the best proposal.
func TestUnknownVenuesAreListedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	foreign, err := h.service.Editor.CreateVenue(h.ownersOfOthers, &rules.Venue{OrgUUID: h.foreign, Name: "Alte Mühle", City: "Kiel"})
	if err != nil {
		t.Fatal(err)
	}
	report := h.dry(adminapi.ImportBody{Content: mill})
	h.wantCounts("without a choice", report, adminapi.ImportCounts{Rows: 4, Refuse: 4})
	if len(report.Venues) != 2 || len(report.Venues[0].Proposals) == 0 {
		t.Fatalf("unknown: %+v", report.Venues)
	}
	first := report.Venues[0]
	if first.Name != "Alte Mühle" || first.Events != 3 || first.Street != "Mühlweg" || first.HouseNumber != "7a" || first.PostalCode != "24103" ||
		first.Proposals[0].UUID != foreign.Answer.UUID || first.Ambiguous || report.Venues[1].Events != 1 {
		t.Errorf("unknown: %+v", report.Venues)
	}

	chosen := []adminapi.ImportPlace{{Name: "Alte Mühle", PostalCode: "24103", City: "Kiel", VenueUUID: "0197a1b2-c3d4-7e5f-8a6b-0000000000ee"}}
	_, err = h.service.Import(h.owner, h.org, adminapi.ImportBody{Content: mill, Venues: chosen})
	if !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != "venues[0].venue_uuid" {
		t.Errorf("a venue that does not exist: %v", err)
	}
	chosen[0].VenueUUID = value.Text(foreign.Answer.UUID)
	body := adminapi.ImportBody{Content: mill, Venues: chosen, DryRun: new(bool)}
	h.wantCounts("with a choice", h.run(h.owner, body), adminapi.ImportCounts{Rows: 4, Create: 3, Refuse: 1})
	if n := h.count("SELECT count(*) FROM event WHERE venue_uuid = $1", foreign.Answer.UUID); n != 3 {
		t.Errorf("%d events are at the venue of the choice", n)
	}

	again := h.dry(adminapi.ImportBody{Content: mill})
	h.wantCounts("the next such file", again, adminapi.ImportCounts{Rows: 4, Unchanged: 3, Refuse: 1})
	if string(again.Venues[0].VenueUUID) != foreign.Answer.UUID {
		t.Errorf("the choice is not kept: %+v", again.Venues)
	}
	none := h.dry(adminapi.ImportBody{Content: mill, Venues: []adminapi.ImportPlace{}})
	h.wantCounts("with no choices at all", none, adminapi.ImportCounts{Rows: 4, Refuse: 4})
	_, err = h.db.Exec(t.Context(), "UPDATE venue SET use = 'closed' WHERE uuid = $1", foreign.Answer.UUID)
	if err != nil {
		t.Fatal(err)
	}
	h.wantCounts("a kept choice that is closed now", h.dry(adminapi.ImportBody{Content: mill}), adminapi.ImportCounts{Rows: 4, Refuse: 4})
}

// TestNewVenuesOfAFile: a dry run adds none; an import adds each once, with its address, and only
// with an event.
func TestNewVenuesOfAFile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	create := []adminapi.ImportPlace{
		{Name: "Alte Mühle", PostalCode: "24103", City: "Kiel", Create: true}, {Name: "alte mühle", PostalCode: "23552", City: "Lübeck", Create: true},
	}
	body := adminapi.ImportBody{Content: mill, Venues: create, Defaults: adminapi.ImportDefaults{ReleaseStatus: "review"}}
	before := h.rows()
	h.wantCounts("dry", h.dry(body), adminapi.ImportCounts{Rows: 4, Create: 4})
	if h.rows() != before || h.count("SELECT count(*) FROM venue WHERE org_uuid = $1", h.org) != 1 {
		t.Error("a dry run wrote something")
	}
	noVenues := h.member(h.org, permission.All&^permission.AddVenue)
	if _, err := h.service.Import(noVenues, h.org, body); !fault.Is(err, fault.Forbidden) {
		t.Errorf("without the right to add venues: %v", err)
	}

	body.DryRun = new(bool)
	refused := body
	refused.Content = strings.ReplaceAll(mill, ".2026", ".20x6")
	h.wantCounts("refused events", h.run(h.owner, refused), adminapi.ImportCounts{Rows: 4, Refuse: 4})
	if n := h.count("SELECT count(*) FROM venue WHERE org_uuid = $1", h.org); n != 1 {
		t.Errorf("events that are refused added %d venues", n-1)
	}
	report := h.run(h.owner, body)
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: 4, Create: 4})
	const made = `
SELECT count(*)
FROM venue
WHERE org_uuid = $1 AND name = 'Alte Mühle' AND street = 'Mühlweg' AND house_number = '7a' AND city = 'Kiel'`
	if h.count(made, h.org) != 1 || h.count("SELECT count(*) FROM venue WHERE org_uuid = $1", h.org) != 3 {
		t.Errorf("venues: %+v", report.Venues)
	}
	if audited := h.count("SELECT count(*) FROM audit_entry WHERE action = 'venue.create' AND org_uuid = $1", h.org); audited != 3 {
		t.Errorf("%d venues are audited", audited)
	}
	h.wantCounts("the same request again", h.run(h.owner, body), adminapi.ImportCounts{Rows: 4, Unchanged: 4})
	h.wantCounts("the next such file", h.imported(mill), adminapi.ImportCounts{Rows: 4, Unchanged: 4})
	if n := h.count("SELECT count(*) FROM venue WHERE org_uuid = $1", h.org); n != 3 {
		t.Errorf("%d venues afterwards", n)
	}
}

// TestHoursOfAPage: an exhibition and its new venue have the opening hours that a page gives them.
func TestHoursOfAPage(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const page = `{"@type": "Event", "@id": "1", "name": "Federn", "startDate": "2027-01-05", "endDate": "2027-03-31",
		"openingHoursSpecification": {"dayOfWeek": "Tuesday", "opens": "10:00", "closes": "18:00"},
		"location": {"@type": "Museum", "name": "Haus Zaunkönig", "address": {"addressLocality": "Kiel"},
			"openingHoursSpecification": [{"dayOfWeek": ["Tuesday", "Sunday"], "opens": "09:00", "closes": "23:59"}]}}`
	report := h.run(h.owner, adminapi.ImportBody{
		Content: page, DryRun: new(bool), Venues: []adminapi.ImportPlace{{Name: "Haus Zaunkönig", City: "Kiel", Create: true}},
	})
	event := h.event(report.Events[0].EventUUID)
	if d := event.Dates[0]; len(event.Dates) != 1 || !d.AllDay || d.EndDate != "2027-03-31" || d.Hours.Text("en") != "Tue 10–18" {
		t.Errorf("%+v", event.Dates)
	}
	venue, err := h.service.Editor.Venue(h.owner, string(event.VenueUUID))
	if err != nil || venue.Answer.Hours.Text("en") != "Tue/Sun 9–0" {
		t.Errorf("%+v: %v", venue.Answer, err)
	}
	later := h.imported(strings.Replace(page, `"closes": "18:00"`, `"closes": "20:00"`, 1))
	if changes := later.Events[0].Changes; len(changes) != 1 || !strings.HasSuffix(string(changes[0].After), "Tue 10–20") {
		t.Errorf("with other hours: %+v", later.Events[0])
	}
}

// TestVenuesOfOneNameDifferByTown: the address chooses among them; without one, none is guessed.
func TestVenuesOfOneNameDifferByTown(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	towns := map[string]string{}
	for _, town := range []string{"Kiel", "Lübeck"} {
		made, err := h.service.Editor.CreateVenue(h.owner, &rules.Venue{OrgUUID: h.org, Name: "Rathaus", City: value.Text(town)})
		if err != nil {
			t.Fatal(err)
		}
		towns[made.Answer.UUID] = town
	}
	report := h.imported("Titel;Datum;Ort\nA;24.12.2026;Rathaus, Wall 3, 23552 Lübeck\nB;24.12.2026;Rathaus\nC;24.12.2026;Rathaus, Husum\n")
	h.wantCounts("by address", report, adminapi.ImportCounts{Rows: 3, Create: 1, Refuse: 2})
	if got := towns[string(h.event(report.Events[0].EventUUID).VenueUUID)]; got != "Lübeck" {
		t.Errorf("placed in %q", got)
	}
	if len(report.Venues) != 2 || !report.Venues[0].Ambiguous || report.Venues[1].Ambiguous {
		t.Errorf("unknown: %+v", report.Venues)
	}
	created := h.dry(adminapi.ImportBody{Content: "Titel;Datum;Ort\nB;24.12.2026;Rathaus\n", Venues: []adminapi.ImportPlace{{Name: "Rathaus", Create: true}}})
	h.wantCounts("a third one of the name", created, adminapi.ImportCounts{Rows: 1, Refuse: 1, Missing: 1})
}

// TestTheMappingIsKept: for files with the same columns, until another one is chosen.
func TestTheMappingIsKept(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const file = "Stück;Datum;Ort;Rubrik\nJazz;03/04/2027;Großer Saal;Fetenabend\n"
	mapping := []adminapi.ImportMapping{{Column: "Stück", Field: "title"}, {Column: "Rubrik", Field: "event_types"}}
	kinds := []adminapi.ImportKind{{Name: "fetenabend", TypeID: 1}}
	report := h.run(h.owner, adminapi.ImportBody{Content: file, Mapping: mapping, DateOrder: "mdy", Kinds: kinds, DryRun: new(bool)})
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: 1, Create: 1})
	if e := h.event(report.Events[0].EventUUID); len(e.EventTypes) != 1 || e.EventTypes[0].TypeID != 1 || len(e.Tags) > 0 {
		t.Errorf("stored %+v", e)
	}
	next := h.dry(adminapi.ImportBody{Content: strings.Replace(file, "Jazz", "Tanz", 1)})
	h.wantCounts("the next such file", next, adminapi.ImportCounts{Rows: 1, Create: 1, Missing: 1})
	if next.Columns[0].Field != "title" || next.Columns[0].GuessedBy != "earlier" || next.DateOrder != "mdy" ||
		next.Events[0].Start != "2027-03-04T00:00" && next.Events[0].Start != "2027-03-04" || len(next.Kinds) != 1 || next.Kinds[0].TypeID != 1 {
		t.Errorf("without a mapping: %+v", next)
	}
	other := h.dry(adminapi.ImportBody{Content: "Stück;Datum;Ort;Sparte\nJazz;2027-03-04;Großer Saal;x\n"})
	if other.Columns[0].Field != "" {
		t.Errorf("of other columns: %+v", other.Columns)
	}
	explicit := h.dry(adminapi.ImportBody{Content: file, Mapping: []adminapi.ImportMapping{}})
	if explicit.Columns[0].Field != "" {
		t.Errorf("with an empty mapping: %+v", explicit.Columns)
	}
	stranger, err := h.service.Import(h.ownersOfOthers, h.foreign, adminapi.ImportBody{Content: file})
	if err != nil || stranger.Columns[0].Field != "" {
		t.Errorf("of another organization: %+v, %v", stranger.Columns, err)
	}
}

// TestChoicesAreBounded: each list, and how many headers are kept.
func TestChoicesAreBounded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	many := make([]adminapi.ImportPlace, adminapi.MaxImportChoices+1)
	kinds := make([]adminapi.ImportKind, adminapi.MaxImportChoices+1)
	for field, body := range map[string]adminapi.ImportBody{
		"venues": {Content: mill, Venues: many}, "kinds": {Content: mill, Kinds: kinds},
		"venues[0].name":       {Content: mill, Venues: []adminapi.ImportPlace{{Name: " "}}},
		"venues[0].city":       {Content: mill, Venues: []adminapi.ImportPlace{{Name: "x", City: value.Text(strings.Repeat("x", 501))}}},
		"venues[0].venue_uuid": {Content: mill, Venues: []adminapi.ImportPlace{{Name: "x", VenueUUID: "x"}}},
		"venues[0].create":     {Content: mill, Venues: []adminapi.ImportPlace{{Name: "x", VenueUUID: value.Text(h.hall), Create: true}}},
		"kinds[0].type_id":     {Content: mill, Kinds: []adminapi.ImportKind{{Name: "x", TypeID: -5}}},
	} {
		_, err := h.service.Import(h.owner, h.org, body)
		if !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	const fill = `
INSERT INTO import_choice (org_uuid, header, mapping, date_order, venues, kinds, chosen_at)
SELECT $1, sha256(n::text::bytea), '{}', '', '[]', '[]', '2020-01-01'
FROM generate_series(1, $2) AS n`
	if _, err := h.db.Exec(t.Context(), fill, h.org, maxKept); err != nil {
		t.Fatal(err)
	}
	h.run(h.owner, adminapi.ImportBody{
		Content: "Stück;Datum\nJazz;24.12.2026\n", Mapping: []adminapi.ImportMapping{{Column: "Stück", Field: "title"}}, DryRun: new(bool),
	})
	if n := h.count("SELECT count(*) FROM import_choice WHERE org_uuid = $1", h.org); n != maxKept {
		t.Errorf("%d headers are kept", n)
	}
}

// TestVenuesByAddress: a file without names of venues finds them by street, number and town; an
// address that is not known is resolved once, and is not the default venue.
func TestVenuesByAddress(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	known := rules.Venue{OrgUUID: h.org, Name: "Speicher", Street: "Am Hafenstr.", HouseNumber: "1", PostalCode: "24103", City: "Kiel"}
	if _, err := h.service.Editor.CreateVenue(h.owner, &known); err != nil {
		t.Fatal(err)
	}
	const file = "Titel;Datum;Straße;PLZ/Ort\nChor;24.12.2026;Am Hafenstraße 1;24103 Kiel\nJazz;25.12.2026;Wall 3;24103 Kiel\n" +
		"Tanz;26.12.2026;Wall 3;24103 Kiel\nFilm;27.12.2026;;\n"
	body := adminapi.ImportBody{Content: file, Defaults: adminapi.ImportDefaults{VenueUUID: value.Text(h.hall)}}
	report := h.dry(body)
	h.wantCounts("dry", report, adminapi.ImportCounts{Rows: 4, Create: 2, Refuse: 2})
	if len(report.Venues) != 1 || report.Venues[0].Name != "Wall 3" || report.Venues[0].Events != 2 || report.Venues[0].City != "Kiel" {
		t.Errorf("unknown: %+v", report.Venues)
	}
	body.DryRun = new(bool)
	body.Venues = []adminapi.ImportPlace{{Name: "Wall 3", PostalCode: "24103", City: "Kiel", Create: true}}
	h.wantCounts("import", h.run(h.owner, body), adminapi.ImportCounts{Rows: 4, Create: 4})
	const at = `
SELECT string_agg(e.title || ' ' || concat_ws(' ', v.name, v.street, v.house_number), ', ' ORDER BY e.title)
FROM event e
JOIN venue v ON v.uuid = e.venue_uuid
WHERE v.uuid <> $1`
	var places string
	if err := h.db.QueryRow(t.Context(), at, h.hall).Scan(&places); err != nil {
		t.Fatal(err)
	}
	if want := "Chor Speicher Am Hafenstr. 1, Jazz Wall 3 Wall 3, Tanz Wall 3 Wall 3"; places != want {
		t.Errorf("the events are at %s, want %s", places, want)
	}
	h.wantCounts("again", h.dry(adminapi.ImportBody{Content: file, Defaults: body.Defaults}), adminapi.ImportCounts{Rows: 4, Unchanged: 4})
}

// TestPricesForSome: the lowest price of an event that is free for some is nothing.
func TestPricesForSome(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	body := adminapi.ImportBody{Content: "Titel;Datum;Eintritt\nChor;24.12.2026;Kinder frei, Erw. 8 €\n", DryRun: new(bool)}
	h.wantCounts("import", h.run(h.owner, body), adminapi.ImportCounts{Rows: 1, Create: 1})
	const prices = "SELECT count(*) FROM event WHERE price_type = 'tiered_prices' AND min_price = 0 AND max_price = 8"
	if h.count(prices) != 1 {
		t.Error("the event costs something else")
	}
}
