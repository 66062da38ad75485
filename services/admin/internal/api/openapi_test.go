package api_test

import (
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/api/openapi"
	"litfass/services/admin/internal/people/auth/authtest"
)

// example is a request whose answer must be as described. who is a person of the stage, "key" for
// an API key of the owner, or "" for no credentials.
type example struct {
	operation string // as the description names it: "GET /api/admin/user/todo/{todoId}"
	who, body string
	status    int    // 200 when it is 0
	address   string // where it is not the operation's path with the ids of the stage
	headers   []string
}

// newExamples returns a stage with everything that the examples speak of.
func newExamples(t *testing.T) *examples {
	t.Helper()
	return examplesOn(t, newStage(t))
}

func examplesOn(t *testing.T, s *stage) *examples {
	t.Helper()
	c := &examples{
		stage: s, description: apidocstest.Describe(t, openapi.JSON()), seen: map[string]bool{},
		shown: map[reflect.Type]bool{}, key: authtest.Key(t, s.db, s.people["owner"].id, "", permission.EditEvent),
	}
	c.prepare(t)
	return c
}

// examples asks for every described answer of every operation.
type examples struct {
	*stage
	description apidocstest.Description
	ids         *strings.Replacer
	key         string
	orgKey      string // of the organization
	seen        map[string]bool
	shown       map[reflect.Type]bool // of the contracts
	asked       int

	usedVenue, usedSpace string // by an event
}

func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	for _, right := range c.rightOnes(t) {
		c.wrongOnes(t, right)
		c.ask(t, right)
	}
	for _, special := range c.specialOnes(t) {
		c.ask(t, special)
	}
	for _, full := range c.fullOnes(t) {
		c.ask(t, full)
	}
	mustHaveShown(t, c.shown)
	for path, operations := range c.description.Paths {
		for method := range operations.(map[string]any) {
			operation := strings.ToUpper(method) + " " + path
			for status := range c.description.Responses(method, path) {
				// Limits and an engine that is down are tested by themselves.
				if status != "429" && status != "503" && !c.seen[operation+" "+status] {
					t.Errorf("%s: no example brings about %s", operation, status)
				}
			}
		}
	}
}

// prepare creates the entities of the examples.
func (c *examples) prepare(t *testing.T) {
	t.Helper()
	venue := c.venue(t, c.org)
	space := c.space(t, venue)
	used := c.event(t, c.org, "Konzert", "draft", nil, 5, 6)
	c.usedVenue = c.venue(t, c.org)
	c.usedSpace = c.space(t, c.usedVenue)
	c.exec(t, "UPDATE event SET venue_uuid = $1, space_uuid = $2 WHERE uuid = $3", c.usedVenue, c.usedSpace, used)
	c.as(t, "owner", http.MethodPut, "/event/"+used+"/types", `{"event_types": [{"type_id": 1, "genre_id": 1003}]}`).want(t, "give a type", ok, "")
	c.as(t, "owner", http.MethodPut, "/event/"+used+"/participation-infos", `{"tariffs": [{"name": "Rang", "min_price": 5, "currency": "EUR"}]}`)
	c.link(t, used)
	guest := c.event(t, authtest.Organization(t, c.db, "Verein"), "Gast", "released", nil, 5)
	c.exec(t, "UPDATE event SET venue_uuid = $1 WHERE uuid = $2", c.usedVenue, guest)
	secret, _ := c.previewed(t, "owner", used)
	picture, kind := imageForm(t, avatarFile(t))
	shown := c.send(t, http.MethodPost, admin+"/event/"+used+"/teaser/image", picture, "Authorization", "Bearer "+c.people["owner"].access, "Content-Type", kind)
	c.join(t, "leaver", "", 0)
	c.join(t, "platform", "", 0)
	c.join(t, "founder", authtest.Organization(t, c.db, "Neubau"), permission.All)
	landlord := authtest.Organization(t, c.db, "Halle")
	c.join(t, "landlord", landlord, permission.All)
	c.exec(t, "UPDATE app_user SET is_platform_admin = true WHERE id = $1", c.people["platform"].id)
	c.exec(t, "INSERT INTO organization_approval (org_uuid, state, asked_at) VALUES ($1, 'pending', now())", c.foreign)
	todo := c.as(t, "owner", http.MethodPut, "/user/todo", `{"title": "x", "due_date": "2026-12-01"}`)
	event := c.event(t, c.org, "Konzert", "draft", nil, 5)
	letter := c.write(t, "viewer", "user", c.people["owner"].id, "x")
	empty := c.as(t, "owner", http.MethodPut, "/organization", `{"name": "Empty"}`)
	personal := c.as(t, "owner", http.MethodPost, "/user/api-keys", `{"name": "k", "role": "viewer"}`)
	keyPath := "/organization/" + c.org + "/api-keys"
	shared := c.as(t, "owner", http.MethodPost, keyPath, `{"name": "k", "role": "viewer", "expires_at": "2999-01-01T00:00:00Z"}`)
	c.as(t, "owner", http.MethodPost, "/organization/"+c.org+"/team/invite", `{"email": "waiting@example.org"}`)
	c.as(t, "neighbour", http.MethodPost, "/organization/"+c.foreign+"/team/invite", `{"email": "owner@example.org"}`)
	accepted, _ := c.invitation(t, c.foreign, c.people["editor"].email)
	declined, _ := c.invitation(t, c.foreign, c.people["manager"].email)
	c.exec(t, "UPDATE invitation SET invited_by = $1 WHERE uuid IN ($2, $3)", c.people["neighbour"].id, accepted, declined)
	pictured, image := c.event(t, c.org, "Film", "draft", nil, 5), newUUID()
	c.named(t, c.org, used)
	c.exec(t, sceneImage, image, pictured, "main")
	asked := c.venue(t, landlord)
	c.exec(t, "UPDATE venue SET use = 'ask' WHERE uuid IN ($1, $2)", asked, venue)
	preview := newUUID()
	c.exec(t, sceneSign, event, c.people["editor"].id)
	c.exec(t, scenePreview, preview, event, c.org, c.people["owner"].id, c.clock.Now())
	portal, _ := c.portal(t, c.org)
	otherPortal, _ := c.portal(t, c.org)
	_, takenSlug := c.portal(t, c.org)
	label := c.label(t)
	list, _ := c.list(t, c.org, event)
	otherList, _ := c.list(t, c.org, event)
	_, takenList := c.list(t, c.org, event)
	series, _ := c.series(t, c.org, event)
	c.exec(t, "INSERT INTO series_event (series_uuid, event_uuid, position, state) VALUES ($1, $2, 0, 'asked')", series, used)
	c.exec(t, "UPDATE series_event SET state = 'accepted', decided_at = now() WHERE series_uuid = $1", series)
	date := c.datesOfARule(t, event)
	c.exec(t, `UPDATE event_date SET series_part_uuid = (SELECT uuid FROM series_part WHERE series_uuid = $1) WHERE event_uuid IN ($2, $3)`, series, event, used)
	otherSeries, _ := c.series(t, c.org, "")
	_, takenSeries := c.series(t, c.org, "")
	contributor, otherContributor := c.contributor(t, c.org, "Anna Thomsen"), c.contributor(t, "", "Trio Nord")
	hook := c.webhook(t, c.org, nil)
	c.orgKey = authtest.Key(t, c.db, c.people["owner"].id, c.org, permission.All)
	c.ids = strings.NewReplacer(
		"{webhookId}", hook, "{deliveryNumber}", c.delivery(t, hook), "{previewId}", preview, "{askedVenue}", asked,
		"{sourceId}", c.source(t, c.org, used), "{file}", calendarFile(t), "{otherFile}", calendarFile(t),
		"{seriesId}", series, "{otherSeries}", otherSeries, "{takenSeries}", takenSeries,
		"{contributorId}", contributor, "{otherContributor}", otherContributor, "{mergedContributor}", c.contributor(t, c.org, "Trio Nord"),
		"{namedContributor}", c.named(t, c.org, pictured), "{listId}", list, "{otherList}", otherList, "{takenList}", takenList,
		"{labelKey}", label, "{portalId}", portal, "{otherPortal}", otherPortal, "{takenSlug}", takenSlug,
		"{requestId}", c.requested(t, guest, venue), "{pendingRequest}", c.requested(t, pictured, asked),
		"{pictured}", pictured, "{image}", image,
		"{token}", secret, "{uuid}", fmt.Sprint(shown.body["uuid"]),
		"{organizationId}", c.org, "{empty}", fmt.Sprint(empty.body["uuid"]), "{foreign}", c.foreign,
		"{memberId}", c.people["contributor"].member, "{ownerMember}", c.people["owner"].member,
		"{sessionId}", c.stack.LogIn(t, c.db, c.people["owner"].id).SessionID,
		"{todoId}", fmt.Sprint(todo.body["id"]), "{messageId}", fmt.Sprint(letter.body["id"]),
		"{userId}", fmt.Sprint(c.people["owner"].id), "{size}", "64", "{founderId}", fmt.Sprint(c.people["founder"].id), "{ownId}", fmt.Sprint(c.people["platform"].id),
		"{mailId}", c.undelivered(t), "{otherMail}", c.undelivered(t),
		"user/api-keys/{keyId}", "user/api-keys/"+fmt.Sprint(personal.body["uuid"]),
		"api-keys/{keyId}", "api-keys/"+fmt.Sprint(shared.body["uuid"]),
		"{venueId}", venue, "{spaceId}", space, "{eventId}", event, "{linkId}", c.link(t, event), "{dateId}", date, "{draft}", used, "{usedVenue}", c.usedVenue, "{usedSpace}", c.usedSpace,
		"{invitationId}/accept", accepted+"/accept", "{invitationId}/decline", declined+"/decline",
		"{reportId}", c.reported(t, used), "{imageIndex}", "2", "{secret}", authtest.Password, "{unknown}", newUUID(),
	)
}

// rightOnes are requests that succeed; deletions come last.
func (c *examples) rightOnes(t *testing.T) []example {
	t.Helper()
	file, kind := form(t, "avatar", "me.png", avatarFile(t))
	image, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	all := []example{
		{operation: "POST /api/admin/user/avatar", who: "owner", body: string(image), headers: []string{"Content-Type", kind}},
	}
	all = slices.Concat(all, platformOnes, imageExamples(t), catalogueOnes)
	for _, path := range shownOnes {
		all = append(all, example{operation: "GET /api/admin/" + path, who: "owner"})
	}
	return append(all, lastOnes...)
}

// wrongOnes changes a right request in each way for which an answer is described.
func (c *examples) wrongOnes(t *testing.T, right example) {
	t.Helper()
	method, path, _ := strings.Cut(right.operation, " ")
	for text := range c.description.Responses(method, path) {
		if wrong, apt := right.wronged(method, path, text); apt {
			c.ask(t, wrong)
		}
	}
}

// catalogued are the operations on entities of an organization that the path does not name.
var catalogued = regexp.MustCompile(`/api/admin/(venue|space|portal|list|contributor|venue-request|events?|date|webhook)(/|$)`)

// wronged returns the request changed so that it is answered with a status, and whether there is a
// way that does for all operations.
func (e example) wronged(method, path, status string) (example, bool) {
	inOrganization := strings.Contains(path, "{organizationId}") || catalogued.MatchString(e.operation) && !strings.HasSuffix(path, "/merge")
	upload := len(e.headers) > 0 && method == http.MethodPost
	switch {
	case status == "400" && e.body != "" && !upload:
		e.body, e.status = `[]`, http.StatusBadRequest
	case status == "400" && strings.Contains(path, "{token}"): // any text may be one
		e.address, e.status = path+"?width=0", http.StatusBadRequest
	case status == "400" && strings.Contains(path, "{"):
		e.address, e.status = path[:strings.IndexByte(path, '{')]+"x"+path[strings.IndexByte(path, '}')+1:], http.StatusBadRequest
	case status == "400":
		e.address, e.status = path+"?limit=0", http.StatusBadRequest
	case status == "401" && e.who != "":
		e.who, e.status = "", http.StatusUnauthorized
	case status == "403" && strings.HasSuffix(path, "/user/webhooks"):
		e.who, e.status = "organization's key", http.StatusForbidden
	case status == "403" && inOrganization:
		e.who, e.status = "viewer", http.StatusForbidden
	case status == "403":
		e.who, e.status = "key", http.StatusForbidden
	case status == "404" && (inOrganization || strings.Contains(path, "{eventId}")):
		e.who, e.status = "stranger", http.StatusNotFound
	case status == "304":
		e.headers, e.status = []string{"If-None-Match", "*"}, http.StatusNotModified
	case status == "412":
		e.headers, e.status = append(slices.Clip(e.headers), "If-Match", `"0"`), http.StatusPreconditionFailed
	case status == "413" && strings.HasSuffix(path, "/import"): // of whole files
		e.body, e.status = strings.Repeat(" ", 8<<20), http.StatusRequestEntityTooLarge
	case status == "413" && !upload:
		e.body, e.status = strings.Repeat(" ", 700<<10), http.StatusRequestEntityTooLarge
	case status == "415":
		e.headers, e.status = []string{"Content-Type", "text/plain"}, http.StatusUnsupportedMediaType
	default:
		return e, false
	}
	return e, true
}

// ask sends an example and compares the answer with the description.
func (c *examples) ask(t *testing.T, e example) {
	t.Helper()
	method, path, _ := strings.Cut(e.operation, " ")
	address := e.address
	if address == "" {
		address = path
	}
	if e.status == 0 {
		e.status = http.StatusOK
	}
	a := c.send(t, method, c.ids.Replace(address), c.bodyOf(e), c.headersOf(e)...)
	if a.status != e.status {
		t.Errorf("%s by %q: %d %.300s, want %d", e.operation, e.who, a.status, a.raw, e.status)
		return
	}
	if err := c.description.Check(method, path, a.status, a.raw); err != nil {
		t.Errorf("%s: %d: %v in %.1000s", e.operation, a.status, err, a.raw)
	}
	if err := checkContract(e.operation, a.status, a.raw, c.shown); err != nil {
		t.Errorf("%s: %d: %v in %.1000s", e.operation, a.status, err, a.raw)
	}
	c.seen[fmt.Sprintf("%s %d", e.operation, a.status)] = true
}

func (c *examples) bodyOf(e example) io.Reader {
	if e.body == "" {
		return nil
	}
	return strings.NewReader(c.ids.Replace(e.body))
}

// headersOf gives each request an address of its own, so that no limit is met.
func (c *examples) headersOf(e example) []string {
	c.asked++
	headers := append([]string{"X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", c.asked/250, 1+c.asked%250)}, e.headers...)
	switch {
	case e.who == "organization's key":
		headers = append(headers, "Authorization", "Bearer "+c.orgKey)
	case e.who == "key":
		headers = append(headers, "Authorization", "Bearer "+c.key)
	case e.who != "":
		headers = append(headers, "Authorization", "Bearer "+c.people[e.who].access)
	}
	if e.body != "" && !slices.Contains(e.headers, "Content-Type") {
		headers = append(headers, "Content-Type", "application/json")
	}
	return headers
}
