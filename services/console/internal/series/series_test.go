package series

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page/pagetest"
)

const (
	fest   = "0192f0a0-0000-7000-8000-0000000000f1"
	spring = "0192f0a0-0000-7000-8000-0000000000f2"
	stage  = "0192f0a0-0000-7000-8000-0000000000f3"
	tent   = "0192f0a0-0000-7000-8000-0000000000f4"
	secret = "0192f0a0-0000-7000-8000-0000000000f5"
	hidden = "0192f0a0-0000-7000-8000-0000000000f6"
	jazz   = "0192f0a0-0000-7000-8000-0000000000b1"
	night  = "0192f0a0-0000-7000-8000-0000000000d1"
	noon   = "0192f0a0-0000-7000-8000-0000000000d2"
	root   = "/console/organization/" + pagetest.Org + "/series"
	own    = "GET /api/admin/series/" + fest
	write  = "PUT /api/admin/series/" + fest
)

func start(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, Mount)
	c.Answer("GET /api/admin/organization/"+pagetest.Org, 200, adminapi.Organization{OrganizationFields: adminapi.OrganizationFields{UUID: pagetest.Org, Name: "Speicher"}})
	c.Answer("GET /api/admin/series", 200, adminapi.SeriesPage{
		Series: []adminapi.SeriesRow{{UUID: fest, Title: "Fest <script>", Slug: "fest", Public: true, Events: 12, Asked: 2}},
		Page:   adminapi.Page{TotalCount: 1, Limit: 50},
	})
	c.Answer(own, 200, adminapi.Series{
		UUID: fest, OrgUUID: pagetest.Org, Slug: "fest", Title: "Fest <b>", Public: true,
		Parts: []adminapi.SeriesPart{{UUID: stage, Kind: "stage", Title: "Bühne <i>"}, {UUID: tent, Kind: "other", Title: "Zelt", Description: "Am Kai"}},
	})
	c.Answer(own+"/events", 200, adminapi.SeriesEvents{Events: []adminapi.SeriesEvent{
		{EventUUID: jazz, Title: "Jazz <u>", OrgName: "Club", State: "asked", StartDate: "2026-12-01"},
		{EventUUID: night, Title: "Theater", OrgName: "Club", State: "accepted", Public: true},
	}})
	c.Answer("GET /api/admin/event/"+jazz, 200, adminapi.Event{
		PartOfEvent: adminapi.PartOfEvent{UUID: jazz}, HeaderPart: adminapi.HeaderPart{OrgUUID: pagetest.Org, Title: "Jazz"},
		ReleasePart: adminapi.ReleasePart{ReleaseStatus: "draft"},
		SeriesOfEventPart: adminapi.SeriesOfEventPart{Series: []adminapi.EventSeries{
			{SeriesUUID: fest, State: "refused"}, {SeriesUUID: secret, State: "accepted"},
		}},
		Dates: []adminapi.Date{
			{UUID: night, DateFields: adminapi.DateFields{StartDate: "2026-12-01", StartTime: "20:00", SeriesPartUUID: stage}},
			{UUID: noon, DateFields: adminapi.DateFields{StartDate: "2026-12-02", StartTime: "12:00", SeriesPartUUID: hidden}},
		},
	})
	c.Answer("GET /api/admin/user/choosable-series", 200, adminapi.ChoosableSeries{Series: []adminapi.SeriesChoice{
		{UUID: fest, Title: "Fest", OrgName: "Hafen", Parts: []adminapi.SeriesPart{{UUID: stage, Title: "Bühne"}, {UUID: tent, Title: "Zelt"}}},
		{UUID: spring, Title: "Frühling", OrgName: "Club"},
	}})
	return c
}

func wants(t *testing.T, body string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in %s", want, body)
		}
	}
}

func TestSeriesAreShown(t *testing.T) {
	c := start(t)
	wants(t, c.Get(root).Body, "Fest &lt;script&gt;", "/series/fest", "12 events", "2 wait for you")
	one := c.Get(root + "/" + fest).Body
	wants(t, one, "Fest &lt;b&gt;", "Jazz &lt;u&gt;", "Waits for a decision", "Not public yet", `value="Bühne &lt;i&gt;"`, "Am Kai", "Accept", "Remove")
	if strings.Count(one, `name="part-title"`) != 2+blankParts || strings.Count(one, `value="true">`) > 2 {
		t.Errorf("the parts, or the buttons: %s", one)
	}
	c.Answer(own, 200, adminapi.Series{UUID: fest, OrgUUID: jazz})
	if got := c.Get(root + "/" + fest); got.Status != http.StatusNotFound {
		t.Errorf("another organization's: %d", got.Status)
	}
	c.Member(permission.All &^ permission.EditOrganization)
	if got := c.Get(root); got.Status != http.StatusForbidden {
		t.Errorf("without the right: %d", got.Status)
	}
}

func TestASeriesIsSaved(t *testing.T) {
	c := start(t)
	c.Answer(write, 200, adminapi.WrittenSeries{})
	form := url.Values{
		"tag": {`"3"`}, "title": {"Neu"}, "slug": {"neu"}, "public": {"true"}, "start_date": {"2026-12-01"}, "part": {stage, tent, ""}, "part-title": {"Kai", "", "Boot"},
		"part-kind": {"stage", "other", "day"}, "part-description": {"", "", " Lang "},
	}
	if got := c.Post(root+"/"+fest, form); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	call := c.Calls(write)[0]
	const want = `{"description":null,"end_date":null,"parts":[{"uuid":"` + stage + `","kind":"stage","title":"Kai","description":null},` +
		`{"uuid":"","kind":"day","title":"Boot","description":"Lang"}],"public":true,"slug":"neu","start_date":"2026-12-01","subtitle":null,"title":"Neu","web_link":null}`
	if got := string(call.Body); got != want || call.Header.Get("If-Match") != `"3"` {
		t.Errorf("%s, want %s", got, want)
	}
	c.Refuse(write, http.StatusConflict, adminapi.Error{Code: "x", Error: "x", Details: []fault.Violation{{Field: "slug", Reason: "is taken", Code: "slug_taken"}}})
	wants(t, c.Post(root+"/"+fest, form).Body, `value="Neu"`, `href="#slug"`, `value="Boot"`)
	c.Refuse(write, http.StatusPreconditionFailed, adminapi.Error{Code: "stale", Error: "x"})
	wants(t, c.Post(root+"/"+fest, form).Body, "Someone else has changed this series")
	form.Del("part-kind")
	if got := c.Post(root+"/"+fest, form); got.Status != http.StatusBadRequest {
		t.Errorf("an incomplete form: %d", got.Status)
	}
	c.Answer("PUT /api/admin/series", http.StatusCreated, adminapi.WrittenSeries{Series: adminapi.Series{UUID: fest}})
	if got := c.Post(root, url.Values{"title": {"Neu"}, "slug": {"neu"}}); !strings.HasPrefix(got.Header.Get("Location"), root+"/"+fest) {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
	if body := string(c.Calls("PUT /api/admin/series")[0].Body); body != `{"org_uuid":"`+pagetest.Org+`","slug":"neu","title":"Neu"}` {
		t.Error(body)
	}
}

func TestDecisions(t *testing.T) {
	c := start(t)
	operation := write + "/event/" + jazz
	c.Answer(operation, 200, adminapi.WrittenSeriesEvent{})
	for _, accepted := range []string{"true", "false"} {
		if got := c.Post(root+"/"+fest+"/event", url.Values{"event": {jazz}, "accepted": {accepted}}); got.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	both := write + "/event/" + night
	c.Refuse(operation, http.StatusNotFound, adminapi.Error{Code: "series_event_not_found", Error: "x"}) // it has left meanwhile
	c.Answer(both, 200, adminapi.WrittenSeriesEvent{})
	if got := c.Post(root+"/"+fest+"/event", url.Values{"event": {jazz, night}, "accepted": {"true"}}); got.Status != http.StatusSeeOther || len(c.Calls(both)) != 1 {
		t.Errorf("two at once: %d %s", got.Status, got.Body)
	}
	if calls := c.Calls(operation); len(calls) != 3 || string(calls[0].Body) != `{"accepted":true}` || string(calls[1].Body) != `{"accepted":false}` {
		t.Errorf("%v", calls)
	}
	c.Answer("DELETE /api/admin/series/"+fest, 200, adminapi.Deleted{})
	if got := c.Post(root+"/"+fest+"/delete", url.Values{"password": {"x"}}); !strings.HasPrefix(got.Header.Get("Location"), root) {
		t.Errorf("deleted: %d %s", got.Status, got.Body)
	}
}

// TestSeriesOfAnEvent: its editors tick series and choose parts. What they may not see stays as it
// is, and a date leaves the part of a series that the event leaves.
func TestSeriesOfAnEvent(t *testing.T) {
	const path, patch = "/console/event/" + jazz + "/series", "PATCH /api/admin/event/" + jazz
	c := start(t)
	wants(t, c.Get(path).Body, "Fest", "Hafen · Refused", "Frühling", `name="part-`+night+`"`, `value="`+stage+`" selected`)
	c.Answer(patch, 200, adminapi.Event{})
	for _, step := range []struct {
		ticked []string
		part   string
		series string
		want   string
	}{
		{[]string{spring, fest}, tent, fest + " " + secret + " " + spring, tent},
		{[]string{fest}, "", fest + " " + secret, ""},
		{nil, tent, secret, ""},
	} {
		form := url.Values{"series": step.ticked, "part-" + night: {step.part}, "part-" + noon: {""}}
		if got := c.Post(path, form); got.Status != http.StatusSeeOther {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		calls := c.Calls(patch)
		body := string(calls[len(calls)-1].Body)
		var series []string
		for _, uuid := range strings.Fields(step.series) {
			series = append(series, `{"series_uuid":"`+uuid+`"}`)
		}
		part := `"series_part_uuid":null`
		if step.want != "" {
			part = `"series_part_uuid":"` + step.want + `"`
		}
		wants(t, body, `"series":[`+strings.Join(series, ",")+`]`, part, `"series_part_uuid":"`+hidden+`"`)
	}
	c.Refuse(patch, http.StatusBadRequest, adminapi.Error{Code: "x", Error: "x", Details: []fault.Violation{{Field: "series[1].series_uuid", Reason: "is unknown", Code: "x"}}})
	wants(t, c.Post(path, url.Values{}).Body, `href="#series"`)
	c.Member(permission.ViewEventInsights)
	if got := c.Post(path, url.Values{}); got.Status != http.StatusForbidden {
		t.Errorf("without the right: %d", got.Status)
	}
}
