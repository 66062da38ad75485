package console

import (
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/harness"
)

// offer is a row of the matrix of forms: to whom pages offer those whose actions match.
type offer struct {
	action *regexp.Regexp
	roles  []string // nil: it differs from person to person, as with what is their own
}

// consoleOffers is the matrix, with names in place of ids; the first row that matches counts.
var consoleOffers = []offer{
	{regexp.MustCompile(`^/console/(logout|todos|messages/new|organization/new)$`), consoleRoles},
	{regexp.MustCompile(`^/console/(account/(session|key)|messages|todos|invitations)/`), nil},
	{regexp.MustCompile(`^/console/account/\w+$`), consoleRoles},
	{regexp.MustCompile(`^/console/administration/`), []string{"administrator"}},
	{regexp.MustCompile(`^/console/venue-requests/`), nil}, // of the venues that testPlaces asks for

	{regexp.MustCompile(`^/console/event/new$`), append(slices.Clone(mayWrite[:4]), "stranger", "administrator")},
	{regexp.MustCompile(`^/console/event/\w+/preview\b`), mayWrite},
	{regexp.MustCompile(`^/console/event/EVENT/duplicate$`), mayWrite},
	{regexp.MustCompile(`^/console/event/EVENT/lists$`), mayManage},
	{regexp.MustCompile(`^/console/event/\w+/labels$`), []string{"administrator"}},
	{regexp.MustCompile(`^/console/event/\w+/(delete|place/new|dates/\*/status)$`), mayEdit},
	{regexp.MustCompile(`^/console/event/\w+/release/review$`), mayWrite},
	{regexp.MustCompile(`^/console/event/\w+/release/\w+$`), mayEdit},
	{regexp.MustCompile(`^/console/event/\w+/edit/organization$`), nil}, // also for members who write elsewhere
	{regexp.MustCompile(`^/console/event/EVENT/`), mayEdit},             // visitors see the event
	{regexp.MustCompile(`^/console/event/`), mayWrite},

	{regexp.MustCompile(`^/console/(venue/VENUE|space/SPACE)/delete$`), mayManage},
	{regexp.MustCompile(`^/console/(venue/VENUE|space/SPACE)/`), mayEdit},

	{regexp.MustCompile(`^/console/contributor/`), mayWrite},

	{regexp.MustCompile(`^/console/organization/ORG/(settings|team|keys|webhooks|portals|lists|series)\b`), mayManage},
	{regexp.MustCompile(`^/console/webhook/OPERATOR\b`), []string{"administrator"}},
	{regexp.MustCompile(`^/console/webhook/`), mayManage},
	{regexp.MustCompile(`^/console/organization/ORG/leave$`), mayLeave[1:]}, // the owner is the last one
	{regexp.MustCompile(`^/console/organization/ORG/venues/new$`), mayEdit},
	{regexp.MustCompile(`^/console/first/place$`), mayEdit},
	{regexp.MustCompile(`^/console/organization/ORG/(import|events/change)$`), mayWrite},
	{regexp.MustCompile(`^/console/organization/ORG/sources/`), mayWrite},
}

// offered are forms by their actions and by the roles to whom a page offers them.
type offered map[string]map[string]form

func (o offered) add(role string, forms map[string]form) {
	for action, f := range forms {
		if o[action] == nil {
			o[action] = map[string]form{}
		}
		o[action][role] = f
	}
}

// to returns the roles to whom a form is offered, in their order.
func (o offered) to(action string) []string {
	return slices.DeleteFunc(slices.Clone(consoleRoles), func(role string) bool { _, has := o[action][role]; return !has })
}

// unseen are forms that no page of the scene offers: they stand in answers to other forms, or need
// what the scene does not have.
func (s scene) unseen() offered {
	found, event, org := offered{}, "/event/"+s.event, "/organization/"+s.org
	add := func(roles []string, values url.Values, paths ...string) {
		for _, path := range paths {
			for _, role := range roles {
				found.add(role, map[string]form{"/console" + path: {"/console" + path, values}})
			}
		}
	}
	add(mayWrite, nil, event+"/preview/revoke", event+"/preview/"+s.invitation+"/revoke")
	add(mayEdit, url.Values{"venue_uuid": {s.foreign.venue}}, event+"/place/ask")
	add(mayEdit, nil, event+"/place/requests/"+s.invitation+"/withdraw")
	add(mayEdit, url.Values{"decision": {"accept"}}, "/venue-requests/"+s.invitation)
	add(mayEdit, url.Values{"to": {"front"}}, event+"/pictures/"+s.picture+"/move")
	add(mayOwn, url.Values{"password": {harness.EditorPassword}}, org+"/delete")
	add(mayManage, url.Values{"email": {"stranger@example.org"}, "role": {"owner"}}, org+"/team/invitation/"+s.invitation)
	add(mayManage, nil, "/webhook/"+s.hook+"/delivery/1")
	add(mayManage, url.Values{"event_uuid": {s.event}}, org+"/lists/"+s.list+"/add")
	add(mayManage, url.Values{"event": {s.draft}, "accepted": {"false"}}, org+"/series/"+s.series+"/event")
	add(mayManage, nil, org+"/series/"+s.series+"/pictures")
	add([]string{"administrator"}, url.Values{"into": {s.performer}}, "/administration/contributors/"+s.performer+"/merge")
	add([]string{"administrator"}, url.Values{"event_uuid": {s.event}}, "/administration/lists/"+s.platform.list+"/add")
	add(mayWrite, url.Values{"external_id": {"1"}, "decision": {"same"}}, org+"/sources/"+s.source+"/duplicate")
	add([]string{"administrator"}, url.Values{"outcome": {"dismissed"}, "note": {"planted"}, "reason": {"planted"}, "approved": {"false"}},
		"/administration/approvals/"+s.org, "/administration/reports/1", "/administration/events/"+s.event+"/takedown",
		"/administration/events/"+s.event+"/lift", "/administration/mails/1/retry", "/administration/mails/1/drop")
	return found
}

// wantOffers compares what pages offer with the matrix.
func (c *consoleTest) wantOffers(t *testing.T, found offered) {
	t.Helper()
	used := make([]bool, len(consoleOffers))
	for _, action := range slices.Sorted(maps.Keys(found)) {
		name, got := c.scene.named(action), found.to(action)
		i := slices.IndexFunc(consoleOffers, func(o offer) bool { return o.action.MatchString(name) })
		if i < 0 {
			t.Errorf("%s has no row, it is offered to %v", name, got)
			continue
		}
		used[i] = true
		if want := consoleOffers[i].roles; want != nil && !slices.Equal(got, want) {
			t.Errorf("%s is offered to %v, want %v", name, got, want)
		}
	}
	for i, row := range consoleOffers {
		if !used[i] {
			t.Errorf("no page has a form for %s", row.action)
		}
	}
}

// openForms are the routes of forms that need no login, and of one that needs a profile image.
var openForms = []string{
	"/login", "/signup", "/forgot", "/activate", "/reset", "/confirm", "/invitation", "/invitation/join", "/invitation/login",
	"/account/avatar/delete",
}

// wantEveryRoute checks that no page of the console is without a row, and no form of it untried.
func (c *consoleTest) wantEveryRoute(t *testing.T, found offered) {
	t.Helper()
	content, err := os.ReadFile("../../../services/console/testdata/routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	var posted, shown []string
	for action := range found {
		posted = append(posted, action)
	}
	for _, row := range c.scene.pages() {
		shown = append(shown, row.path)
	}
	shown = append(shown, openPages...)
	for _, path := range openForms {
		posted = append(posted, "/console"+path)
	}
	for method, paths := range map[string][]string{"GET": shown, "POST": posted} {
		for _, route := range unmatched(string(content), method, paths) {
			t.Errorf("%s %s is not tried", method, route)
		}
	}
}

// oneParameter matches a part of a route that is not the same in every address.
var oneParameter = regexp.MustCompile(`:\w+`)

// unmatched returns the routes of a method that none of the paths leads to. The first route that
// matches a path counts.
func unmatched(routes, method string, paths []string) (missing []string) {
	var patterns []*regexp.Regexp
	for route := range strings.Lines(routes) {
		if path, found := strings.CutPrefix(strings.TrimSpace(route), method+" "); found {
			missing = append(missing, path)
			patterns = append(patterns, regexp.MustCompile("^/console"+oneParameter.ReplaceAllString(path, "[^/]+")+"$"))
		}
	}
	reached := make([]bool, len(patterns))
	for _, path := range paths {
		path, _, _ = strings.Cut(path, "?")
		if i := slices.IndexFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(path) }); i >= 0 {
			reached[i] = true
		}
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if reached[i] {
			missing = slices.Delete(missing, i, i+1)
		}
	}
	return missing
}
