package source

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/version"
	"litfass/services/admin/internal/publish/outbox"
)

var (
	jazz  = [3]string{"1", "Jazz", "20270305T200000"}
	choir = [3]string{"2", "Chor", "20270306T200000"}
	dance = [3]string{"3", "Tanz", "20270307T200000"}
	film  = [3]string{"4", "Film", "20270308T200000"}
)

// TestReadsByTheSchedule: at the intervals of the source, with the validators of its server, and
// whole once a day.
func TestReadsByTheSchedule(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz, choir), etag: `"1"`})
	id := h.create(h.body("/a.ics"))
	h.due()
	h.wantCounts("first", id, adminapi.ImportCounts{Rows: 2, Create: 2})
	h.wantStored("first", "Chor released 03-06T20:00", "Jazz released 03-05T20:00")
	h.after(59 * time.Minute)
	if got := h.web.statuses("/a.ics"); len(got) != 1 {
		t.Fatalf("before it is due: %v", got)
	}
	h.after(time.Minute)
	h.web.put("/a.ics", page{text: calendar([3]string{"1", "Jazz!", "20270305T203000"}, choir), etag: `"2"`})
	h.after(time.Hour)
	h.wantCounts("changed", id, adminapi.ImportCounts{Rows: 2, Update: 1, Unchanged: 1})
	h.wantStored("changed", "Chor released 03-06T20:00", "Jazz! released 03-05T20:30")
	h.after(time.Hour)
	want := []int{200, 304, 200, 304}
	if got := h.web.statuses("/a.ics"); !slices.Equal(got, want) {
		t.Fatalf("asked %v, want %v", got, want)
	}
	h.after(fresh)
	shown := h.wantCounts("the next day", id, adminapi.ImportCounts{Rows: 2, Unchanged: 2})
	if got := h.web.statuses("/a.ics"); !slices.Equal(got, append(want, 200)) {
		t.Fatalf("asked %v the next day", got)
	}
	if !shown.SucceededAt.Equal(h.clock.Now()) || !shown.NextReadAt.Equal(h.clock.Now().Add(time.Hour)) {
		t.Errorf("got %+v", shown)
	}
	body := h.body("/a.ics")
	body.Paused = true
	if _, _, err := h.service.Update(h.owner, h.org, id, version.Expected{}, func(b *adminapi.SourceBody) error { *b = body; return nil }); err != nil {
		t.Fatal(err)
	}
	h.after(time.Hour)
	if got := h.web.statuses("/a.ics"); len(got) != 5 {
		t.Errorf("while it is paused: %v", got)
	}
}

// TestSameContentIsNotImportedAgain: for servers without validators.
func TestSameContentIsNotImportedAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	id := h.create(h.body("/a.ics"))
	h.due()
	at := h.clock.Now()
	h.after(time.Hour)
	if shown := h.show(id); !shown.Report.At.Equal(at) || !shown.SucceededAt.Equal(h.clock.Now()) {
		t.Errorf("got %+v", shown)
	}
	if _, err := h.service.Read(h.owner, h.org, id, adminapi.SourceReading{}); err != nil {
		t.Fatal(err)
	}
	if shown := h.show(id); !shown.Report.At.Equal(h.clock.Now()) {
		t.Errorf("asked for: %+v", shown.Report)
	}
}

// deadlineAhead is a context whose deadline is always a second ahead: too near for an import to
// begin an event, and never reached.
type deadlineAhead struct{ context.Context }

// Deadline returns the time in a second.
func (deadlineAhead) Deadline() (time.Time, bool) { return time.Now().Add(time.Second), true }

// TestCutReadingsGoOn: a reading that ends before all events of the file are imported is repeated
// without the validators of the file, and imports the rest.
func TestCutReadingsGoOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz, choir), etag: `"1"`})
	id := h.create(h.body("/a.ics"))
	if err := h.service.ReadDue(deadlineAhead{t.Context()}); err != nil {
		t.Fatal(err)
	}
	if shown := h.show(id); shown.Report == nil || shown.Report.Complete {
		t.Fatalf("the reading was not cut: %+v", shown.Report)
	}
	h.after(tryAgain)
	h.wantCounts("the next reading", id, adminapi.ImportCounts{Rows: 2, Create: 2})
	if got := h.web.statuses("/a.ics"); !slices.Equal(got, []int{200, 200}) {
		t.Errorf("asked %v", got)
	}
}

// TestEditsStay: what people have edited here is kept when the source changes, and applied where it
// was not edited.
func TestEditsStay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	id := h.create(h.body("/a.ics"))
	h.due()
	h.edit("Jazz", func(e *rules.Event) { e.Title, e.Summary = "Jazz im Saal", "Mit Pause" })
	h.web.put("/a.ics", page{text: calendar([3]string{"1", "JAZZ", "20270305T190000"})})
	h.after(time.Hour)
	h.wantCounts("changed", id, adminapi.ImportCounts{Rows: 1, Update: 1, Edited: 1})
	h.wantStored("changed", "Jazz im Saal released 03-05T19:00")
}

// TestVanishedEvents: by the choice of the source, and back again; dates of an event that stays,
// too.
func TestVanishedEvents(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	weekly := "BEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Kurs\r\nDTSTART:20270302T180000\r\nRDATE:20270309T180000\r\n%RDATE:20270316T180000\r\nEND:VEVENT\r\n"
	whole := calendar(jazz, choir, dance)
	file := func(skipped string, events string) string {
		return events[:len(events)-len("END:VCALENDAR\r\n")] + strings.Replace(weekly, "%", skipped, 1) + "END:VCALENDAR\r\n"
	}
	for missing, want := range map[string][]string{
		adminapi.MissingKeep:   {"Chor released 03-06T20:00", "Kurs released 03-02T18:00, 03-09T18:00, 03-16T18:00"},
		adminapi.MissingCancel: {"Chor cancelled 03-06T20:00", "Kurs released 03-02T18:00, 03-09T18:00, 03-16T18:00 cancelled"},
		adminapi.MissingDraft:  {"Chor draft 03-06T20:00", "Kurs released 03-02T18:00, 03-09T18:00"},
	} {
		path := "/" + missing + ".ics"
		h.web.put(path, page{text: file("", whole)})
		body := h.body(path)
		body.Missing = value.Text(missing)
		id := h.create(body)
		h.due()
		all := []string{"Jazz released 03-05T20:00", "Tanz released 03-07T20:00"}
		h.wantStored(missing+" before", append(all, "Chor released 03-06T20:00", "Kurs released 03-02T18:00, 03-09T18:00, 03-16T18:00")...)
		h.web.put(path, page{text: strings.Replace(file("EX", calendar(jazz, dance)), "EXRDATE:20270316T180000\r\n", "", 1)})
		h.after(time.Hour)
		h.wantStored(missing, append(all, want...)...)
		h.web.put(path, page{text: file("", whole)})
		h.after(time.Hour)
		h.wantStored(missing+" again", append(all, "Chor released 03-06T20:00", "Kurs released 03-02T18:00, 03-09T18:00, 03-16T18:00")...)
		if err := h.service.Delete(h.owner, h.org, id); err != nil {
			t.Fatal(err)
		}
		h.exec("DELETE FROM event")
	}
}

// TestPastDatesNeverVanish: of the dates that a calendar drops, coming ones are cancelled or
// removed, and those that are over stay as they are.
func TestPastDatesNeverVanish(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	weekly := func(first, further string) page {
		return page{text: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:w\r\nSUMMARY:Kurs\r\nDTSTART:" +
			first + "\r\n" + further + "END:VEVENT\r\nEND:VCALENDAR\r\n"}
	}
	for missing, want := range map[string]string{
		adminapi.MissingCancel: "Kurs released %s, %s cancelled, %s",
		adminapi.MissingDraft:  "Kurs released %s, %[3]s",
	} {
		day := func(n int) time.Time { return h.clock.Now().AddDate(0, 0, n) }
		stamp := func(n int) string { return day(n).Format("20060102") + "T180000" }
		shown := func(n int) string { return day(n).Format("01-02") + "T18:00" }
		path := "/" + missing + ".ics"
		h.web.put(path, weekly(stamp(1), "RDATE:"+stamp(8)+"\r\nRDATE:"+stamp(15)+"\r\n"))
		body := h.body(path)
		body.Missing = value.Text(missing)
		id := h.create(body)
		h.due()
		days := []any{shown(1), shown(8), shown(15)}
		h.wantStored(missing+" before", fmt.Sprintf("Kurs released %s, %s, %s", days...))
		h.web.put(path, weekly(stamp(15), ""))
		h.after(4 * 24 * time.Hour)
		h.wantStored(missing, fmt.Sprintf(want, days...))
		if err := h.service.Delete(h.owner, h.org, id); err != nil {
			t.Fatal(err)
		}
		h.exec("DELETE FROM event")
	}
}

// TestPeoplesStatusStays: an event that a source has cancelled and a person has released stays so.
func TestPeoplesStatusStays(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz, choir, dance)})
	body := h.body("/a.ics")
	body.Missing = adminapi.MissingCancel
	h.create(body)
	h.due()
	h.web.put("/a.ics", page{text: calendar(jazz, dance)})
	h.after(time.Hour)
	h.wantStored("vanished", "Chor cancelled 03-06T20:00", "Jazz released 03-05T20:00", "Tanz released 03-07T20:00")
	h.edit("Chor", func(e *rules.Event) { e.ReleaseStatus = rules.StatusReleased })
	h.after(fresh)
	h.wantStored("released here", "Chor released 03-06T20:00", "Jazz released 03-05T20:00", "Tanz released 03-07T20:00")
}

// TestNearlyEmptyFilesWithdrawNothing: until a member confirms it. Past events may vanish.
func TestNearlyEmptyFilesWithdrawNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz, choir, dance, film)})
	body := h.body("/a.ics")
	body.Missing = adminapi.MissingCancel
	id := h.create(body)
	h.due()
	all := []string{"Jazz released 03-05T20:00", "Chor released 03-06T20:00", "Tanz released 03-07T20:00", "Film released 03-08T20:00"}
	h.web.put("/a.ics", page{text: calendar()})
	h.after(time.Hour)
	if shown := h.show(id); shown.Failure == nil || shown.Failure.Code != "no_events" || shown.Failures != 1 {
		t.Errorf("an empty file: %+v", shown)
	}
	h.wantStored("an empty file", all...)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	h.after(time.Hour)
	shown := h.wantCounts("nearly empty", id, adminapi.ImportCounts{Rows: 1, Unchanged: 1, Missing: 3})
	if !shown.Report.HeldBack {
		t.Errorf("got %+v", shown.Report)
	}
	h.wantStored("nearly empty", all...)
	if _, err := h.service.Read(h.owner, h.org, id, adminapi.SourceReading{Missing: true}); err != nil {
		t.Fatal(err)
	}
	h.wantStored("confirmed", "Jazz released 03-05T20:00", "Chor cancelled 03-06T20:00", "Tanz cancelled 03-07T20:00", "Film cancelled 03-08T20:00")
	if h.show(id).Report.HeldBack {
		t.Error("confirmed, and still held back")
	}
	h.clock.Move(8 * 24 * time.Hour)
	h.web.put("/a.ics", page{text: calendar([3]string{"9", "Neu", "20270401T200000"})})
	h.due()
	h.wantStored("the week after", "Jazz released 03-05T20:00", "Chor cancelled 03-06T20:00", "Tanz cancelled 03-07T20:00",
		"Film cancelled 03-08T20:00", "Neu released 04-01T20:00")
}

// TestFailuresAreVisible: with their reason and since when, and by one mail until the source works
// again.
func TestFailuresAreVisible(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	id := h.create(h.body("/a.ics"))
	h.due()
	for round := range 2 {
		h.web.put("/a.ics", page{status: http.StatusInternalServerError})
		since := h.clock.Now().Add(time.Hour)
		for failures := 1; failures <= 5; failures++ {
			h.after(time.Hour)
			shown := h.show(id)
			if shown.Failures != failures || !shown.FailingSince.Equal(since) || shown.Failure.Code != "http_status" {
				t.Fatalf("failure %d: %+v", failures, shown.Source)
			}
			want := round
			if failures >= warnAfter {
				want++
			}
			if got := h.mails(); got != want {
				t.Fatalf("round %d, failure %d: %d mails, want %d", round, failures, got, want)
			}
		}
		h.wantStored("while it fails", "Jazz released 03-05T20:00")
		h.web.put("/a.ics", page{text: calendar(jazz)})
		h.after(time.Hour)
		if shown := h.show(id); shown.Failures != 0 || shown.FailingSince != nil || shown.Failure != nil {
			t.Fatalf("works again: %+v", shown.Source)
		}
	}
	var to string
	h.one(&to, "SELECT string_agg(DISTINCT recipient, ' ') FROM mail_outbox WHERE template = 'source_fails'")
	if to != "anna@example.org" {
		t.Errorf("mails to %s", to)
	}
}

// TestReadsByTheRightsOfAMember: as they are at the time, and no longer once the member has left.
func TestReadsByTheRightsOfAMember(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := authtest.User(t, h.db, "bert@example.org")
	authtest.Member(t, h.db, h.org, other, permission.All)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	id := h.create(h.body("/a.ics"))
	h.due()
	h.exec("UPDATE membership SET role = 'custom', permissions = $2 WHERE user_id = $1", h.person, int64(managing))
	h.web.put("/a.ics", page{text: calendar(jazz, choir)})
	h.after(time.Hour)
	shown := h.show(id)
	if shown.Report.Counts != (adminapi.ImportCounts{Rows: 2, Unchanged: 1, Refuse: 1}) || shown.Report.Refused[0].Title != "Chor" ||
		shown.Report.Refused[0].Reasons[0].Code != "release_right_missing" {
		t.Errorf("without the right to release: %+v", shown.Report)
	}
	h.wantStored("without the right to release", "Jazz released 03-05T20:00")
	h.exec("DELETE FROM membership WHERE user_id = $1", h.person)
	h.owner = login(t, other)
	for range 3 {
		h.after(time.Hour)
	}
	if shown := h.show(id); shown.Failures != 3 || shown.Failure.Code != "source_unanswered" || shown.AnswersFor != "" {
		t.Errorf("without the member: %+v", shown.Source)
	}
	var to string
	h.one(&to, "SELECT string_agg(recipient, ' ') FROM mail_outbox WHERE template = 'source_fails'")
	if to != "bert@example.org" {
		t.Errorf("mails to %s", to)
	}
	_, _, err := h.service.Update(h.owner, h.org, id, version.Expected{}, func(*adminapi.SourceBody) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	h.due()
	h.wantStored("saved by another member", "Chor released 03-06T20:00", "Jazz released 03-05T20:00")
}

// TestOneProcessReads: of several, each time; and another one after one that died.
func TestOneProcessReads(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	processes := []*Service{h.process(loopback), h.process(loopback), h.process(loopback)}
	paths := []string{"/a.ics", "/b.ics", "/c.ics", "/d.ics"}
	for i, path := range paths {
		h.web.put(path, page{text: calendar([3]string{path, path, []string{"20270305", "20270306", "20270307", "20270308"}[i] + "T200000"})})
		h.create(h.body(path))
	}
	for round := 1; round <= 3; round++ {
		var group sync.WaitGroup
		for _, one := range processes {
			group.Go(func() {
				if err := one.ReadDue(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		h.due() // what was due while all others were at work
		for _, path := range paths {
			if got := h.web.statuses(path); len(got) != round {
				t.Fatalf("%s: asked %d times in round %d", path, len(got), round)
			}
		}
		h.clock.Move(time.Hour)
	}
	if _, some, err := processes[0].claim(t.Context(), due); err != nil || !some {
		t.Fatalf("claim: %v, %v", some, err)
	}
	h.due()
	if got := h.web.statuses(paths[3]); len(got) != 3 {
		t.Fatalf("while a source of the organization is read: %v", got)
	}
	_, err := h.service.Read(h.owner, h.org, h.create(h.body("/e.ics")), adminapi.SourceReading{})
	if !fault.Is(err, fault.Conflict) || fault.Of(err).Code != "source_busy" {
		t.Errorf("asked for meanwhile: %v", err)
	}
	h.after(claimTime)
	for _, path := range paths {
		if got := h.web.statuses(path); len(got) != 4 {
			t.Errorf("%s: asked %d times after a process died", path, len(got))
		}
	}
}

// TestEventsShowTheirSource: by its name, as it is at the time.
func TestEventsShowTheirSource(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.web.put("/a.ics", page{text: calendar(jazz)})
	id := h.create(h.body("/a.ics"))
	h.due()
	want := func(what, name string) {
		t.Helper()
		var uuid string
		h.one(&uuid, "SELECT uuid::text FROM event")
		state, pending, _, err := outbox.PublicState(t.Context(), h.db, outbox.Ref{Kind: change.KindEvent, ID: uuid})
		event, is := state.(*change.Event)
		if err != nil || !is || string(event.SourceName) != name || !pending {
			t.Fatalf("%s: %+v, pending %t, %v", what, state, pending, err)
		}
		h.exec("DELETE FROM outbox")
	}
	want("imported", "Source /a.ics")
	_, _, err := h.service.Update(h.owner, h.org, id, version.Expected{}, func(b *adminapi.SourceBody) error { b.Name = "Kulturkalender"; return nil })
	if err != nil {
		t.Fatal(err)
	}
	want("renamed", "Kulturkalender")
	if err := h.service.Delete(h.owner, h.org, id); err != nil {
		t.Fatal(err)
	}
	want("deleted", "")
	h.create(h.body("/a.ics"))
	want("added again", "Source /a.ics")
}
