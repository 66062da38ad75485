package console

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
)

// wantForeignRefused sends forms of the stranger's own organization that name what belongs to the
// scene's one, in the address or in a field. None is followed.
func (c *consoleTest) wantForeignRefused(t *testing.T) {
	t.Helper()
	s, own := c.scene, c.scene.foreign
	newVenue := url.Values{ // of which no other one is asked for first
		"name": {"planted"}, "org_uuid": {s.org}, "look": nil, "lat": nil, "lon": nil, "postal_code": nil, "city": nil, "like": nil, "street": nil, "house_number": nil, "confirmed": {"planted\n\n\n\n\n\n"},
	}
	event, draft, org := "/event/"+own.event, "/event/"+own.draft, "/organization/"+own.org
	for _, try := range []struct {
		page, action string // of the form, which is sent to another address unless that is ""
		to           string
		values       url.Values // in place of its own
	}{
		{page: "/event/new", action: "/event/new", values: url.Values{"org_uuid": {s.org}, "title": {"planted"}}},
		{page: "/event/new", action: "/event/new", values: url.Values{"title": {"planted"}, "venue_uuid": {s.venue}, "start_date": {""}, "start_time": {""}}},
		{page: event, action: event + "/place", values: url.Values{"venue_uuid": {s.venue}, "space_uuid": {s.space}}},
		{page: event, action: event + "/place", values: url.Values{"venue_uuid": {own.venue}, "space_uuid": {s.space}}},
		{page: event + "/dates/new", action: event + "/dates/new", values: url.Values{"start_date": {harness.Day(5)}, "own_place": {s.venue + "/" + s.space}}},
		{page: event + "/dates/" + own.date, action: event + "/dates/" + own.date, values: url.Values{"own_place": {s.venue + "/" + s.space}}},
		{page: event + "/dates/" + own.date, action: event + "/dates/" + own.date, to: event + "/dates/" + s.date},
		{page: event, action: event + "/dates/" + own.date + "/status", to: event + "/dates/" + s.date + "/status"},
		{page: event + "/dates/" + own.date + "/delete", action: event + "/dates/" + own.date + "/delete", to: event + "/dates/" + s.date + "/delete"},
		{page: event, action: event + "/link/" + own.link, to: event + "/link/" + s.link},
		{page: event, action: event + "/link/" + own.link + "/delete", to: event + "/link/" + s.link + "/delete"},
		{page: draft, action: draft + "/edit/title", to: event + "/edit/organization", values: url.Values{"org_uuid": {s.org}}},
		{page: draft, action: draft + "/edit/title", to: "/event/" + s.event + "/edit/title"},
		{page: event, action: event + "/publish", to: "/event/" + s.event + "/publish", values: url.Values{"title": {"planted"}}},
		{page: event, action: event + "/pictures/" + own.picture + "/words", to: event + "/pictures/" + s.picture + "/words"},
		{page: event, action: event + "/pictures/" + own.picture + "/focus", to: event + "/pictures/" + s.picture + "/focus"},
		{page: event + "/pictures/" + own.picture + "/delete", action: event + "/pictures/" + own.picture + "/delete", to: event + "/pictures/" + s.picture + "/delete"},
		{page: event, action: event + "/pictures", to: event + "/pictures/" + s.picture + "/replace"},
		{page: event, action: event + "/pictures", to: event + "/pictures/" + s.picture + "/move", values: url.Values{"to": {"front"}}},
		{page: event + "/place/new", action: event + "/place/new", values: newVenue},
		{page: org + "/venues/new", action: org + "/venues/new", values: newVenue},
		{page: "/venue/" + own.venue, action: "/venue/" + own.venue + "/spaces", to: "/venue/" + s.venue + "/spaces"},
		{page: org + "/settings", action: org + "/settings/form", values: url.Values{"holding_org_uuid": {s.org}}},
		{page: org + "/events/change?event=" + own.event, action: org + "/events/change", values: url.Values{"event": {s.event}, "change": {"draft"}}},
		{page: org + "/events/change?event=" + own.event, action: org + "/events/change", values: url.Values{"change": {"venue"}, "venue": {s.venue}}},
		{page: org + "/team", action: org + "/team/invite", to: org + "/team/member/" + s.member, values: url.Values{"role": {"owner"}}},
		{page: org + "/team", action: org + "/team/invite", to: org + "/team/remove/" + s.member, values: url.Values{"password": {harness.EditorPassword}}},
		{page: org + "/team", action: org + "/team/invite", to: org + "/team/remove/" + s.invitation, values: url.Values{"password": {harness.EditorPassword}}},
		{page: org + "/keys", action: org + "/keys", to: org + "/keys/" + s.key, values: url.Values{"key-name": {"planted"}}},
		{page: org + "/keys", action: org + "/keys", to: org + "/keys/" + s.key + "/revoke"},
		{page: org + "/keys", action: org + "/keys", to: "/organization/" + s.org + "/series/" + s.series + "/pictures/" + s.poster + "/delete"},
		{page: org + "/keys", action: org + "/keys", to: org + "/series/" + s.series + "/pictures/" + s.poster + "/words", values: url.Values{"alt_text": {"planted"}}},
		{page: org + "/webhooks", action: org + "/webhooks", to: "/webhook/" + s.hook, values: url.Values{"name": {"planted"}}},
		{page: org + "/webhooks", action: org + "/webhooks", to: "/webhook/" + s.hook + "/delete"},
		{page: "/messages/new", action: "/messages/new", values: url.Values{"to": {"user:" + s.mine.user}, "subject": {"planted"}, "message": {"planted"}}},
	} {
		forms := formsOf(t, c.visitors["stranger"].get(t, "/console"+try.page).Body)
		f, found := forms["/console"+try.action]
		if !found {
			t.Errorf("%s has no form for %s", s.named(try.page), s.named(try.action))
			continue
		}
		f.action = "/console" + cmp.Or(try.to, try.action)
		for name, values := range try.values {
			f.values[name] = values
		}
		answer := c.visitors["stranger"].post(t, f)
		// A change of events of which none is one's own goes back to the list.
		none := strings.Contains(answer.Header.Get("Location"), "notice=org_none_ticked")
		switch answer.Status {
		case http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity:
		default:
			if !none {
				t.Errorf("the stranger sends %s with %v: %d, to %q", s.named(f.action), try.values, answer.Status, answer.Header.Get("Location"))
			}
		}
	}
}
