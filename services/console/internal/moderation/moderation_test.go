package moderation

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page/pagetest"
)

const (
	reportID = "0192f0a0-0000-7000-8000-0000000000b1"
	eventID  = "0192f0a0-0000-7000-8000-0000000000e1"
	hostile  = `"><script>planted()</script>`
)

// start runs the pages for an administrator, with one entry on each of them.
func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, Mount)
	c.AnswerReads()
	c.Answer("GET /api/admin/user/attention", http.StatusOK, adminapi.Attention{OpenReports: new(int)})
	c.Answer("GET /api/admin/reports", http.StatusOK, adminapi.Reports{Reports: []adminapi.Report{{
		UUID: reportID, EventUUID: eventID, EventTitle: hostile, EventStatus: "released", Text: hostile, Email: "visitor@example.org",
		State: adminapi.ReportOpen, OrgName: hostile,
	}}})
	c.Answer("GET /api/admin/organizations/pending", http.StatusOK, adminapi.PendingOrganizations{
		Organizations: []adminapi.PendingOrganization{{UUID: pagetest.Org, Name: hostile, Country: "DNK"}},
	})
	c.Answer("GET /api/choosable-countries", http.StatusOK, []publicapi.Item{{ID: "DNK", Name: "Denmark"}})
	c.Answer("GET /api/admin/people", http.StatusOK, adminapi.People{People: []adminapi.Person{{UserID: 9, DisplayName: hostile, State: adminapi.PersonActive}}})
	c.Answer("GET /api/admin/labels", http.StatusOK, adminapi.Labels{Labels: []adminapi.LabelRow{
		{Label: adminapi.Label{ID: "tip", Names: map[string]string{"en": hostile, "da": "Tip"}}, Events: 3},
	}})
	return c
}

// ownTabs are the pages of this package.
func ownTabs() []string {
	return slices.DeleteFunc(slices.Clone(tabs), func(tab string) bool {
		return slices.Contains([]string{TabContributors, tabPortals, tabLists, TabWebhooks}, tab)
	})
}

func TestOtherPeopleAreRefused(t *testing.T) {
	c := start(t)
	c.Answer("GET /api/admin/user/attention", http.StatusOK, adminapi.Attention{})
	for _, tab := range ownTabs() {
		got := c.Get(root + "/" + tab)
		if got.Status != http.StatusForbidden || !strings.Contains(got.Body, "for administrators of the platform") ||
			strings.Contains(got.Body, "visitor@example.org") {
			t.Errorf("%s: %d", tab, got.Status)
		}
	}
	for _, path := range []string{
		"/approvals/" + pagetest.Org, "/reports/" + reportID, "/events/" + eventID + "/takedown", "/events/" + eventID + "/lift",
		"/people/9", "/mails/1/retry", "/mails/1/drop",
		"/labels", "/labels/tip/delete",
	} {
		if got := c.Post(root+path, url.Values{"reason": {"x"}, "note": {"x"}}); got.Status != http.StatusForbidden {
			t.Errorf("POST %s: %d", path, got.Status)
		}
	}
	if calls := c.Writes(); len(calls) != 0 {
		t.Errorf("the service gets %+v", calls)
	}
}

func TestHostileTextsAreShownAsText(t *testing.T) {
	c := start(t)
	for _, tab := range ownTabs() {
		if got := c.Get(root + "/" + tab); got.Status != http.StatusOK || strings.Contains(got.Body, "<script>") {
			t.Errorf("%s: %d %s", tab, got.Status, got.Body)
		}
	}
}

func TestCountriesHaveTheirNames(t *testing.T) {
	c := start(t)
	c.Answer("GET /api/admin/organizations", http.StatusOK, adminapi.PlatformOrganizations{
		Organizations: []adminapi.PlatformOrganization{{UUID: pagetest.Org, City: "Odense", Country: "DNK", Approval: adminapi.ApprovalApproved}},
	})
	for _, tab := range []string{tabApprovals, tabOrganizations} {
		if got := c.Get(root + "/" + tab); !strings.Contains(got.Body, "Denmark") || strings.Contains(got.Body, "DNK") {
			t.Errorf("%s: %s", tab, got.Body)
		}
	}
}

// TestDecisions compares what each form sends with the body that the service gets.
func TestDecisions(t *testing.T) {
	for _, test := range []struct {
		path, operation string
		form            url.Values
		want            map[string]any
	}{
		{
			"/approvals/" + pagetest.Org, "PUT /api/admin/organization/" + pagetest.Org + "/approval",
			url.Values{"approved": {"true"}}, map[string]any{"approved": true},
		},
		{
			"/approvals/" + pagetest.Org, "PUT /api/admin/organization/" + pagetest.Org + "/approval",
			url.Values{"approved": {"false"}, "reason": {" a copy "}}, map[string]any{"approved": false, "reason": "a copy"},
		},
		{
			"/reports/" + reportID, "PUT /api/admin/report/" + reportID,
			url.Values{"outcome": {"resolved"}, "note": {"asked them"}}, map[string]any{"outcome": "resolved", "note": "asked them"},
		},
		{
			"/events/" + eventID + "/takedown", "PUT /api/admin/event/" + eventID + "/takedown",
			url.Values{"report": {reportID}, "reason": {"spam"}}, map[string]any{"reason": "spam"},
		},
		{"/events/" + eventID + "/lift", "DELETE /api/admin/event/" + eventID + "/takedown", url.Values{"report": {reportID}}, nil},
		{
			"/people/9", "PUT /api/admin/people/9/state",
			url.Values{"active": {"false"}, "reason": {"spam"}}, map[string]any{"active": false, "reason": "spam"},
		},
	} {
		c := start(t)
		c.Answer(test.operation, http.StatusOK, map[string]any{})
		if got := c.Post(root+test.path, test.form); got.Status != http.StatusSeeOther {
			t.Errorf("%s: %d %s", test.path, got.Status, got.Body)
		}
		calls := c.Calls(test.operation)
		if len(calls) != 1 {
			t.Errorf("%s: the service gets %+v", test.path, c.Writes())
			continue
		}
		var sent map[string]any
		if err := json.Unmarshal(calls[0].Body, &sent); err != nil && test.want != nil {
			t.Errorf("%s: %v", test.path, err)
		}
		for key, want := range test.want {
			if sent[key] != want {
				t.Errorf("%s: %s is %v, want %v", test.path, key, sent[key], want)
			}
		}
	}
}

// TestARefusedFormKeepsWhatWasTyped: it is open, and the other forms of the entry are as they were.
func TestARefusedFormKeepsWhatWasTyped(t *testing.T) {
	busy := adminapi.Error{Error: "someone else was faster", Code: "conflict"}
	for _, test := range []struct {
		path, operation, form string
		values                url.Values
	}{
		{"/reports/" + reportID, "PUT /api/admin/report/" + reportID, closingForm + reportID, url.Values{"outcome": {"resolved"}, "note": {"asked them"}}},
		{
			"/events/" + eventID + "/takedown?state=open", "PUT /api/admin/event/" + eventID + "/takedown", takedownForm + reportID,
			url.Values{"report": {reportID}, "reason": {"asked them"}},
		},
		{"/people/9", "PUT /api/admin/people/9/state", "s-9", url.Values{"active": {"false"}, "reason": {"asked them"}}},
	} {
		c := start(t)
		c.Refuse(test.operation, http.StatusConflict, busy)
		got := c.Post(root+test.path, test.values)
		if got.Status != http.StatusUnprocessableEntity || strings.Count(got.Body, ">asked them</textarea>") != 1 {
			t.Errorf("%s: %d %s", test.path, got.Status, got.Body)
			continue
		}
		before, after, found := strings.Cut(got.Body, `id="`+test.form+`"`)
		form, _, _ := strings.Cut(after, "</form>")
		if details := before[strings.LastIndex(before, "<details"):]; !found || !strings.Contains(form, "asked them") || !strings.Contains(details, " open") {
			t.Errorf("%s: the form %s is closed or empty: %s", test.path, test.form, got.Body)
		}
		if test.values.Has("outcome") && !strings.Contains(form, `value="resolved" selected`) {
			t.Errorf("the outcome is no longer chosen: %s", form)
		}
	}
}

// TestARefusalSaysItsLanguage: on a German page a refusal that exists only in English is marked.
func TestARefusalSaysItsLanguage(t *testing.T) {
	c := start(t)
	c.Get(root + "?lang=de")
	for refusal, want := range map[[2]string]string{
		{"platform_administrator_required", "no"}: "<span>Das dürfen nur Administratoren der Plattform.</span>",
		{"odd", "quite unheard of"}:               `<span lang="en">quite unheard of</span>`,
	} {
		c.Refuse("PUT /api/admin/people/9/state", http.StatusConflict, adminapi.Error{Code: refusal[0], Error: refusal[1]})
		got := c.Post(root+"/people/9", url.Values{"active": {"false"}, "reason": {"spam"}})
		if !strings.Contains(got.Body, want) || strings.Contains(got.Body, "\u2063") {
			t.Errorf("%d, %s is not in %s", got.Status, want, got.Body)
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	for path, values := range map[string]url.Values{
		"/approvals/" + pagetest.Org: {"approved": {"false"}}, "/reports/" + reportID: {"outcome": {"resolved"}},
		"/events/" + eventID + "/takedown": {"report": {reportID}}, "/people/9": {"active": {"false"}},
	} {
		c := start(t)
		got := c.Post(root+path, values)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `aria-invalid="true"`) || len(c.Writes()) != 0 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
}
