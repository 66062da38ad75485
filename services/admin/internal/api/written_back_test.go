package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
)

// source is where the body of a PUT is read before it is sent back.
type source struct {
	get     string   // path of the GET
	at      string   // the key of the resource in the answer, or of its list; "" for the whole answer
	patch   bool     // it is a PATCH
	part    bool     // the PUT reads only the fields in its description
	bulk    bool     // the body is a list with the part
	queries []string // of the PUT, one after the other; none for a PUT without
}

var ofEvent = source{get: "event/{eventId}", part: true}

// method is that of the operation.
func (s source) method() string {
	if s.patch {
		return http.MethodPatch
	}
	return http.MethodPut
}

// sources are the PUTs and PATCHes that change a resource which can be read, below the prefix.
var sources = map[string]source{
	"user/profile":                  {get: "user/profile"},
	"user/settings":                 {get: "user/profile", part: true},
	"user/todo":                     {get: "user/todo/{todoId}", at: "todo"},
	"user/api-keys/{keyId}":         {get: "user/api-keys", at: "api_keys", part: true},
	"organization/{organizationId}": {get: "organization/{organizationId}"},
	"organization/{organizationId}/api-keys/{keyId}": {
		get: "organization/{organizationId}/api-keys", at: "api_keys", part: true,
	},
	"organization/{organizationId}/member/{memberId}/permissions": {
		get: "organization/{organizationId}/member/{memberId}/permissions",
	},
	"webhook/{webhookId}": {get: "webhook/{webhookId}", part: true},
	"organization/{organizationId}/sources/{sourceId}": {
		get: "organization/{organizationId}/sources/{sourceId}", part: true,
	},
	"venue/{venueId}":                     {get: "venue/{venueId}"},
	"portal/{portalId}":                   {get: "portal/{portalId}"},
	"list/{listId}":                       {get: "list/{listId}"},
	"series/{seriesId}":                   {get: "series/{seriesId}"},
	"contributor/{contributorId}":         {get: "contributor/{contributorId}"},
	"event/{eventId}/contributors":        ofEvent,
	"space/{spaceId}":                     {get: "space/{spaceId}"},
	"event/{eventId}/header":              ofEvent,
	"event/{eventId}/description":         ofEvent,
	"event/{eventId}/summary":             ofEvent,
	"event/{eventId}/types":               ofEvent,
	"event/{eventId}/place":               ofEvent,
	"event/{eventId}/tags":                ofEvent,
	"event/{eventId}/languages":           ofEvent,
	"event/{eventId}/texts":               ofEvent,
	"event/{eventId}/participation-infos": ofEvent,
	"event/{eventId}/release-status":      ofEvent,
	"event/{eventId}/link/{linkId}":       {get: "event/{eventId}", at: "event_links"},
	"event/{eventId}/date/{dateId}": {
		get: "event/{eventId}", at: "dates", queries: []string{"", "?scope=this", "?scope=following", "?scope=all"},
	},
	"date/{dateId}/availability": {get: "date/{dateId}/availability", part: true},
	"event/{eventId}":            {get: "event/{eventId}", part: true, patch: true},
	"events/bulk":                {get: "event/{eventId}", part: true, bulk: true},
}

// sourceless are the PUTs with nothing to read before, and why.
var sourceless = map[string]string{
	"organization":                           "adds one",
	"venue":                                  "adds one",
	"portal":                                 "adds one",
	"list":                                   "adds one",
	"series":                                 "adds one",
	"series/{seriesId}/event/{eventId}":      "is a decision, which its own test reads",
	"contributor":                            "adds one",
	"list/{listId}/entry":                    "writes an entry, which its own test reads",
	"space":                                  "adds one",
	"event/{eventId}/link":                   "adds one",
	"event/{eventId}/images/order":           "names what is there; in its order it changes nothing, which its own test shows",
	"user/password":                          "no answer shows a password",
	"user/message/{messageId}/read":          "has no body",
	"organization/{organizationId}/approval": "is a decision, of which each is recorded",
	"label/{labelKey}":                       "has no GET of its own; again it changes nothing, which its own test shows",
	"event/{eventId}/labels":                 "is a decision of an administrator; again it changes nothing, which its own test shows",
	"event/{eventId}/takedown":               "is a decision of an administrator; again it changes nothing, which its own test shows",
	"people/{userId}/state":                  "is a decision of an administrator; again it changes nothing, which its own test shows",
	"venue-request/{requestId}":              "is a decision; again it changes nothing, which its own test shows",
	"organization/{organizationId}/sources/{sourceId}/duplicate": "is a decision, of which each is recorded",
	"report/{reportId}": "is a decision of an administrator; again it changes nothing, which its own test shows",
}

// TestWhatIsReadCanBeWrittenBack: every answer of a GET, sent back by its PUT, changes nothing: not
// the resource and its version, and it leaves no audit entry and no change in the outbox. A new PUT
// fails the test until it has its line above.
func TestWhatIsReadCanBeWrittenBack(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	for name, ids := range map[string]*strings.Replacer{
		"everything is filled": c.filled(t, "review", `"2027-01-01T12:00:00Z"`),
		"an event is public":   c.filled(t, "released", "null"),
		"hardly any is filled": c.sparse(t),
	} {
		t.Run(name, func(t *testing.T) {
			for _, put := range slices.Sorted(maps.Keys(sources)) {
				c.writeBack(t, put, ids)
			}
			c.describeBack(t, ids)
		})
	}
	for _, operation := range c.description.Described() {
		put, changes := strings.CutPrefix(operation, "PUT "+admin+"/")
		_, read := sources[put]
		if _, listed := sourceless[put]; changes && read == listed {
			t.Errorf("%s must be in one of the two lists", operation)
		}
	}
}

// writeBack sends the answer of a GET back with its PUT.
func (c *examples) writeBack(t *testing.T, put string, ids *strings.Replacer) {
	t.Helper()
	from := sources[put]
	address, get := c.address(put, ids), c.address(from.get, ids)
	before, trace := c.as(t, "owner", http.MethodGet, get, ""), c.trace(t)
	before.want(t, get, ok, "")
	resource := before.find(t, from.at, address[strings.LastIndexByte(address, '/')+1:])
	if resource == nil {
		t.Fatalf("%s shows nothing for %s: %.500s", get, put, before.raw)
	}
	var headers []string
	if tag := before.header.Get("ETag"); tag != "" && !from.bulk {
		headers = []string{"If-Match", tag}
	}
	body := c.body(t, put, resource, before.header.Get("ETag"))
	for _, query := range append(from.queries, "")[:max(1, len(from.queries))] {
		if query != "" && resource["rule_uuid"] == nil {
			continue
		}
		written := c.as(t, "owner", from.method(), address+query, body, headers...)
		written.want(t, put+query, ok, "")
		if !from.bulk {
			written.wantFields(t, put+query, body)
		}
		after := c.as(t, "owner", http.MethodGet, get, "")
		if string(after.raw) != string(before.raw) || after.header.Get("ETag") != before.header.Get("ETag") {
			t.Errorf("%s%s changes %s\n%s to %s\n%s", put, query,
				before.header.Get("ETag"), before.raw, after.header.Get("ETag"), after.raw)
		}
		if left := c.trace(t); left != trace {
			t.Errorf("%s%s leaves %s, before it was %s", put, query, left, trace)
		}
	}
}

// address returns the path of an operation with ids: the variant's ids take precedence over the ids
// shared by all examples.
func (c *examples) address(path string, ids *strings.Replacer) string {
	return "/" + strings.TrimPrefix(c.ids.Replace(ids.Replace(admin+"/"+path)), admin+"/")
}

// find returns a resource from an answer: the value of a key, or the element of its list with a
// uuid; nil when there is none.
func (a answer) find(t *testing.T, key, uuid string) map[string]any {
	t.Helper()
	if key == "" {
		return a.body
	}
	if list, isList := a.body[key].([]any); isList {
		for _, element := range list {
			if resource := element.(map[string]any); resource["uuid"] == uuid {
				return resource
			}
		}
		return nil
	}
	resource, _ := a.body[key].(map[string]any)
	return resource
}

// body returns the fields of a resource that a PUT reads.
func (c *examples) body(t *testing.T, put string, resource map[string]any, tag string) string {
	t.Helper()
	from, given := sources[put], resource
	if from.part {
		given = map[string]any{}
		for _, key := range c.reads(put) {
			if value, shown := resource[key]; shown {
				given[key] = value
			}
		}
	}
	if len(given) == 0 {
		t.Fatalf("%s reads nothing of %v", put, resource)
	}
	var whole any = given
	if from.bulk {
		given["uuid"], given["if_match"] = resource["uuid"], tag
		whole = map[string]any{"events": []any{given}}
	}
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reads returns the fields that a PUT is documented to read; for a list, the fields of its
// elements.
func (c *examples) reads(put string) []string {
	body := c.description.Operation(strings.ToLower(sources[put].method()), admin+"/"+put)["requestBody"].(map[string]any)
	content := body["content"].(map[string]any)["application/json"].(map[string]any)
	fields := describedFields(c.description, content["schema"])
	if list, isBulk := fields["events"].(map[string]any); isBulk && sources[put].bulk {
		fields = describedFields(c.description, list["items"])
	}
	return slices.Sorted(maps.Keys(fields))
}

// describedFields returns the properties of a schema and of the schemas that it refers to.
func describedFields(d apidocstest.Description, schema any) map[string]any {
	fields := map[string]any{}
	node, _ := schema.(map[string]any)
	if ref, isRef := node["$ref"].(string); isRef {
		maps.Copy(fields, describedFields(d, d.Schemas[ref[strings.LastIndexByte(ref, '/')+1:]]))
	}
	parts, _ := node["allOf"].([]any)
	for _, part := range parts {
		maps.Copy(fields, describedFields(d, part))
	}
	properties, _ := node["properties"].(map[string]any)
	maps.Copy(fields, properties)
	return fields
}

// wantFields checks that an answer holds every field of a body.
func (a answer) wantFields(t *testing.T, what, body string) {
	t.Helper()
	var given map[string]any
	if err := json.Unmarshal([]byte(body), &given); err != nil {
		t.Fatal(err)
	}
	for key, value := range given {
		if !reflect.DeepEqual(a.body[key], value) {
			t.Errorf("%s answers %s as %v, was %v", what, key, a.body[key], value)
		}
	}
}

const selectTrace = `
SELECT format(
    '%s audit entries, %s changes',
    (SELECT count(*) FROM audit_entry),
    coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox', 'id')), 0)
)`

// trace returns how many audit entries and changes there have been.
func (c *examples) trace(t *testing.T) (trace string) {
	t.Helper()
	c.one(t, &trace, selectTrace)
	return trace
}

// describeBack sends back the texts of an image, which are written with a form instead of a PUT.
func (c *examples) describeBack(t *testing.T, ids *strings.Replacer) {
	t.Helper()
	path := c.address("event/{eventId}/image/1", ids)
	before, trace := c.as(t, "owner", http.MethodGet, path+"/meta", ""), c.trace(t)
	before.want(t, path, ok, "")
	if before.body["uuid"] == nil {
		return
	}
	var texts []string
	for _, field := range strings.Fields("alt_text description license creator_name copyright focus_x focus_y ai_generated") {
		text := ""
		if value := before.body[field]; value != nil {
			text = fmt.Sprint(value)
		}
		texts = append(texts, field, text)
	}
	form, kind := imageForm(t, nil, texts...)
	written := c.postForm(t, path, form, kind, "If-Match", before.header.Get("ETag"))
	written.want(t, path, ok, "")
	after := c.as(t, "owner", http.MethodGet, path+"/meta", "")
	if string(after.raw) != string(before.raw) || after.header.Get("ETag") != before.header.Get("ETag") || c.trace(t) != trace {
		t.Errorf("%s changes\n%s to\n%s, and leaves %s, before it was %s", path, before.raw, after.raw, c.trace(t), trace)
	}
}

func (c *examples) postForm(t *testing.T, path string, form io.Reader, kind string, headers ...string) answer {
	t.Helper()
	headers = append(headers, "Authorization", "Bearer "+c.people["owner"].access, "Content-Type", kind)
	return c.send(t, http.MethodPost, admin+path, form, headers...)
}

const wholeOrganization = `{
	"name": "Kulturhaus", "description": "Lang\n\n*betont*", "legal_form": "registered_association", "nonprofit": false,
	"holding_org_uuid": "%s", "contact_email": "post@example.org", "contact_phone": "0461", "web_link": "https://example.org",
	"street": "Nordertor", "house_number": "2", "address_addition": "Hof", "postal_code": "24939", "city": "Flensburg",
	"state": "SH", "country": "DEU", "lat": 54.5, "lon": -9.5
}`

// filled adds entities with every field, an event with dates of a rule, and an image.
func (c *examples) filled(t *testing.T, status, release string) *strings.Replacer {
	t.Helper()
	org := c.add(t, http.MethodPut, "/organization", fmt.Sprintf(wholeOrganization, c.org))
	venue := c.add(t, http.MethodPut, "/venue", fmt.Sprintf(wholeVenue, c.org))
	space := c.add(t, http.MethodPut, "/space", fmt.Sprintf(wholeSpace, venue["uuid"]))
	series, part := c.seriesWithPart(t, c.org)
	c.wholeContributor(t)
	body := fmt.Sprintf(wholeEvent, c.org, venue["uuid"], space["uuid"], series, part)
	body = strings.NewReplacer(`"review"`, fmt.Sprintf("%q", status), `"2027-01-01T12:00:00Z"`, release).Replace(body)
	event := c.add(t, http.MethodPost, "/event/create", body)
	path := fmt.Sprintf("/event/%s", event["uuid"])
	added := c.add(t, http.MethodPost, path+"/date", `{"start_date": "2027-03-26", "start_time": "20:00", "end_date": "2027-03-27",
		"end_time": "02:00", "entry_time": "19:00", "rrule": "FREQ=DAILY;COUNT=5", "exdate": ["2027-03-28"], "rdate": ["2027-05-01"]}`)
	dates := added["dates"].([]any)
	form, kind := imageForm(t, avatarFile(t), "alt_text", "Text", "description", "Mehr\nText", "license", "cc-by",
		"creator_name", "Ada", "copyright", "© Ada", "focus_x", "0.3333", "focus_y", "1", "ai_generated", "true")
	c.postForm(t, path+"/image/1", form, kind).want(t, "upload", http.StatusCreated, "")
	return variant(org, venue, space, event, dates[1].(map[string]any))
}

// sparse adds entities with hardly a field.
func (c *examples) sparse(t *testing.T) *strings.Replacer {
	t.Helper()
	org := c.add(t, http.MethodPut, "/organization", `{"name": "x"}`)
	venue := c.add(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "x"}`, c.org))
	space := c.add(t, http.MethodPut, "/space", fmt.Sprintf(`{"venue_uuid": %q, "name": "x"}`, venue["uuid"]))
	event := c.add(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "dates": [{"start_date": "2027-01-01", "all_day": true}],
		"event_links": [{"type": "website", "url": "https://example.org"}]}`, c.org))
	return variant(org, venue, space, event, event["dates"].([]any)[0].(map[string]any))
}

func (c *examples) add(t *testing.T, method, path, body string) map[string]any {
	t.Helper()
	added := c.as(t, "owner", method, path, body)
	added.want(t, method+" "+path, http.StatusCreated, "")
	return added.body
}

// variant names the entities of the requests. Members and keys belong to the stage's organization.
func variant(org, venue, space, event, date map[string]any) *strings.Replacer {
	link := event["event_links"].([]any)[0].(map[string]any)
	return strings.NewReplacer(
		"/organization/{organizationId}/", "/organization/{organizationId}/",
		"{organizationId}", fmt.Sprint(org["uuid"]), "{venueId}", fmt.Sprint(venue["uuid"]), "{spaceId}", fmt.Sprint(space["uuid"]),
		"{eventId}", fmt.Sprint(event["uuid"]), "{linkId}", fmt.Sprint(link["uuid"]), "{dateId}", fmt.Sprint(date["uuid"]),
	)
}
