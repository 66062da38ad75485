package source

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth/authtest"
)

// add stores an event of an organization at a venue, as a person does.
func (h *house) add(org, title, venue, day, clock, status string) string {
	h.Helper()
	ctx := h.owner
	if org != h.org {
		person := authtest.User(h.T, h.db, title+"@example.org")
		authtest.Member(h.T, h.db, org, person, permission.All)
		ctx = login(h.T, person)
	}
	created, err := h.editor.CreateEvent(ctx, &rules.Event{
		OrgUUID: org, Title: title, VenueUUID: value.Text(venue), ReleaseStatus: status,
		Dates: []rules.Date{{StartDate: day, StartTime: value.Text(clock), AllDay: clock == ""}},
	})
	if err != nil {
		h.Fatal(err)
	}
	return created.Answer.UUID
}

// TestDuplicatesAreHeld: until a member decides, with both sides shown.
func TestDuplicatesAreHeld(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	mine := h.add(h.org, "Jazz am Freitag", h.hall, "2027-03-05", "20:00", rules.StatusDraft)
	h.edit("Jazz am Freitag", func(e *rules.Event) {
		e.Dates = append(e.Dates, rules.Date{UUID: uuid.Must(uuid.NewV7()).String(), StartDate: "2027-03-04", StartTime: "20:00"})
	})
	theirs := h.add(h.foreign, "Chorkonzert", h.hall, "2027-03-06", "20:00", rules.StatusReleased)
	h.web.put("/a.ics", page{text: calendar(jazz, choir, dance)})
	id := h.create(h.body("/a.ics"))
	h.due()
	shown := h.wantCounts("first", id, adminapi.ImportCounts{Rows: 3, Create: 1, Held: 2})
	h.wantStored("first", "Jazz am Freitag draft 03-04T20:00, 03-05T20:00", "Tanz released 03-07T20:00")
	if len(shown.Duplicates) != 2 || shown.HeldDuplicates != 2 {
		t.Fatalf("got %+v", shown)
	}
	first, second := shown.Duplicates[0], shown.Duplicates[1]
	if first.Entry != (adminapi.SourceEntry{Title: "Jazz", Start: "2027-03-05T20:00", VenueName: "Großer Saal"}) || first.Decision != "" ||
		first.Event != (adminapi.SourceEvent{UUID: mine, Title: "Jazz am Freitag", Start: "2027-03-05T20:00", VenueName: "Großer Saal",
			OrgUUID: h.org, OrgName: "Kulturhaus", ReleaseStatus: "draft"}) {
		t.Errorf("got %+v", first)
	}
	if second.Event.UUID != theirs || second.Event.OrgName != "Jazzclub" {
		t.Errorf("got %+v", second)
	}
	decide := func(external, decision string) adminapi.ShownSource {
		t.Helper()
		shown, err := h.service.Decide(h.owner, h.org, id, adminapi.SourceDecision{ExternalID: external, Decision: decision})
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
	decide("1", adminapi.SourceSame)
	if shown := decide("2", adminapi.SourceDifferent); shown.HeldDuplicates != 0 || shown.Duplicates[0].Decision != adminapi.SourceSame {
		t.Errorf("decided: %+v", shown)
	}
	h.due()
	h.wantCounts("decided", id, adminapi.ImportCounts{Rows: 3, Create: 1, Unchanged: 1, Linked: 1})
	all := []string{"Chor released 03-06T20:00", "Jazz am Freitag draft 03-04T20:00, 03-05T20:00", "Tanz released 03-07T20:00"}
	h.wantStored("decided", all...)
	h.after(fresh)
	h.wantCounts("the next day", id, adminapi.ImportCounts{Rows: 3, Unchanged: 2, Linked: 1})
	h.wantStored("the next day", all...)
	h.exec("DELETE FROM event WHERE uuid = $1", mine)
	h.after(fresh)
	h.wantStored("without the other one", "Chor released 03-06T20:00", "Jazz released 03-05T20:00", "Tanz released 03-07T20:00")
}

// TestOnlyTheSamePlaceAndTimeIsHeld: in another space, at another time, hidden or cancelled is
// another event, and so is another all-day one.
func TestOnlyTheSamePlaceAndTimeIsHeld(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := h.venue(h.owner, h.org, "Kleiner Saal")
	h.add(h.org, "a", other, "2027-03-05", "20:00", rules.StatusReleased)
	h.add(h.org, "b", h.hall, "2027-03-05", "19:30", rules.StatusReleased)
	h.add(h.foreign, "c", h.hall, "2027-03-05", "20:00", rules.StatusDraft)
	cancelled := h.add(h.org, "d", h.hall, "2027-03-05", "20:00", rules.StatusReleased)
	h.exec("UPDATE event SET release_status = 'cancelled' WHERE uuid = $1", cancelled)
	h.add(h.org, "Ausstellung", h.hall, "2027-03-09", "", rules.StatusReleased)
	h.add(h.org, "Flohmarkt", h.hall, "2027-03-10", "", rules.StatusReleased)
	h.web.put("/a.ics", page{text: calendar(jazz, [3]string{"5", "Kurs", "20270309"}, [3]string{"6", "flohmarkt", "20270310"})})
	id := h.create(h.body("/a.ics"))
	h.due()
	shown := h.wantCounts("first", id, adminapi.ImportCounts{Rows: 3, Create: 2, Held: 1})
	if shown.Duplicates[0].ExternalID != "6" {
		t.Errorf("got %+v", shown.Duplicates)
	}
	h.web.put("/a.ics", page{text: calendar(jazz, [3]string{"5", "Kurs", "20270309"})})
	h.after(time.Hour)
	if shown := h.show(id); len(shown.Duplicates) > 0 {
		t.Errorf("no longer in the file: %+v", shown.Duplicates)
	}
}

// TestDecisionsOutlastTheFile: an entry that is missing for some readings is not held again, since
// a member has decided.
func TestDecisionsOutlastTheFile(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.add(h.org, "Jazz am Freitag", h.hall, "2027-03-05", "20:00", rules.StatusDraft)
	h.web.put("/a.ics", page{text: calendar(jazz, dance)})
	id := h.create(h.body("/a.ics"))
	h.due()
	h.wantCounts("first", id, adminapi.ImportCounts{Rows: 2, Create: 1, Held: 1})
	_, err := h.service.Decide(h.owner, h.org, id, adminapi.SourceDecision{ExternalID: "1", Decision: adminapi.SourceSame})
	if err != nil {
		t.Fatal(err)
	}
	h.due()
	h.wantCounts("decided", id, adminapi.ImportCounts{Rows: 2, Unchanged: 1, Linked: 1})
	h.web.put("/a.ics", page{text: calendar(dance)})
	h.after(fresh)
	h.wantCounts("without the entry", id, adminapi.ImportCounts{Rows: 1, Unchanged: 1})
	h.web.put("/a.ics", page{text: calendar(jazz, dance)})
	h.after(fresh)
	h.wantCounts("with the entry again", id, adminapi.ImportCounts{Rows: 2, Unchanged: 1, Linked: 1})
}

// TestPreviewStoresNothing: and shows what a reading would do, with the duplicates.
func TestPreviewStoresNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.add(h.org, "Jazz am Freitag", h.hall, "2027-03-05", "20:00", rules.StatusReleased)
	h.web.put("/a.ics", page{text: calendar(jazz, choir)})
	before := h.rows()
	report, err := h.service.Preview(h.owner, h.org, h.body("/a.ics"), nil)
	if err != nil || report.Counts != (adminapi.ImportCounts{Rows: 2, Create: 1, Held: 1}) || !report.DryRun {
		t.Fatalf("got %+v, %v", report, err)
	}
	if after := h.rows(); after != before {
		t.Errorf("a preview has written: %s, before %s", after, before)
	}
}

// rows counts the rows that a reading could write.
func (h *house) rows() (counts string) {
	h.Helper()
	h.one(&counts, `
SELECT concat_ws(
    ' ', (SELECT count(*) FROM event), (SELECT count(*) FROM event_date), (SELECT count(*) FROM audit_entry),
    (SELECT count(*) FROM outbox), (SELECT count(*) FROM imported_event), (SELECT count(*) FROM event_source),
    (SELECT count(*) FROM source_duplicate), (SELECT count(*) FROM import_choice)
)`)
	return counts
}
