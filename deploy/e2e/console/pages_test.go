package console

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// consoleRoles are the columns of the matrix of roles. The stranger owns another organization.
var consoleRoles = []string{"owner", "manager", "editor", "contributor", "viewer", "stranger", "administrator"}

// consolePage is a page of the console and how it answers.
type consolePage struct {
	path string
	// roles see it; nil are all. The others get hidden: strangers 404 where that is 0, members 403.
	roles  []string
	hidden int
	// addresses are the roles to whom it shows the e-mail addresses of others.
	addresses []string
	// private pages show strangers nothing of the organization.
	private bool
	// status is the status for the roles that see it; 0 stands for 200.
	status int
	// part means that the answer is no page, but a part of one, a file, or a redirect.
	part bool
}

// want returns the status of the answer to a role.
func (p consolePage) want(role string) int {
	switch {
	case p.roles == nil || slices.Contains(p.roles, role):
		return cmp.Or(p.status, http.StatusOK)
	case p.hidden != 0:
		return p.hidden
	case role == "stranger":
		return http.StatusNotFound
	default:
		return http.StatusForbidden
	}
}

// viewer returns a role that sees the page.
func (p consolePage) viewer() string {
	if p.roles == nil {
		return consoleRoles[0]
	}
	return p.roles[0]
}

// Who sees pages of the scene's organization. The administrator sees every one.
var (
	mayRead   = []string{"owner", "manager", "editor", "contributor", "viewer", "administrator"}
	mayWrite  = []string{"owner", "manager", "editor", "contributor", "administrator"}
	mayEdit   = []string{"owner", "manager", "editor", "administrator"}
	mayManage = []string{"owner", "manager", "administrator"}
	mayOwn    = []string{"owner", "administrator"}
	mayLeave  = []string{"owner", "manager", "editor", "contributor", "viewer"}
)

// pages are all pages of the console that need a login.
func (s scene) pages() []consolePage {
	return slices.Concat(s.ownPages(), s.administrationPages(), s.organizationPages(), s.eventPages(), s.placePages())
}

// below returns pages that answer alike.
func below(root string, like consolePage, paths ...string) []consolePage {
	pages := make([]consolePage, len(paths))
	for i, path := range paths {
		like.path = "/console" + root + path
		pages[i] = like
	}
	return pages
}

// ownPages are those about the person.
func (s scene) ownPages() []consolePage {
	mine := consolePage{roles: []string{"owner"}, hidden: http.StatusNotFound}
	return slices.Concat(
		below("", consolePage{}, "/", "/account", "/account/security", "/account/keys", "/account/webhooks", "/account/data", "/account/delete",
			"/messages", "/venue-requests", "/todos", "/organization/new", "/logged-in"),
		below("", consolePage{addresses: mayManage}, "/messages/new", "/messages/new?organization="+s.org),
		below("", consolePage{part: true, addresses: mayManage}, "/account/export"), // of those whom they invited
		below("", consolePage{part: true}, "/position?lat=54.32&lon=10.14", "/first/positions?city=Kiel", "/towns?city=Kiel", "/seen?position=0"),
		below("", mine, "/messages/"+s.mine.message, "/messages/"+s.mine.message+"/delete", "/todos/"+s.mine.todo,
			"/account/key/"+s.mine.key+"/revoke"),
	)
}

func (s scene) administrationPages() []consolePage {
	only := consolePage{roles: []string{"administrator"}, hidden: http.StatusForbidden, addresses: []string{"administrator"}, private: true}
	lead, foreign := only, only
	foreign.hidden = http.StatusNotFound
	lead.status, lead.part = http.StatusSeeOther, true
	return slices.Concat(
		below("/administration", lead, ""),
		below("/administration", only, "/approvals", "/reports", "/people", "/organizations", "/labels", "/labels/scene/delete", "/contributors", "/contributors?repeated=1&search=x", "/mails", "/webhooks", "/nodes",
			"/portals", "/portals/"+s.platform.portal, "/portals/"+s.platform.portal+"/delete",
			"/lists", "/lists/"+s.platform.list, "/lists/"+s.platform.list+"?search=hall", "/lists/"+s.platform.list+"/delete"),
		below("/webhook/"+s.platform.hook, foreign, "", "/delete"),
	)
}

func (s scene) organizationPages() []consolePage {
	root := "/organization/" + s.org
	of := func(roles []string) consolePage { return consolePage{roles: roles, private: true} }
	leave := consolePage{roles: mayLeave, hidden: http.StatusNotFound, private: true}
	crowd := of(mayManage)
	crowd.addresses = mayManage
	return slices.Concat(
		below(root, of(mayRead), "", "/events", "/venues", "/settings"),
		below(root, of(mayWrite), "/import", "/sources", "/sources/new", "/sources/"+s.source, "/events/change?event="+s.event+"&event="+s.draft),
		below(root, of(mayEdit), "/venues/new"),
		below("/first/place", of(mayEdit), "?organization="+s.org),
		below(root, crowd, "/audit", "/audit/event/"+s.org, "/team", "/team/member/"+s.member, "/team/remove/"+s.member, "/team/remove/"+s.invitation),
		below(root, of(mayManage), "/keys", "/keys/"+s.key+"/revoke", "/webhooks", "/portals", "/portals/"+s.portal, "/portals/"+s.portal+"/delete",
			"/lists", "/lists/"+s.list, "/lists/"+s.list+"?search=hall", "/lists/"+s.list+"/delete",
			"/series", "/series/"+s.series, "/series/"+s.series+"/translations", "/series/"+s.series+"/delete"),
		s.pagesOfPicture(root+"/series/"+s.series+"/pictures"),
		below("/webhook/"+s.hook, of(mayManage), "", "/delete"),
		below(root, of(mayOwn), "/delete"),
		below(root, leave, "/leave"),
		below("/event/new", consolePage{roles: append([]string{"stranger"}, mayWrite[:4]...)}, ""),
		below("/event/new", consolePage{roles: append([]string{"stranger"}, mayWrite...)}, "?organization="+s.org),
	)
}

// pagesOfPicture are those of the picture of the series.
func (s scene) pagesOfPicture(root string) []consolePage {
	page := consolePage{roles: mayManage, private: true}
	lead, file := page, consolePage{roles: mayRead, private: true, part: true}
	lead.roles, lead.status, lead.part = nil, http.StatusSeeOther, true
	return slices.Concat(below(root, page, "", "/"+s.poster+"/delete"), below(root, lead, "/"+s.poster+"/replace"), below(root, file, "/1/file"))
}

func (s scene) eventPages() []consolePage {
	root, draft := "/event/"+s.event, "/event/"+s.draft
	of := func(roles []string) consolePage { return consolePage{roles: roles, private: true} }
	lead, file := of(mayRead), of(mayRead)
	lead.status, lead.part, file.part = http.StatusSeeOther, true, true
	lead.roles = nil // it says nothing of the event
	return slices.Concat(
		below(root, of(mayRead), "", "/dates", "/dates/"+s.date, "/lists", "/series"),
		below(root, of(mayWrite), "/history", "/translations", "/duplicate", "/preview"),
		below(root, of(mayEdit), "/delete", "/place/new", "/release/cancelled", "/release/draft", "/dates/new",
			"/dates/"+s.date+"/delete", "/place", "/place?search=Saal", "/pictures/"+s.picture+"/delete", "/contributors"),
		below(draft, of(mayRead), ""),
		below(draft, of(mayWrite), "/release/review", "/contributors", "/contributors?search=x"),
		below(draft, of(mayEdit), "/release/released"),
		below(root, lead, "/pictures", "/pictures/"+s.picture+"/replace"),
		below(root, file, "/pictures/1/file", "/live"),
	)
}

func (s scene) placePages() []consolePage {
	of := func(roles []string) consolePage { return consolePage{roles: roles, private: true} }
	return slices.Concat(
		below("/venue/"+s.venue, of(mayRead), ""),
		below("/venue/"+s.venue, of(mayManage), "/delete"),
		below("/space/"+s.space, of(mayRead), ""),
		below("/space/"+s.space, of(mayManage), "/delete"),
		below("/contributor/"+s.performer, of(mayRead), ""),
		below("/contributor/"+s.performer, of(mayWrite), "/delete"),
	)
}

// openPages need no login.
var openPages = []string{
	"/console/signup", "/console/forgot", "/console/activate", "/console/reset", "/console/confirm", "/console/invitation",
	"/console/login", "/console/login?lang=da&next=/console/messages",
}

// anyNumber matches the ids that differ from run to run.
var anyNumber = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|\b\d+\b`)

// named writes the path of a page with names in place of ids.
func (s scene) named(path string) string {
	names := strings.NewReplacer(s.org, "ORG", s.venue, "VENUE", s.space, "SPACE", s.event, "EVENT", s.draft, "DRAFT", s.platform.hook, "OPERATOR")
	path, _, _ = strings.Cut(names.Replace(path), "?")
	return anyNumber.ReplaceAllString(path, "*")
}
