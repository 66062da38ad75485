package start_test

import (
	"net/http"
	"strings"
	"testing"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/console/internal/page/pagetest"
	"litfass/services/console/internal/start"
)

const (
	hostile = `"><script>alert(1)</script>`
	other   = "0192f0a0-0000-7000-8000-000000000002"
)

// open returns the page over a service where everything waits for the person.
func open(t *testing.T) *pagetest.Console {
	t.Helper()
	c := pagetest.Start(t, start.Mount)
	two, one := 2, 1
	c.Answer("GET /api/admin/user/attention", 200, adminapi.Attention{UnreadMessages: 3, OpenReports: &two, PendingOrganizations: &one})
	c.Answer("GET /api/admin/user/invitations", 200, adminapi.WaitingInvitations{Invitations: []adminapi.WaitingInvitation{{UUID: other, OrgName: hostile, Role: permission.Editor}}})
	c.Answer("GET /api/admin/user/event/notifications", 200, adminapi.Notifications{Notifications: []adminapi.Notification{
		{EventUUID: other, EventTitle: hostile, NoImage: true, NoVenueOrOnlineLink: true, DaysUntilFirstDate: &two},
	}})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/events", 200, adminapi.Events{Events: []adminapi.EventDate{
		{EventUUID: other, Title: "Jazz", StartDate: "2026-11-24", StartTime: "20:00", EventReleaseStatus: "released"},
	}})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venue-guests", 200, adminapi.VenueGuests{Dates: []adminapi.GuestDate{
		{EventTitle: "Salsa", OrgUUID: other, OrgName: "Tanzclub", VenueUUID: other, VenueName: "Saal", StartDate: "2026-11-25"},
	}})
	return c
}

func TestWhatNeedsAPerson(t *testing.T) {
	got := open(t).Get("/console/")
	for _, text := range []string{
		"3 unread messages", "2 open reports", "One organization is waiting", "/console/administration/approvals",
		"/console/invitations/" + other + "/accept", "<strong>Editor</strong>", "place or link, image", "starts in 2 days", "/console/event/" + other,
		"Tuesday, 24 November 2026, 20:00", "Tanzclub", "/console/venue/" + other, "/console/event/new?organization=" + pagetest.Org,
	} {
		if !strings.Contains(got.Body, text) {
			t.Errorf("%q is not on the page", text)
		}
	}
	if got.Status != http.StatusOK || strings.Contains(got.Body, hostile) || strings.Contains(got.Body, "cannot be loaded") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestOnlyDatesOfPublicEventsAreSoon: dates of drafts and of events in review are left out.
func TestOnlyDatesOfPublicEventsAreSoon(t *testing.T) {
	c := open(t)
	var dates []adminapi.EventDate
	for _, status := range []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"} {
		dates = append(dates, adminapi.EventDate{EventUUID: other, Title: "It is " + status, StartDate: "2026-11-24", EventReleaseStatus: status})
	}
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/events", 200, adminapi.Events{Events: dates})
	body := c.Get("/console/").Body
	for _, date := range dates {
		public := date.EventReleaseStatus != "draft" && date.EventReleaseStatus != "review"
		if strings.Contains(body, date.Title) != public {
			t.Errorf("a date of an event with the status %s is shown: %t", date.EventReleaseStatus, !public)
		}
	}
	asked := c.Calls("GET /api/admin/organization/" + pagetest.Org + "/events")[0].Query
	if got := asked.Get("statuses"); got != "released,cancelled,deferred,rescheduled" {
		t.Errorf("others take the places of public dates: asked for %q", got)
	}
}

// TestAPartThatCannotBeReadIsLeftOut: the page comes with the others, and says so.
func TestAPartThatCannotBeReadIsLeftOut(t *testing.T) {
	c := open(t)
	c.Refuse("GET /api/admin/user/event/notifications", 503, adminapi.Error{Error: "down", Code: "unavailable"})
	got := c.Get("/console/")
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "cannot be loaded at the moment") || !strings.Contains(got.Body, "Jazz") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestAnEndedSessionLeadsToTheLogin: it is no part that is left out.
func TestAnEndedSessionLeadsToTheLogin(t *testing.T) {
	c := open(t)
	c.Refuse("GET /api/admin/user/invitations", 401, adminapi.Error{Error: "ended", Code: "session_ended"})
	if got := c.Get("/console/"); got.Status != http.StatusSeeOther || !strings.HasPrefix(got.Header.Get("Location"), "/console/login") {
		t.Errorf("%d to %q", got.Status, got.Header.Get("Location"))
	}
}

// TestAViewerIsOfferedNothingToAdd: nor asked about venues that they may not edit.
func TestAViewerIsOfferedNothingToAdd(t *testing.T) {
	c := open(t)
	viewer, _ := permission.Of(permission.Viewer)
	c.Member(viewer)
	got := c.Get("/console/")
	if strings.Contains(got.Body, "/console/event/new") || len(c.Calls("GET /api/admin/organization/"+pagetest.Org+"/venue-guests")) > 0 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestANewcomerSeesTheFirstSteps(t *testing.T) {
	c := open(t)
	c.Answer("GET /api/admin/user/memberships", 200, adminapi.Memberships{})
	got := c.Get("/console/")
	for _, text := range []string{"Your first steps", "Accept the invitation above", "/console/organization/new"} {
		if !strings.Contains(got.Body, text) {
			t.Errorf("%q is not on the page: %s", text, got.Body)
		}
	}
}

func TestInvitationsAreAnswered(t *testing.T) {
	c := open(t)
	for _, how := range []string{"accept", "decline"} {
		c.Answer("POST /api/admin/user/invitations/"+other+"/"+how, 200, adminapi.Done{})
		if got := c.Post("/console/invitations/"+other+"/"+how, nil); got.Status != http.StatusSeeOther {
			t.Errorf("%s: %d %s", how, got.Status, got.Body)
		}
	}
}

// TestTheWayToTheFirstEventGoesOn: a person who left it finds the next step at the start, until the
// organization has an event.
func TestTheWayToTheFirstEventGoesOn(t *testing.T) {
	c := pagetest.Start(t, start.Mount)
	c.Answer("GET /api/admin/user/invitations", 200, adminapi.WaitingInvitations{})
	c.Answer("GET /api/admin/user/event/notifications", 200, adminapi.Notifications{})
	c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venue-guests", 200, adminapi.VenueGuests{})
	events, venues := adminapi.Events{}, adminapi.Venues{}
	answer := func() pagetest.Answer {
		c.Answer("GET /api/admin/organization/"+pagetest.Org+"/events", 200, events)
		c.Answer("GET /api/admin/organization/"+pagetest.Org+"/venues", 200, venues)
		return c.Get("/console/")
	}
	if got := answer(); !strings.Contains(got.Body, `href="/console/first/place?organization=`+pagetest.Org) {
		t.Errorf("without a place: %s", got.Body)
	}
	venues.TotalCount = 1
	if got := answer(); !strings.Contains(got.Body, `href="/console/event/new?first=1&amp;organization=`+pagetest.Org) {
		t.Errorf("with a place: %s", got.Body)
	}
	events.TotalCount = 1
	if got := answer(); strings.Contains(got.Body, "data-first-step") {
		t.Errorf("with an event: %s", got.Body)
	}
	events.TotalCount = 0
	c.Member(permission.ReceiveOrganizationMsgs)
	if got := answer(); strings.Contains(got.Body, "data-first-step") {
		t.Errorf("without the right to add events: %s", got.Body)
	}
}
