package importing_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/importing"
	"litfass/services/console/internal/page"
	"litfass/services/console/internal/page/pagetest"
)

const (
	path      = "/console/organization/" + pagetest.Org + "/import"
	operation = "POST /api/admin/organization/" + pagetest.Org + "/import"
)

// start runs the pages over a service that reports what hostile files hold.
func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, func(r page.Router) { importing.Mount(r) })
	c.Answer("GET /api/admin/user/choosable-event-places", 200, adminapi.ChoosablePlaces{})
	c.AnswerWith(operation, func(call pagetest.Call) (int, any) {
		var body adminapi.ImportBody
		if err := json.Unmarshal(call.Body, &body); err != nil {
			t.Error(err)
		}
		return 200, report(body)
	})
	return c
}

func report(body adminapi.ImportBody) adminapi.ImportReport {
	column := adminapi.ImportColumn{Name: "Titel", Samples: []string{"<b>x</b>"}, Field: "title", GuessedBy: "header"}
	for _, m := range body.Mapping {
		if m.Column == "Titel" {
			column.Field, column.GuessedBy = m.Field, ""
		}
	}
	deleted, missing := adminapi.ImportDeleted, adminapi.MissingKeep
	if body.Restore {
		deleted = adminapi.ImportCreate
	}
	if body.Missing != "" {
		missing = string(body.Missing)
	}
	return adminapi.ImportReport{
		Format: "csv", Source: "file", DryRun: *body.DryRun, Complete: true,
		Columns: []adminapi.ImportColumn{column, {Name: "Text"}}, Fields: []string{"title", "summary"},
		Events: []adminapi.ImportEvent{
			{Number: 2, Rows: []int{2}, Action: adminapi.ImportCreate, Title: "<script>alert(1)</script>"},
			{
				Number: 3, Rows: []int{3}, Action: adminapi.ImportCreate, Title: strings.Repeat("A", 10_000),
				Notes: []adminapi.ImportReason{{Row: 3, Violation: fault.Violate("title", reason.TextOfDate("<i>An evening of its own"))}},
			},
			{
				Number: 4, Rows: []int{4}, Action: adminapi.ImportRefuse, Start: "T20:00",
				Reasons: []adminapi.ImportReason{{Row: 4, Violation: fault.Violation{Field: "start_date", Reason: "is no day"}}},
			},
			{Number: 5, Rows: []int{5}, Action: deleted, Title: "Was deleted"},
		},
		Missing: []adminapi.ImportMissing{{EventUUID: missingEvent, Title: "No longer in the file", Action: missing}},
		Counts:  adminapi.ImportCounts{Rows: 4, Create: 2, Refuse: 1, Missing: 1, Deleted: 1},
	}
}

const missingEvent = "0197a1b2-c3d4-7e5f-8a6b-0000000000ee"

// hiddenFields reads what a page carries to the next step.
func hiddenFields(body string) url.Values {
	values := url.Values{}
	for _, found := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		values.Add(found[1], html.UnescapeString(found[2]))
	}
	return values
}

// preview sends a file as the first step does, and returns the second one with its fields.
func preview(t *testing.T, c *pagetest.Console) (pagetest.Answer, url.Values) {
	t.Helper()
	got := c.Post(path, url.Values{"content": {importing.Pack([]byte("Titel\nJazz\n"))}, "name": {"programme.csv"}})
	if got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	fields := hiddenFields(got.Body)
	fields.Set("field.0", "title")
	return got, fields
}

func sent(t *testing.T, c *pagetest.Console) adminapi.ImportBody {
	t.Helper()
	calls := c.Calls(operation)
	var body adminapi.ImportBody
	if err := json.Unmarshal(calls[len(calls)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestTheFileGoesFromStepToStep(t *testing.T) {
	c := start(t)
	got, fields := preview(t, c)
	for _, want := range []string{"&lt;script&gt;", "Row 4", "is no day", "&lt;b&gt;x", "· 20:00", "&lt;i&gt;An evening of its own"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	if strings.Contains(got.Body, "<script>alert") || strings.Contains(got.Body, strings.Repeat("A", 200)) {
		t.Error("hostile text is shown as it is")
	}
	if !*sent(t, c).DryRun {
		t.Error("the preview imports")
	}
	fields.Set("action", "import")
	got = c.Post(path, fields)
	if body := sent(t, c); got.Status != http.StatusOK || *body.DryRun || body.ContentBase64 != "VGl0ZWwKSmF6ego=" || len(body.Mapping) != 0 {
		t.Errorf("import: %d, sent %+v", got.Status, body)
	}
	if !strings.Contains(got.Body, `id="import-repeat"`) {
		t.Errorf("there is no report: %s", got.Body)
	}
}

// TestDeletedAndMissingEvents: the preview says which events were deleted here and which the file
// no longer has, and what becomes of them is chosen there.
func TestDeletedAndMissingEvents(t *testing.T) {
	c := start(t)
	got, fields := preview(t, c)
	for _, want := range []string{"Deleted here, and not imported again", `id="restore"`, `name="missing"`, "No longer in the file"} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	fields.Set("restore", "true")
	fields.Set("missing", "cancel")
	got = c.Post(path, fields)
	if body := sent(t, c); !body.Restore || body.Missing != adminapi.MissingCancel || !*body.DryRun {
		t.Errorf("sent %+v", body)
	}
	for _, want := range []string{"would be cancelled", `<option value="cancel" selected`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	fields.Set("seen", hiddenFields(got.Body).Get("seen"))
	fields.Set("action", "import")
	got = c.Post(path, fields)
	if body := sent(t, c); !body.Restore || body.Missing != adminapi.MissingCancel || *body.DryRun || got.Status != http.StatusOK {
		t.Errorf("import: %d, sent %+v", got.Status, body)
	}
}

func TestOnlyWhatWasSeenIsImported(t *testing.T) {
	for name, change := range map[string][2]string{
		"overwrite": {"overwrite", "true"}, "mapping": {"field.0", "summary"}, "no preview": {"seen", ""}, "another source": {"source", "new"},
	} {
		c := start(t)
		_, fields := preview(t, c)
		fields.Set("action", "import")
		fields.Set(change[0], change[1])
		got := c.Post(path, fields)
		if !*sent(t, c).DryRun || !strings.Contains(got.Body, `id="import-changed"`) {
			t.Errorf("%s: imported at once", name)
		}
	}
}

func TestAFieldIsOneColumn(t *testing.T) {
	c := start(t)
	_, fields := preview(t, c)
	fields.Set("field.0", "summary")
	fields.Set("field.1", "summary")
	got := c.Post(path, fields)
	if body := sent(t, c); len(body.Mapping) != 2 || body.Mapping[1].Field != "" || strings.Contains(got.Body, `id="import-do"`) {
		t.Errorf("sent %+v", body.Mapping)
	}
}

// TestTheChoiceOfColumnsIsKept: the link to import again fills in what was chosen, and no guess.
func TestTheChoiceOfColumnsIsKept(t *testing.T) {
	c := start(t)
	_, fields := preview(t, c)
	fields.Set("field.0", "summary")
	fields.Set("date_order", "mdy")
	fields = hiddenFields(c.Post(path, fields).Body)
	fields.Set("field.0", "summary")
	fields.Set("date_order", "mdy")
	fields.Set("action", "import")
	link := regexp.MustCompile(`id="import-repeat"[^§]*? href="([^"]+)"`).FindStringSubmatch(c.Post(path, fields).Body)
	if *sent(t, c).DryRun || link == nil {
		t.Fatalf("nothing was imported: %v", link)
	}
	kept := hiddenFields(c.Get(html.UnescapeString(link[1])).Body)
	if kept.Get("column") != "Titel" || len(kept["column"]) != 1 {
		t.Errorf("the form keeps %v", kept)
	}
	kept.Set("content", importing.Pack([]byte("Titel\nBlues\n")))
	c.Post(path, kept)
	if body := sent(t, c); len(body.Mapping) != 1 || body.Mapping[0].Field != "summary" || body.DateOrder != "mdy" {
		t.Errorf("sent %+v", body)
	}
}

// TestUnknownVenuesAndTypesAreChosenOnce: the choices reach the service, and the import only with
// the preview of them.
func TestUnknownVenuesAndTypesAreChosenOnce(t *testing.T) {
	c := start(t)
	c.AnswerWith(operation, func(call pagetest.Call) (int, any) {
		var body adminapi.ImportBody
		if err := json.Unmarshal(call.Body, &body); err != nil {
			t.Error(err)
		}
		shown := report(body)
		mill := adminapi.ImportVenue{Name: "Alte <Mühle>", PostalCode: "24103", City: "Kiel", Events: 3, Proposals: []adminapi.FoundVenue{{UUID: missingEvent, Name: "Mühle", OrgName: "Jazzclub"}}}
		kind := adminapi.ImportType{ImportKind: adminapi.ImportKind{Name: "Fete"}, Events: 2}
		for _, v := range body.Venues {
			mill.VenueUUID, mill.Create = v.VenueUUID, v.Create
		}
		for _, k := range body.Kinds {
			kind.TypeID = k.TypeID
		}
		shown.Venues, shown.Kinds = []adminapi.ImportVenue{mill}, []adminapi.ImportType{kind}
		return 200, shown
	})
	got, fields := preview(t, c)
	if body := sent(t, c); body.Venues != nil || body.Kinds != nil || body.Mapping != nil {
		t.Errorf("the first preview sends choices: %+v", body)
	}
	for _, want := range []string{"Alte &lt;Mühle&gt;", "3 events", "Mühle (Jazzclub)", "a new venue: 24103 Kiel", "Fete", `name="venue.0.choice"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	fields.Set("venue.0.choice", missingEvent)
	fields.Set("kind.0", "5")
	fields.Set("action", "import")
	got = c.Post(path, fields)
	body := sent(t, c)
	if !*body.DryRun || !strings.Contains(got.Body, `id="import-changed"`) {
		t.Error("imported without a preview of the choices")
	}
	want := adminapi.ImportPlace{Name: "Alte <Mühle>", PostalCode: "24103", City: "Kiel", VenueUUID: missingEvent}
	if len(body.Venues) != 1 || body.Venues[0] != want || len(body.Kinds) != 1 || body.Kinds[0] != (adminapi.ImportKind{Name: "Fete", TypeID: 5}) || body.Mapping == nil {
		t.Errorf("sent %+v", body)
	}
	fields.Set("seen", hiddenFields(got.Body).Get("seen"))
	if c.Post(path, fields); *sent(t, c).DryRun {
		t.Error("the choices that were seen are not imported")
	}
	fields.Set("venue.0.choice", "create")
	c.Post(path, fields)
	if body := sent(t, c); !body.Venues[0].Create || body.Venues[0].VenueUUID != "" {
		t.Errorf("sent %+v", body.Venues)
	}
}

// TestChoicesOfTheLastSuchFileAreAdopted: they stand in the form of the first preview, which is
// imported with them.
func TestChoicesOfTheLastSuchFileAreAdopted(t *testing.T) {
	c := start(t)
	c.AnswerWith(operation, func(call pagetest.Call) (int, any) {
		var body adminapi.ImportBody
		if err := json.Unmarshal(call.Body, &body); err != nil {
			t.Error(err)
		}
		shown := report(body)
		shown.Columns[0] = adminapi.ImportColumn{Name: "Titel", Field: "summary", GuessedBy: "earlier"}
		shown.DateOrder = "mdy"
		shown.Venues = []adminapi.ImportVenue{{Name: "Mühle", VenueUUID: missingEvent, VenueName: "Alte Mühle", Events: 1}}
		return 200, shown
	})
	got, fields := preview(t, c)
	for _, want := range []string{`<option value="` + missingEvent + `" selected>Alte Mühle`, `<option value="mdy" selected`, "As in your last file", `name="chosen.0" value="true"`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	fields.Set("field.0", "summary")
	fields.Set("date_order", "mdy")
	fields.Set("venue.0.choice", missingEvent)
	fields.Set("action", "import")
	c.Post(path, fields)
	if body := sent(t, c); *body.DryRun || len(body.Mapping) != 1 || body.Mapping[0].Field != "summary" || len(body.Venues) != 1 || body.DateOrder != "mdy" {
		t.Errorf("imported %+v", body)
	}
}

// TestAChoiceForOtherColumnsIsForgotten: the preview is made without it, and says so.
func TestAChoiceForOtherColumnsIsForgotten(t *testing.T) {
	for _, field := range []string{"mapping", "mapping[0].column"} {
		c := start(t)
		_, fields := preview(t, c)
		fields.Set("field.0", "summary")
		fields.Set("date_order", "ydm")
		fields.Set("action", "import")
		c.AnswerWith(operation, func(call pagetest.Call) (int, any) {
			var body adminapi.ImportBody
			if err := json.Unmarshal(call.Body, &body); err != nil {
				t.Error(err)
			}
			if len(body.Mapping) > 0 {
				return http.StatusBadRequest, adminapi.Error{
					Error: "no such column", Code: "invalid_file", Details: []fault.Violation{{Field: field, Reason: "names no column"}},
				}
			}
			return http.StatusOK, report(body)
		})
		got := c.Post(path, fields)
		body := sent(t, c)
		if got.Status != http.StatusOK || !*body.DryRun || len(body.Mapping) != 0 || body.DateOrder != "" ||
			!strings.Contains(got.Body, `id="import-forgotten"`) {
			t.Errorf("%s: %d, sent %+v", field, got.Status, body)
		}
	}
}

// TestALongChoiceOfColumnsIsNoLink: a bookmark has a length.
func TestALongChoiceOfColumnsIsNoLink(t *testing.T) {
	c := start(t)
	query := url.Values{"column": {strings.Repeat("A", 5000)}, "field.0": {"title"}, "chosen.0": {"true"}}
	fields := hiddenFields(c.Get(path + "?" + query.Encode()).Body)
	fields.Set("content", importing.Pack([]byte("Titel\nJazz\n")))
	fields.Set("source", "mine")
	got := c.Post(path, fields)
	if mapped := len(sent(t, c).Mapping); mapped != 1 || strings.Contains(got.Body, "column=AAA") || !strings.Contains(got.Body, "source=mine") {
		t.Errorf("%d, sent %d columns", got.Status, mapped)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	c := start(t)
	for name, form := range map[string]url.Values{
		"none": {}, "a forged one": {"content": {"%%%"}}, "a bomb": {"content": {importing.Pack(make([]byte, 6<<20))}},
		"no address": {"address": {"ftp://example.org/a.ics"}}, "a password": {"address": {"https://a:b@example.org/"}},
		"no day": {"address": {"https://example.org/"}, "until": {"31.12.2027"}},
	} {
		form.Set("source", "my source")
		if got := c.Post(path, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="my source"`) {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
	if calls := c.Calls(operation); len(calls) != 0 {
		t.Errorf("%d of them were sent", len(calls))
	}
}

func TestAddressesAreExplained(t *testing.T) {
	c := start(t)
	refusal := adminapi.Error{Error: "the file cannot be read", Code: "address_not_public"}
	c.Refuse(operation, http.StatusBadRequest, refusal)
	if got := c.Post(path, url.Values{"address": {"https://example.org/a.ics"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestWhoMayImport(t *testing.T) {
	c := start(t)
	c.Member(permission.AddEvent | permission.ChooseAsEventOrganization)
	if got := c.Get(path); got.Status != http.StatusOK {
		t.Errorf("with the permissions: %d", got.Status)
	}
	c.Member(permission.ViewEventInsights)
	if got := c.Get(path); got.Status != http.StatusForbidden {
		t.Errorf("without: %d", got.Status)
	}
	c.Refuse(operation, http.StatusForbidden, adminapi.Error{Error: "you may not", Code: "forbidden"})
	got := c.Post(path, url.Values{"address": {"https://example.org/a.ics"}})
	if got.Status != http.StatusForbidden {
		t.Errorf("a forged form: %d", got.Status)
	}
}

func TestAnInterruptedImportGoesOn(t *testing.T) {
	c := start(t)
	_, fields := preview(t, c)
	fields.Set("action", "import")
	c.Refuse(operation, http.StatusServiceUnavailable, adminapi.Error{Error: "busy", Code: "busy"})
	got := c.Post(path, fields)
	again := hiddenFields(got.Body)
	if got.Status != http.StatusServiceUnavailable || again.Get("content") != fields.Get("content") || again.Get("seen") != fields.Get("seen") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
