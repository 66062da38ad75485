package eventimport

import (
	"fmt"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
)

// contributor adds a contributor of an organization and returns its uuid.
func (h *house) contributor(org, name, note string) string {
	h.Helper()
	ctx := h.owner
	if org == h.foreign {
		ctx = h.ownersOfOthers
	}
	made, err := h.service.Editor.CreateContributor(ctx, &rules.Contributor{OrgUUID: value.Text(org), Name: name, Note: value.Text(note)})
	if err != nil {
		h.Fatal(err)
	}
	return made.Answer.UUID
}

// named are the contributors of an event, with their roles.
func (h *house) named(event value.Text) string {
	h.Helper()
	var all []string
	for _, one := range h.event(event).Contributors {
		c, err := h.service.Editor.Contributor(h.owner, one.UUID)
		if err != nil {
			h.Fatal(err)
		}
		all = append(all, strings.Join([]string{one.Role, c.Answer.Type, c.Answer.Name, string(c.Answer.Note), string(c.Answer.WebLink), string(c.Answer.Wikidata)}, "|"))
	}
	return strings.Join(all, " ")
}

func (h *house) contributors() (count int) {
	h.Helper()
	if err := h.db.QueryRow(h.Context(), `SELECT count(*) FROM contributor`).Scan(&count); err != nil {
		h.Fatal(err)
	}
	return count
}

const headOfCast = "ID;Titel;Datum;Beginn;Mitwirkende\n"

// TestNamesOfAFileAreContributors: each name is added once, found again, and edits here are kept.
func TestNamesOfAFileAreContributors(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.contributor(h.foreign, "Anna Thomsen", "") // a namesake, whom the file cannot mean
	file := headOfCast + `1;Jazz;24.12.2026;20:00;"Regie: Anna Thomsen; Ensemble: Trio (Kiel) https://trio.example https://www.wikidata.org/wiki/Q254"
2;Chor;25.12.2026;20:00;"anna THOMSEN, Solist: Anna Thomsen, Anna Thomsen"
3;Tanz;26.12.2026;20:00;
`
	before := h.rows()
	h.wantCounts("dry run", h.run(h.owner, adminapi.ImportBody{Content: file}), adminapi.ImportCounts{Rows: 3, Create: 3})
	if h.rows() != before || h.contributors() != 1 {
		t.Fatalf("a dry run has written: %s, before %s", h.rows(), before)
	}
	report := h.imported(file)
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: 3, Create: 3})
	jazz, choir := report.Events[0].EventUUID, report.Events[1].EventUUID
	if got := h.named(jazz); got != "director|person|Anna Thomsen||| ensemble|group|Trio|Kiel|https://trio.example|Q254" {
		t.Errorf("the first event names %s", got)
	}
	if got := h.named(choir); got != "performer|person|Anna Thomsen||| soloist|person|Anna Thomsen|||" {
		t.Errorf("the second event names %s", got)
	}
	if h.event(jazz).Contributors[0].UUID != h.event(choir).Contributors[0].UUID || h.contributors() != 3 {
		t.Errorf("there are %d contributors", h.contributors())
	}
	shown := ""
	for _, c := range report.Events[0].Changes {
		if c.Field == "contributors" {
			shown = string(c.After)
		}
	}
	if shown != "Anna Thomsen (director), Trio (ensemble)" {
		t.Errorf("shown are %s", shown)
	}
	written := h.rows()
	h.wantCounts("again", h.imported(file), adminapi.ImportCounts{Rows: 3, Unchanged: 3})
	if h.rows() != written || h.contributors() != 3 {
		t.Errorf("an import of the same has written: %s, before %s", h.rows(), written)
	}

	h.edit(choir, func(e *rules.Event) { e.Contributors = e.Contributors[:1] })
	changed := strings.Replace(strings.Replace(file, "; Ensemble: Trio (Kiel) https://trio.example https://www.wikidata.org/wiki/Q254", "", 1), "20:00;\n", "20:00;Bo\n", 1)
	h.wantCounts("changed", h.imported(changed), adminapi.ImportCounts{Rows: 3, Update: 2, Unchanged: 1, Edited: 1})
	if got := strings.Join([]string{h.named(jazz), h.named(choir), h.named(report.Events[2].EventUUID)}, " "); got != "director|person|Anna Thomsen||| performer|person|Anna Thomsen||| performer|person|Bo|||" {
		t.Errorf("named are %s", got)
	}
}

// TestNamesThatAFileCannotMean are left out, and noted.
func TestNamesThatAFileCannotMean(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.contributor(h.org, "Anna Thomsen", "Kiel")
	h.contributor(h.org, "Anna Thomsen", "Husum")
	report := h.imported(headOfCast + "1;Jazz;24.12.2026;20:00;Anna Thomsen\n2;Chor;25.12.2026;20:00;Anna Thomsen (husum)\n3;Tanz;26.12.2026;20:00;" + strings.Repeat("x", 501) + "\n")
	h.wantCounts("import", report, adminapi.ImportCounts{Rows: 3, Create: 3})
	want := []string{"[2 contributors ambiguous_contributor]", "[]", "[4 contributors.name too_long]"}
	for i, e := range report.Events {
		notes := []string{}
		for _, n := range e.Notes {
			notes = append(notes, fmt.Sprint(n.Row, n.Field, n.Code))
		}
		if got := fmt.Sprint(notes); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want[i], " ", "") {
			t.Errorf("event %d: %s, want %s", i, got, want[i])
		}
	}
	if got := h.named(report.Events[0].EventUUID) + h.named(report.Events[1].EventUUID) + h.named(report.Events[2].EventUUID); got != "performer|person|Anna Thomsen|Husum||" {
		t.Errorf("named are %s", got)
	}

	// Who may not edit events adds no contributors, but names them.
	adder := h.member(h.org, permission.AddEvent|permission.ChooseAsEventOrganization|permission.ChooseVenue)
	report = h.run(adder, adminapi.ImportBody{Content: headOfCast + "4;Fest;27.12.2026;20:00;Anna Thomsen (Kiel), Bo\n", Source: "other", DryRun: new(bool)})
	h.wantCounts("by one who adds events", report, adminapi.ImportCounts{Rows: 1, Create: 1})
	if notes := report.Events[0].Notes; len(notes) != 1 || notes[0].Code != "unknown_reference" || h.contributors() != 2 {
		t.Errorf("noted are %+v, of %d contributors", notes, h.contributors())
	}
	if got := h.named(report.Events[0].EventUUID); got != "performer|person|Anna Thomsen|Kiel||" {
		t.Errorf("named are %s", got)
	}
}

// TestUUIDsOfAnotherLitfass: a stranger who was first with a uuid does not appear under the events
// of others, unless under the same name.
func TestUUIDsOfAnotherLitfass(t *testing.T) {
	t.Parallel()
	const first, own, merged, hidden = "0192f0a0-0000-7000-8000-0000000000c1", "0192f0a0-0000-7000-8000-0000000000c2", "0192f0a0-0000-7000-8000-0000000000c3", "0192f0a0-0000-7000-8000-0000000000c4"
	for _, given := range []struct {
		uuid, name string
		known      bool
	}{
		{first, "BUY PILLS", true}, {first, "buy pills", true}, {first, "Trio Nord", false}, {own, "Trio Nord", true}, {merged, "Trio Nord", true},
		{hidden, "Secret", false},
	} {
		cs := &contributors{org: own, mayAdd: true, byUUID: map[string]int{}, made: map[string]*rules.Contributor{}}
		cs.add(contributor{UUID: first, Name: "BUY PILLS", Visible: true})
		cs.add(contributor{UUID: own, Name: "Trio", Former: []string{merged}, Visible: true, Named: true})
		cs.add(contributor{UUID: hidden, Name: "Secret"})
		id, why := cs.find(adminapi.GivenContributor{UUID: value.Text(given.uuid), Name: given.name, Type: "group", Role: "ensemble"})
		if why != nil {
			t.Fatal(why)
		}
		if made := cs.made[id]; given.known != (made == nil) || !given.known && (made.Name != given.name || id == given.uuid) {
			t.Errorf("%s %q is %s, made %v", given.uuid, given.name, id, made)
		}
	}
}
