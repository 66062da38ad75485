package eventimport

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/catalogue/rules"
)

// TestDeletedEventsStayDeleted: until a request restores them.
func TestDeletedEventsStayDeleted(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const file = "Titel;Datum\nJazz;24.12.2026\nChor;24.12.2026\n"
	uuid := h.imported(file).Events[0].EventUUID
	if _, err := h.db.Exec(t.Context(), "DELETE FROM event WHERE uuid = $1", string(uuid)); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		report := h.run(h.owner, adminapi.ImportBody{Content: file, DryRun: &dry, Overwrite: true})
		h.wantCounts("again", report, adminapi.ImportCounts{Rows: 2, Unchanged: 1, Deleted: 1})
		if event := report.Events[0]; event.Action != adminapi.ImportDeleted || event.EventUUID != "" || len(event.Changes) > 0 {
			t.Errorf("got %+v", event)
		}
	}
	restored := adminapi.ImportBody{Content: file, Restore: true}
	h.wantCounts("trying to restore", h.run(h.owner, restored), adminapi.ImportCounts{Rows: 2, Create: 1, Unchanged: 1})
	restored.DryRun = new(bool)
	report := h.run(h.owner, restored)
	h.wantCounts("restored", report, adminapi.ImportCounts{Rows: 2, Create: 1, Unchanged: 1})
	if event := h.event(report.Events[0].EventUUID); event.Title != "Jazz" || event.UUID == string(uuid) {
		t.Errorf("got %+v", event)
	}
	h.wantCounts("afterwards", h.imported(file), adminapi.ImportCounts{Rows: 2, Unchanged: 2})
}

// TestMissingEvents: public events that the file no longer has are cancelled or withdrawn if the
// request wants that, by the rights of the caller.
func TestMissingEvents(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	head := "Titel;Datum;Onlinelink\n"
	public := adminapi.ImportBody{
		Content: head + "Jazz;24.12.2026;https://example.org\nChor;24.12.2026;https://example.org\nTanz;24.12.2026;https://example.org\n",
		DryRun:  new(bool),
	}
	public.Defaults.ReleaseStatus = rules.StatusReleased
	events := h.run(h.owner, public).Events
	h.edit(events[2].EventUUID, func(e *rules.Event) { e.ReleaseStatus = rules.StatusDraft })
	editor := h.member(h.org, permission.EditEvent)
	body := adminapi.ImportBody{Content: head + "Jazz;24.12.2026;https://example.org\n"}
	statuses := func() []string {
		var all []string
		for _, e := range events {
			all = append(all, h.event(e.EventUUID).ReleaseStatus)
		}
		return all
	}
	for _, step := range []struct {
		name, missing string
		dry           bool
		actions       []string // of Chor and Tanz
		status        string   // of Chor afterwards
	}{
		{"by default", "", false, []string{"keep", "keep"}, rules.StatusReleased},
		{"tried by an editor", "cancel", true, []string{"refuse", "keep"}, rules.StatusReleased},
		{"by an editor", "cancel", false, []string{"refuse", "keep"}, rules.StatusReleased},
		{"tried", "cancel", true, []string{"cancel", "keep"}, rules.StatusReleased},
		{"cancelled", "cancel", false, []string{"cancel", "keep"}, rules.StatusCancelled},
		{"again", "cancel", false, []string{"keep", "keep"}, rules.StatusCancelled},
		{"withdrawn", "draft", false, []string{"draft", "keep"}, rules.StatusDraft},
	} {
		who := h.owner
		if slices.Contains(step.actions, "refuse") {
			who = editor
		}
		body.Missing, body.DryRun = value.Text(step.missing), &step.dry
		report := h.run(who, body)
		var actions []string
		for _, m := range report.Missing {
			actions = append(actions, m.Action)
			if (m.Action == "refuse") != (len(m.Reasons) > 0) {
				t.Errorf("%s: %+v", step.name, m)
			}
		}
		if got := statuses(); !slices.Equal(actions, step.actions) || !slices.Equal(got, []string{"released", step.status, "draft"}) {
			t.Errorf("%s: %v, %v", step.name, actions, got)
		}
	}
}

// TestDryRunTriesManyAtOnce: so that a full file is done in the time of a request. It finds what
// the import finds.
func TestDryRunTriesManyAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	try := func(file string) adminapi.ImportReport {
		before := h.db.Pool().Stat().AcquireCount()
		tried := h.run(h.owner, adminapi.ImportBody{Content: file, Overwrite: true})
		if count := h.db.Pool().Stat().AcquireCount() - before; count > 100 {
			t.Errorf("a dry run took %d transactions", count)
		}
		return tried
	}
	h.wantCounts("a full file", try(programme(eventfile.MaxRows)), adminapi.ImportCounts{Rows: eventfile.MaxRows, Create: eventfile.MaxRows - 5, Refuse: 5})
	h.imported(programme(250))
	changed := strings.ReplaceAll(programme(300), "Text", strings.Repeat("Text ", 5))
	changed = strings.ReplaceAll(changed, "Konzert 7;", strings.Repeat("lang ", 500)+";") // too long: refused
	tried := try(changed)
	done := h.run(h.owner, adminapi.ImportBody{Content: changed, Overwrite: true, DryRun: new(bool)})
	h.wantCounts("changed", tried, adminapi.ImportCounts{Rows: 300, Create: 50, Update: 244, Refuse: 6})
	for i := range done.Events {
		done.Events[i].EventUUID = tried.Events[i].EventUUID
	}
	if !reflect.DeepEqual(tried.Events, done.Events) || tried.Counts != done.Counts {
		t.Errorf("tried %+v, done %+v", tried.Counts, done.Counts)
	}
}

// TestEventsComeBack: an event that was missing has its status again once it is in the file, unless
// people have changed it.
func TestEventsComeBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	const head, jazz, choir = "Titel;Datum;Onlinelink\n", "Jazz;24.12.2026;https://example.org\n", "Chor;24.12.2026;https://example.org\n"
	body := adminapi.ImportBody{Content: head + jazz + choir, DryRun: new(bool), Missing: adminapi.MissingCancel}
	body.Defaults.ReleaseStatus = rules.StatusReleased
	uuid := h.run(h.owner, body).Events[1].EventUUID
	for _, missing := range []value.Text{adminapi.MissingCancel, adminapi.MissingDraft} {
		body.Content, body.Missing = head+jazz, missing
		h.run(h.owner, body)
	}
	if status := h.event(uuid).ReleaseStatus; status != rules.StatusDraft {
		t.Fatalf("missing: %s", status)
	}
	body.Content = head + jazz + choir
	h.wantCounts("again", h.run(h.owner, body), adminapi.ImportCounts{Rows: 2, Update: 1, Unchanged: 1})
	h.wantCounts("once more", h.run(h.owner, body), adminapi.ImportCounts{Rows: 2, Unchanged: 2})
	if status := h.event(uuid).ReleaseStatus; status != rules.StatusReleased {
		t.Errorf("again: %s", status)
	}
	body.Content = head + jazz
	h.run(h.owner, body)
	h.edit(uuid, func(e *rules.Event) { e.ReleaseStatus = rules.StatusReleased })
	h.run(h.owner, body)
	if status := h.event(uuid).ReleaseStatus; status != rules.StatusReleased {
		t.Errorf("released here: %s", status)
	}
}
