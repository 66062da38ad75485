package organization_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/organization"
	"litfass/services/console/internal/page/pagetest"
)

const (
	api    = "/api/admin/organization/" + pagetest.Org
	root   = "/console/organization/" + pagetest.Org
	first  = "0192f0a0-0000-7000-8000-0000000000e1"
	second = "0192f0a0-0000-7000-8000-0000000000e2"
	script = `<script>alert(1)</script>`
)

// start runs the pages over an organization with two events, a draft without a place and a public
// one; their titles are hostile.
func start(t *testing.T) *pagetest.Console {
	t.Helper()
	return startIn(t, time.UTC)
}

// startIn is start on a platform in another time zone.
func startIn(t *testing.T, zone *time.Location) *pagetest.Console {
	t.Helper()
	c := pagetest.StartIn(t, zone, organization.Mount)
	c.Answer("GET "+api, 200, adminapi.Organization{
		OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher " + script, Country: "DEU"},
		Approval:           adminapi.Approval{State: adminapi.ApprovalPending},
	})
	c.Answer("GET "+api+"/venues", 200, adminapi.Venues{})
	c.Answer("GET "+api+"/events", 200, adminapi.Events{Events: []adminapi.EventDate{
		{
			EventUUID: first, Title: "Jazz " + script, ReleaseStatus: "draft", EventReleaseStatus: "draft",
			Missing: []string{"dates", "venue_uuid"}, ETag: `"3"`,
		},
		{
			EventUUID: second, Title: strings.Repeat("W", 2000), ReleaseStatus: "released", EventReleaseStatus: "released",
			StartDate: "2026-12-24", StartTime: "19:30", VenueName: "Saal", ETag: `"5"`,
		},
	}, Page: adminapi.Page{TotalCount: 2, Limit: 50}})
	c.Answer("GET /api/admin/user/choosable-event-places", 200, adminapi.ChoosablePlaces{})
	for uuid, title := range map[string]string{first: "Jazz " + script, second: "Lesung"} {
		event := adminapi.Event{}
		event.UUID, event.OrgUUID, event.Title, event.ReleaseStatus = uuid, pagetest.Org, title, "draft"
		event.Tags = []string{"Jazz"}
		c.Answer("GET /api/admin/event/"+uuid, 200, event)
	}
	return c
}

// role makes the person one with the permissions of a role.
func role(c *pagetest.Console, name permission.Role) {
	set, _ := permission.Of(name)
	c.Member(set)
}

func contains(t *testing.T, body string, wanted ...string) {
	t.Helper()
	for _, part := range wanted {
		if !strings.Contains(body, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}

func TestRolesSeeWhatTheyMayDo(t *testing.T) {
	c := start(t)
	marks := map[string]string{
		"new event": "/console/event/new?organization=", "team": root + `/team"`, "keys": root + `/keys"`,
		"log": root + `/audit"`, "import": root + `/import"`, "tick": `name="event"`, "delete": root + `/delete"`,
	}
	for name, offered := range map[permission.Role][]string{
		permission.Owner:       {"new event", "team", "keys", "log", "import", "tick", "delete"},
		permission.Manager:     {"new event", "team", "keys", "log", "import", "tick"},
		permission.Editor:      {"new event", "import", "tick"},
		permission.Contributor: {"new event", "import", "tick"},
		permission.Viewer:      {},
	} {
		role(c, name)
		pages := c.Get(root).Body + c.Get(root+"/events").Body + c.Get(root+"/settings").Body
		for mark, part := range marks {
			if got, want := strings.Contains(pages, part), slices.Contains(offered, mark); got != want {
				t.Errorf("%s: %s is offered: %t, want %t", name, mark, got, want)
			}
		}
		if got, want := strings.Contains(pages, "disabled"), name != permission.Owner && name != permission.Manager; got != want {
			t.Errorf("%s: the settings are locked: %t, want %t", name, got, want)
		}
	}
}

func TestTheLastOwnerIsNotOfferedToLeave(t *testing.T) {
	c := start(t)
	const link = `href="` + root + `/leave"`
	contains(t, c.Get(root).Body, link)
	c.LastOwner()
	if body := c.Get(root).Body; strings.Contains(body, link) {
		t.Error("the last owner is offered to leave")
	}
}

func TestContributorsAreNotOfferedToRelease(t *testing.T) {
	c := start(t)
	address := root + "/events/change?event=" + first
	for name, want := range map[permission.Role]bool{permission.Editor: true, permission.Contributor: false} {
		role(c, name)
		if got := strings.Contains(c.Get(address).Body, `value="release"`); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestHostileWordsAreText(t *testing.T) {
	c := start(t)
	for _, path := range []string{
		root, root + "/events", root + "/settings", root + "/delete", root + "/events/change?event=" + first,
		root + "/events?search=" + url.QueryEscape(script),
	} {
		got := c.Get(path)
		if got.Status != http.StatusOK || strings.Contains(got.Body, script) {
			t.Errorf("%s: %d, or it holds a script", path, got.Status)
		}
	}
}

func TestDraftsSayWhatIsMissing(t *testing.T) {
	c := start(t)
	contains(t, c.Get(root+"/events").Body, "Still missing: date, place or online link", `data-status="draft"`, "Thu 24 Dec, 19:30")
	contains(t, c.Get(root).Body, `id="approval"`)
}

func TestFiltersAskTheAdminService(t *testing.T) {
	c := start(t)
	for address, want := range map[string]url.Values{
		"": {"has_dates": {"any"}, "per_event": {"true"}, "sort": {"start"}},
		"?period=all&search=jazz&status=draft&status=review": {"start": {"1900-01-01"}, "search": {"jazz"}, "statuses": {"draft,review"}},
		"?period=undated&from=2026-12-01":                    {"has_dates": {"false"}},
		"?from=2026-12-01&to=2026-12-31&each=date&page=3":    {"start": {"2026-12-01"}, "end": {"2026-12-31"}, "offset": {"100"}, "has_dates": {"true"}},
		"?sort=drop&status=x&from=never&venue=1&page=-4":     {"sort": {"start"}, "offset": {"0"}},
	} {
		if got := c.Get(root + "/events" + address); got.Status != http.StatusOK {
			t.Fatalf("%s: %d", address, got.Status)
		}
		calls := c.Calls("GET " + api + "/events")
		asked := calls[len(calls)-1].Query
		for name, values := range want {
			if asked.Get(name) != values[0] {
				t.Errorf("%s asks for %s=%q, want %q", address, name, asked.Get(name), values[0])
			}
		}
	}
}

func TestAScriptGetsTheListAlone(t *testing.T) {
	c := start(t)
	got := c.Get(root+"/events?search=jazz&period=upcoming", pagetest.Script...)
	if strings.Contains(got.Body, "<html") || !strings.Contains(got.Body, `data-address="`+root+`/events?search=jazz"`) {
		t.Errorf("%.300s", got.Body)
	}
}

// bulk is what the admin service was asked to change.
func bulk(t *testing.T, c *pagetest.Console) []map[string]any {
	t.Helper()
	calls := c.Calls("PUT /api/admin/events/bulk")
	if len(calls) == 0 {
		t.Fatal("nothing was asked for")
	}
	var body struct {
		Events []map[string]any `json:"events"`
	}
	if err := json.Unmarshal(calls[len(calls)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Events
}

func TestEventsAreChangedAtOnce(t *testing.T) {
	c := start(t)
	c.Answer("PUT /api/admin/events/bulk", 200, adminapi.BulkResult{Events: []adminapi.BulkEvent{
		{UUID: first, ETag: `"2"`}, {UUID: second, Warned: adminapi.Warned{Warnings: []adminapi.Warning{{Code: adminapi.WarnDatePast}}}},
	}})
	got := c.Post(root+"/events/change", url.Values{
		"event": {first, second, first, "no uuid"}, "change": {"add_tags"}, "tags": {"jazz, Hafen"}, "etag." + first: {`"1"`},
	})
	if got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	contains(t, got.Body, `data-outcome="changed"`, `data-outcome="warned"`, "One of its dates is in the past.")
	events := bulk(t, c)
	tags, _ := json.Marshal(events[0]["tags"])
	if len(events) != 2 || string(tags) != `["Jazz","Hafen"]` || events[0]["if_match"] != `"1"` {
		t.Errorf("%v", events)
	}
}

func TestARefusedChangeIsReportedByEvent(t *testing.T) {
	c := start(t)
	c.Refuse("PUT /api/admin/events/bulk", 400, adminapi.Error{Error: "invalid", Code: "invalid_event", Details: []fault.Violation{
		{Field: first + ".dates", Reason: "is empty"},
	}})
	form := url.Values{"event": {first, second}, "change": {"release"}, "etag." + first: {`"1"`}, "etag." + second: {`"1"`}}
	got := c.Post(root+"/events/change", form)
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("%d", got.Status)
	}
	contains(t, got.Body, "It has no date.", `data-outcome="refused"`, `data-outcome="held"`, "Change the other one")
	_, rest, _ := strings.Cut(got.Body, `id="rest"`)
	rest, _, _ = strings.Cut(rest, "</form>")
	if strings.Contains(rest, first) || !strings.Contains(rest, second) {
		t.Errorf("the rest is %s", rest)
	}
}

// TestAReportSaysItsLanguage: on a German page a known reason or warning is German, and one that
// exists only in English is marked as English.
func TestAReportSaysItsLanguage(t *testing.T) {
	c := start(t)
	c.Get(root + "?lang=de")
	form := url.Values{"event": {first}, "change": {"set_tags"}, "tags": {"jazz"}, "etag." + first: {`"1"`}}
	report := func(wanted ...string) {
		t.Helper()
		body := c.Post(root+"/events/change", form).Body
		contains(t, body, wanted...)
		if strings.Contains(body, "\u2063") {
			t.Errorf("a mark is on the page: %s", body)
		}
	}
	c.Refuse("PUT /api/admin/events/bulk", 400, adminapi.Error{Error: "invalid", Code: "invalid_event", Details: []fault.Violation{
		{Field: first + ".tags", Reason: "is odd"}, fault.Violate(first+".tags[0]", reason.TooLong(20)),
	}})
	report(`<span lang="en">is odd</span>`, "<span>Höchstens 20 Zeichen.</span>")
	c.Refuse("PUT /api/admin/events/bulk", 409, adminapi.Error{Error: "quite unheard of", Code: "odd"})
	report(`<span lang="en">quite unheard of</span>`)
	c.Refuse("PUT /api/admin/events/bulk", 409, adminapi.Error{Error: "is taken back", Code: "event_taken_back"})
	report("<span>Die Plattform hat diese Veranstaltung zurückgezogen.")
	c.Answer("PUT /api/admin/events/bulk", 200, adminapi.BulkResult{Events: []adminapi.BulkEvent{
		{UUID: first, Warned: adminapi.Warned{Warnings: []adminapi.Warning{{Code: "odd", Message: "is quite odd"}}}},
	}})
	report(`<span lang="en">is quite odd</span>`)
}

func TestWhatAnotherPersonChangedIsNotOverwritten(t *testing.T) {
	c := start(t)
	c.Refuse("PUT /api/admin/events/bulk", 412, adminapi.Error{Error: "stale", Code: "stale_event", Details: []fault.Violation{
		{Field: first, Reason: "the event has changed since it was read"},
	}})
	got := c.Post(root+"/events/change", url.Values{"event": {first}, "change": {"cancel"}, "etag." + first: {`"0"`}})
	contains(t, got.Body, "Another person has changed it in the meantime.")
	if events := bulk(t, c); events[0]["if_match"] != `"0"` || events[0]["release_status"] != "cancelled" {
		t.Errorf("%v", events)
	}
}

func TestAnIncompleteChangeAsksAgain(t *testing.T) {
	c := start(t)
	for kind, want := range map[string]string{
		"": "Choose a change.", "add_tags": "Enter at least one tag.", "set_types": "Choose at least one kind.", "venue": "Choose a venue.",
	} {
		got := c.Post(root+"/events/change", url.Values{"event": {first}, "change": {kind}})
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, want) {
			t.Errorf("%q: %d", kind, got.Status)
		}
	}
	if calls := c.Calls("PUT /api/admin/events/bulk"); len(calls) > 0 {
		t.Error("something was changed")
	}
}

func TestForgedChangesAreRefused(t *testing.T) {
	c := start(t)
	role(c, permission.Viewer)
	refusal := adminapi.Error{Error: "you lack the permission", Code: "permission_missing"}
	c.Refuse("GET "+api+"/audit", 403, refusal)
	for _, got := range []pagetest.Answer{
		c.Post(root+"/events/change", url.Values{"event": {first}, "change": {"release"}}),
		c.Post(root+"/events/change", url.Values{"event": {first}}),
		c.Post(root+"/delete", url.Values{"password": {"secret"}}),
		c.Post(root+"/settings/contact", url.Values{"web_link": {"example.org"}}),
		c.Post(root+"/settings/contact", url.Values{"contact_email": {"no address"}}),
		c.Get(root + "/delete"), c.Get(root + "/audit"), c.Get(root + "/events/change?event=" + first),
	} {
		if got.Status != http.StatusForbidden {
			t.Errorf("%d", got.Status)
		}
	}
}

func TestAnOrganizationIsFounded(t *testing.T) {
	c := start(t)
	got := c.Post("/console/organization/new", url.Values{"name": {" "}, "city": {"Kiel " + script}})
	if got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, script) {
		t.Errorf("without a name: %d", got.Status)
	}
	contains(t, got.Body, "Please fill this in.", `value="Kiel &lt;script`)
	made := adminapi.WrittenOrganization{Organization: adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org}}}
	c.Answer("PUT /api/admin/organization", 201, made)
	got = c.Post("/console/organization/new", url.Values{"name": {"speicher"}, "country": {"DEU"}})
	if len(c.Calls("PUT /api/admin/organization")) > 0 || got.Header.Get("Location") != "/console/first/place?organization="+pagetest.Org {
		t.Errorf("the form of the person's organization is sent again: to %s", got.Header.Get("Location"))
	}
	got = c.Post("/console/organization/new", url.Values{"name": {"Kesselhaus"}, "country": {"DEU"}})
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != root+"?notice=org_founded" {
		t.Errorf("%d to %s", got.Status, got.Header.Get("Location"))
	}
}

func TestSettingsAreCheckedBeforeTheyAreSaved(t *testing.T) {
	c := start(t)
	for section, form := range map[string]url.Values{
		"profile": {"name": {""}}, "position": {"lat": {"91"}, "lon": {"10"}}, "contact": {"contact_email": {"anna"}},
	} {
		if got := c.Post(root+"/settings/"+section, form); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", section, got.Status)
		}
	}
	if got := c.Post(root+"/settings/position", url.Values{"lat": {"54,3"}}); !strings.Contains(got.Body, "A point on the map needs both latitude and longitude.") {
		t.Error("half a position")
	}
	if got := c.Post(root+"/settings/else", nil); got.Status != http.StatusNotFound {
		t.Errorf("an unknown section: %d", got.Status)
	}
}

func TestDeletionNamesWhatStandsAgainstIt(t *testing.T) {
	c := start(t)
	contains(t, c.Get(root+"/delete").Body, "It cannot be deleted yet.", "2 events")
	c.Answer("GET "+api+"/events", 200, adminapi.Events{})
	contains(t, c.Get(root+"/delete").Body, `type="password"`)
	c.Refuse("DELETE "+api, 403, adminapi.Error{Error: "the password is wrong", Code: "wrong_password"})
	got := c.Post(root+"/delete", url.Values{"password": {"secret"}})
	if got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "secret") {
		t.Errorf("%d, or the password is on the page", got.Status)
	}
	contains(t, got.Body, "This is not your password.")
}

func TestTheLogSpeaksInWords(t *testing.T) {
	c := start(t)
	c.Answer("GET "+api+"/team", 200, adminapi.Team{Members: []adminapi.Member{{UserID: 7, Email: "anna@example.org"}}})
	c.Answer("GET "+api+"/audit", 200, adminapi.AuditLog{Entries: []adminapi.AuditEntry{
		{
			At: pagetest.Now, ActorName: "Anna " + script, Action: "event.update", EntityKind: "event", EntityID: first,
			Before: []byte(`{"title":"Alt"}`), After: []byte(`{"title":"<b>Neu</b>","tags":["a"]}`),
		},
		{At: pagetest.Now, Action: "event.sing", EntityKind: "event", EntityID: second},
		{At: pagetest.Now, Action: "series.decide", EntityKind: "series", EntityID: second, After: []byte(`{"event_uuid":"x","state":"refused"}`)},
		{At: pagetest.Now, Action: "series.create", EntityKind: "series", EntityID: first, After: []byte(`{"title":"Fest"}`)},
		{At: pagetest.Now, Action: "portal.update", EntityKind: "portal", EntityID: second, After: []byte(`{"name":"Kiel"}`)},
		{At: pagetest.Now, Action: "contributor.merge", EntityKind: "contributor", EntityID: first, Before: []byte(`{"name":"Trio"}`)},
	}})
	got := c.Get(root + "/audit?from=2026-11-01&to=2026-11-22&action=event&actor=7&page=2")
	if strings.Contains(got.Body, script) || strings.Contains(got.Body, "<b>Neu") {
		t.Error("hostile words are not text")
	}
	contains(t, got.Body, "changed an event", "event.sing", "Alt", "&lt;b&gt;Neu&lt;/b&gt;", `[&#34;a&#34;]`, "2 fields",
		"decided on an event of a series", "added a series", `href="`+root+`/audit/series/`+first+`"`, "changed a portal", `href="`+root+`/audit/portal/`+second+`"`,
		"merged a contributor into another one", `<option value="series"`)
	if strings.Contains(got.Body, "/contributor/"+first) || strings.Contains(got.Body, "/series/"+second) {
		t.Error("a merged contributor, or a series of others, has a link")
	}
	asked := c.Calls("GET " + api + "/audit")[0].Query
	if asked.Get("from") != "2026-11-01T00:00:00Z" || asked.Get("to") != "2026-11-23T00:00:00Z" || asked.Get("action") != "event." ||
		asked.Get("actor") != "7" || asked.Get("offset") != "25" {
		t.Errorf("asked for %v", asked)
	}
}

// TestTheLogLeadsToWhatIsGone: an entry leads to the page of an event, a venue and so on, or says
// that the event is gone.
func TestTheLogLeadsToWhatIsGone(t *testing.T) {
	c := start(t)
	const gone = "0192f0a0-0000-7000-8000-00000000ffff"
	for kind, page := range map[string]string{
		"event": "/console/event/", "venue": "/console/venue/", "space": "/console/space/", "contributor": "/console/contributor/",
		"series": root + "/series/", "portal": root + "/portals/", "list": root + "/lists/",
	} {
		c.Answer("GET /api/admin/"+kind+"/"+first, 200, map[string]any{"uuid": first})
		if got := c.Get(root + "/audit/" + kind + "/" + first); got.Status != http.StatusSeeOther || got.Header.Get("Location") != page+first {
			t.Errorf("%s: %d to %s", kind, got.Status, got.Header.Get("Location"))
		}
		got := c.Get(root + "/audit/" + kind + "/" + gone)
		if got.Status != http.StatusOK {
			t.Errorf("%s that is gone: %d", kind, got.Status)
		}
		contains(t, got.Body, "It is no longer here", `href="`+root+`/audit?action=`+kind+`"`)
	}
	for _, path := range []string{"/audit/member/" + first, "/audit/event/x"} {
		if got := c.Get(root + path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	c.Refuse("GET /api/admin/event/"+gone, 503, adminapi.Error{Code: "unavailable"})
	if got := c.Get(root + "/audit/event/" + gone); got.Status != http.StatusServiceUnavailable {
		t.Errorf("an event that cannot be read: %d", got.Status)
	}
}

// TestDaysOfTheLog: the days of the log's filter begin and end in the platform's time zone, also
// the day on which the clock changes.
func TestDaysOfTheLog(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	c := startIn(t, zone)
	c.Answer("GET "+api+"/team", 200, adminapi.Team{})
	c.Answer("GET "+api+"/audit", 200, adminapi.AuditLog{})
	c.Get(root + "/audit?from=2026-10-25&to=2026-10-25")
	asked := c.Calls("GET " + api + "/audit")[0].Query
	if asked.Get("from") != "2026-10-25T00:00:00+02:00" || asked.Get("to") != "2026-10-26T00:00:00+01:00" {
		t.Errorf("asked for %v", asked)
	}
}
