package event

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/console/internal/page/pagetest"
)

const link = "0192f0a0-0000-7000-8000-0000000000f1"

// ready returns a draft that lacks nothing.
func ready() adminapi.Event {
	e := stored()
	e.Checklist = []adminapi.ChecklistItem{}
	e.Dates = []adminapi.Date{{DateFields: adminapi.DateFields{StartDate: "2026-12-01", StartTime: "20:00"}}}
	return e
}

func TestWhoIsOfferedWhichStatus(t *testing.T) {
	for _, test := range []struct {
		status    string
		may       permission.Set
		takenBack bool
		want      string
	}{
		{adminapi.StatusDraft, permission.All, false, "released review"},
		{adminapi.StatusDraft, permission.EditEvent, false, "review"},
		{adminapi.StatusDraft, permission.ViewEventInsights, false, ""},
		{adminapi.StatusDraft, permission.All, true, "review"},
		{adminapi.StatusReleased, permission.All, false, "cancelled deferred rescheduled draft"},
		{adminapi.StatusReleased, permission.EditEvent, false, ""},
		{adminapi.StatusCancelled, permission.All, false, "released draft"},
	} {
		e := ready()
		e.ReleaseStatus = test.status
		if test.takenBack {
			e.TakenBack = &adminapi.Takedown{Reason: "Advertising", At: time.Now()}
		}
		c := start(t, e)
		c.Member(test.may)
		body := c.Get(address).Body
		for to := range moves {
			offered, want := strings.Contains(body, address+"/release/"+to+`"`), strings.Contains(" "+test.want+" ", " "+to+" ")
			if offered != want {
				t.Errorf("%s with %s: %s is offered: %t", test.status, test.may, to, offered)
			}
			if got := c.Get(address + "/release/" + to); (got.Status == http.StatusOK) != want {
				t.Errorf("%s with %s: the page to %s answers %d", test.status, test.may, to, got.Status)
			}
		}
		if strings.Contains(body, "Advertising") != test.takenBack {
			t.Error("the reason of the administrator is missing, or there without one")
		}
	}
}

// TestTheNextDateIsShown: one that still runs counts, and when all are over, the last one.
func TestTheNextDateIsShown(t *testing.T) {
	dates := []adminapi.Date{
		{DateFields: adminapi.DateFields{StartDate: "2026-11-01"}},
		{DateFields: adminapi.DateFields{StartDate: "2026-11-08", EndDate: "2026-11-09"}},
		{DateFields: adminapi.DateFields{StartDate: "2026-11-15"}},
	}
	for today, want := range map[string]string{
		"2026-10-31": "2026-11-01", "2026-11-02": "2026-11-08", "2026-11-09": "2026-11-08", "2026-11-10": "2026-11-15", "2026-12-01": "2026-11-15",
	} {
		if got := nextDate(dates, today).StartDate; got != want {
			t.Errorf("on %s: %s, want %s", today, got, want)
		}
	}
}

func TestAReleaseIsOfWhatWasShown(t *testing.T) {
	c := start(t, ready())
	path := address + "/release/released"
	if body := c.Get(path).Body; !strings.Contains(body, `name="tag" value="&#34;1&#34;"`) || !strings.Contains(body, "Tuesday, 1 December 2026") {
		t.Fatalf("the page does not ask for a confirmation: %s", body)
	}
	c.Refuse("PUT "+operation+"/release-status", http.StatusPreconditionFailed, adminapi.Error{Error: "has changed", Code: "stale_event"})
	got := c.Post(path, url.Values{"tag": {`"0"`}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "changed in the meantime") {
		t.Errorf("an event that has changed: %d %s", got.Status, got.Body)
	}
	c.Answer("PUT "+operation+"/release-status", http.StatusOK, adminapi.WrittenRelease{})
	got = c.Post(path, url.Values{"tag": {`"1"`}})
	calls := c.Calls("PUT " + operation + "/release-status")
	last := calls[len(calls)-1]
	if got.Status != http.StatusSeeOther || string(last.Body) != `{"release_status":"released","status_note":null}` || last.Header.Get("If-Match") != `"1"` {
		t.Errorf("%d, %s", got.Status, last.Body)
	}
	if to := got.Header.Get("Location"); to != address+"?notice=event_released" {
		t.Errorf("a release leads to %q, where its notice is not in view", to)
	}
}

// TestTheReleaseDateIsInTheZoneOfTheConsole: the field shows what a person in the zone has typed,
// not the stored time in UTC.
func TestTheReleaseDateIsInTheZoneOfTheConsole(t *testing.T) {
	e := stored()
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	e.ReleaseDate = &at
	c := startIn(t, time.FixedZone("CET", 3600), e)
	_, field, _ := strings.Cut(c.Get(address).Body, `id="release_date"`)
	if field, _, _ = strings.Cut(field, ">"); !strings.Contains(field, `value="2026-12-01T11:00"`) {
		t.Errorf("the field has %s", field)
	}
}

func TestAnEventThatLacksSomethingIsNotReleased(t *testing.T) {
	c := start(t, stored())
	if body := c.Get(address + "/release/released").Body; strings.Contains(body, `name="tag"`) || !strings.Contains(body, "Add at least one date") {
		t.Errorf("the page offers a release: %s", body)
	}
}

func TestNewEventsBeginShort(t *testing.T) {
	c := start(t, stored())
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venues", http.StatusOK, adminapi.Venues{Venues: []adminapi.VenueCard{{UUID: link, Name: "Speicher"}}})
	path := "/console/event/new"
	if body := c.Get(path + "?organization=" + pagetest.Org).Body; !strings.Contains(body, `<option value="`+link+`">Speicher</option>`) {
		t.Errorf("the venue is not offered: %s", body)
	}
	if body := c.Get(path + "?organization=" + link).Body; !strings.Contains(body, `type="hidden" name="org_uuid" value="`+pagetest.Org) {
		t.Errorf("the only organization is asked for: %s", body)
	}
	got := c.Post(path, url.Values{"org_uuid": {pagetest.Org}, "start_time": {"20:00"}})
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#title"`) || !strings.Contains(got.Body, `value="20:00"`) {
		t.Errorf("without a title: %d %s", got.Status, got.Body)
	}
	made := adminapi.WrittenEvent{}
	made.UUID = uuid
	c.Answer("POST /api/admin/event/create", http.StatusCreated, made)
	got = c.Post(path, url.Values{"org_uuid": {pagetest.Org}, "title": {"Rock"}, "venue_uuid": {link}, "start_date": {"2026-12-01"}, "start_time": {"20:00"}})
	if got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), address) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	want := `{"dates":[{"all_day":false,"start_date":"2026-12-01","start_time":"20:00"}],"org_uuid":"` + pagetest.Org + `","title":"Rock","venue_uuid":"` + link + `"}`
	if body := string(c.Calls("POST /api/admin/event/create")[0].Body); body != want {
		t.Errorf("the service gets %s, want %s", body, want)
	}
	c.Member(permission.EditEvent)
	if got := c.Get(path); got.Status != http.StatusForbidden {
		t.Errorf("a person who may add no events: %d", got.Status)
	}
}

// TestNewEventsMayBeReleasedAtOnce: by those who may, with a place and a date.
func TestNewEventsMayBeReleasedAtOnce(t *testing.T) {
	c := start(t, stored())
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venues", http.StatusOK, adminapi.Venues{Venues: []adminapi.VenueCard{{UUID: link, Name: "Speicher"}}})
	path := "/console/event/new"
	for _, want := range []string{`name="release" value="1"`, `<ol class="steps"`, `<option value="` + link + `" selected>Speicher`} {
		if body := c.Get(path + "?first=1&venue=" + link + "&organization=" + pagetest.Org).Body; !strings.Contains(body, want) {
			t.Errorf("the third step has no %s: %s", want, body)
		}
	}
	c.Answer("GET /api/venue/"+uuid, http.StatusOK, map[string]any{"data": publicapi.Venue{UUID: uuid, Name: "Rathaus"}})
	if body := c.Get(path + "?first=1&venue=" + uuid).Body; !strings.Contains(body, `<option value="`+uuid+`" selected>Rathaus`) {
		t.Errorf("the venue of another organization is not chosen: %s", body)
	}
	form := url.Values{"org_uuid": {pagetest.Org}, "title": {"Rock"}, "release": {"1"}}
	got := c.Post(path, form)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `href="#venue_uuid"`) || !strings.Contains(got.Body, `href="#start_date"`) {
		t.Errorf("without a place and a date: %d %s", got.Status, got.Body)
	}
	c.Answer("POST /api/admin/event/create", http.StatusCreated, adminapi.WrittenEvent{})
	form.Set("venue_uuid", link)
	form.Set("start_date", "2026-12-01")
	form.Set("summary", "Laut")
	c.Post(path, form)
	want := `{"dates":[{"all_day":true,"start_date":"2026-12-01"}],"org_uuid":"` + pagetest.Org +
		`","release_status":"released","summary":"Laut","title":"Rock","venue_uuid":"` + link + `"}`
	if calls := c.Calls("POST /api/admin/event/create"); len(calls) != 1 || string(calls[0].Body) != want {
		t.Errorf("the service gets %+v, want %s", calls, want)
	}
	contributor, _ := permission.Of(permission.Contributor)
	c.Member(contributor)
	if body := c.Get(path).Body; strings.Contains(body, `name="release"`) {
		t.Error("a contributor is offered the release")
	}
}

func TestLinksAreSavedEachByItself(t *testing.T) {
	e := ready()
	e.EventLinks = []adminapi.Link{{UUID: link, LinkFields: adminapi.LinkFields{Type: "website", URL: "https://example.org"}}}
	c := start(t, e)
	body := c.Get(address).Body
	c.Answer("PUT "+operation+"/link/"+link, http.StatusOK, adminapi.WrittenLink{})
	form := url.Values{"type": {"website"}, "label": {"More"}, "url": {"example.org/more"}, "base": {base(t, body, "link-"+link)}}
	if got := c.Post(address+"/link/"+link, form); got.Status != http.StatusSeeOther {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := string(c.Calls("PUT " + operation + "/link/" + link)[0].Body); got != `{"label":"More","type":"website","url":"https://example.org/more"}` {
		t.Errorf("the service gets %s", got)
	}
	form.Set("base", "of another version")
	if got := c.Post(address+"/link/"+link, form); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `class="conflict"`) {
		t.Errorf("a link that has changed: %d", got.Status)
	}
	if got := c.Post(address+"/link", url.Values{"type": {"website"}, "url": {"nonsense"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="nonsense"`) {
		t.Errorf("a new link that is none: %d", got.Status)
	}
	c.Answer("DELETE "+operation+"/link/"+link, http.StatusOK, adminapi.Deleted{})
	if got := c.Post(address+"/link/"+link+"/delete", nil); got.Status != http.StatusSeeOther {
		t.Errorf("deleting: %d", got.Status)
	}
}

func TestDuplicatesAndDeletions(t *testing.T) {
	c := start(t, ready())
	made := adminapi.WrittenEvent{}
	made.UUID = link
	c.Answer("POST "+operation+"/duplicate", http.StatusCreated, made)
	for _, test := range []struct{ form, want string }{
		{"dates=shift&count=2&unit=weeks", `{"shift_days":14,"leave_out_dates":false}`},
		{"dates=shift&count=-3&unit=days", `{"shift_days":-3,"leave_out_dates":false}`},
		{"dates=none&count=2", `{"shift_days":0,"leave_out_dates":true}`},
	} {
		form, err := url.ParseQuery(test.form)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Post(address+"/duplicate", form)
		calls := c.Calls("POST " + operation + "/duplicate")
		if body := string(calls[len(calls)-1].Body); got.Status != http.StatusSeeOther || body != test.want {
			t.Errorf("%s: %d, the service gets %s", test.form, got.Status, body)
		}
	}
	if got := c.Post(address+"/duplicate", url.Values{"dates": {"shift"}, "count": {"a lot"}}); got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, `value="a lot"`) {
		t.Errorf("no number: %d", got.Status)
	}
	c.Refuse("DELETE "+operation, http.StatusForbidden, adminapi.Error{Error: "the password is wrong", Code: "wrong_password"})
	if got := c.Post(address+"/delete", url.Values{"password": {"secret"}}); got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "secret") {
		t.Errorf("a wrong password: %d", got.Status)
	}
	c.Answer("DELETE "+operation, http.StatusOK, adminapi.Deleted{})
	if got := c.Post(address+"/delete", url.Values{"password": {"secret"}}); got.Status != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), pagetest.Org) {
		t.Errorf("%d", got.Status)
	}
	c.Member(permission.EditEvent)
	body := c.Get(address).Body
	for _, page := range []string{"/duplicate", "/delete"} {
		if got := c.Get(address + page); got.Status != http.StatusForbidden || strings.Contains(body, address+page) {
			t.Errorf("%s for a person who may not: %d", page, got.Status)
		}
	}
}

func TestAPreviewIsShared(t *testing.T) {
	c := start(t, ready())
	c.Answer("GET "+operation+"/preview-link", http.StatusOK, adminapi.PreviewLinks{})
	c.Answer("POST "+operation+"/preview-link", http.StatusCreated, adminapi.PreviewLink{URL: "https://example.org/preview/x", ExpiresAt: pagetest.Now})
	got := c.Post(address+"/preview", nil)
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `value="https://example.org/preview/x"`) || !strings.Contains(got.Body, `target="_blank"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	c.Answer("DELETE "+operation+"/preview-link", http.StatusOK, adminapi.RevokedPreviewLinks{Revoked: 1})
	if got := c.Post(address+"/preview/revoke", nil); got.Status != http.StatusSeeOther || len(c.Calls("DELETE "+operation+"/preview-link")) != 1 {
		t.Errorf("revoking: %d", got.Status)
	}
}

// TestPreviewLinksAreListed: with makers and times, each to be revoked. With too many of them no
// further one is made.
func TestPreviewLinksAreListed(t *testing.T) {
	c := start(t, ready())
	const first, second = "0192f0a0-0000-7000-8000-0000000000a1", "0192f0a0-0000-7000-8000-0000000000a2"
	c.Answer("GET "+operation+"/preview-link", http.StatusOK, adminapi.PreviewLinks{PreviewLinks: []adminapi.PreviewLinkEntry{
		{UUID: first, Maker: "Anna <b>", CreatedAt: pagetest.Now, ExpiresAt: pagetest.Now.AddDate(0, 0, 14)},
		{UUID: second, APIKey: "Website", CreatedAt: pagetest.Now, ExpiresAt: pagetest.Now.AddDate(0, 0, 14)},
	}})
	c.Refuse("POST "+operation+"/preview-link", http.StatusConflict, adminapi.Error{Error: "20 links", Code: "too_many_previews"})
	got := c.Post(address+"/preview", nil)
	if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Body, "There are too many preview links.") {
		t.Errorf("too many: %d", got.Status)
	}
	for _, want := range []string{
		"Anna &lt;b&gt;", "API key “Website”", address + "/preview/" + first + "/revoke", address + "/preview/" + second + "/revoke",
		address + `/preview/revoke"`, ", valid until ",
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	c.Refuse("DELETE "+operation+"/preview-link/"+first, http.StatusNotFound, adminapi.Error{Error: "gone", Code: "preview_link_not_found"})
	c.Answer("DELETE "+operation+"/preview-link/"+second, http.StatusOK, adminapi.Deleted{UUID: second})
	for _, link := range []string{first, second} {
		if got := c.Post(address+"/preview/"+link+"/revoke", nil); got.Status != http.StatusSeeOther || !strings.Contains(got.Header.Get("Location"), address+"/preview?notice=link_revoked") {
			t.Errorf("revoking one: %d to %s", got.Status, got.Header.Get("Location"))
		}
	}
}

// TestWithoutTheReleaseRightAPublicEventIsRead: a contributor sees why, and writes drafts and
// reviews, which they take back to draft.
func TestWithoutTheReleaseRightAPublicEventIsRead(t *testing.T) {
	e := ready()
	for status, public := range map[string]bool{adminapi.StatusReview: false, adminapi.StatusReleased: true, adminapi.StatusCancelled: true} {
		e.ReleaseStatus = status
		c := start(t, e)
		c.Member(permission.EditEvent | permission.DeleteEvent)
		body := c.Get(address).Body
		for text, want := range map[string]bool{
			"only members who can publish events may change it": public, `hx-post="`: !public, address + `/delete"`: !public,
			address + `/release/draft"`: !public, address + `/history"`: true,
		} {
			if strings.Contains(body, text) != want {
				t.Errorf("%s: %q is on the page: %t", status, text, !want)
			}
		}
		want := http.StatusOK
		if public {
			want = http.StatusForbidden
		}
		for _, path := range []string{"/delete", "/release/draft"} {
			if got := c.Get(address + path); got.Status != want {
				t.Errorf("%s, %s: %d", status, path, got.Status)
			}
		}
	}
}
