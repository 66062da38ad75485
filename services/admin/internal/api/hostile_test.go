package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/pkg/chassis/apidocs/apidocstest"
)

// write is an operation that stores something, who may do it, and a body that it would accept.
type write struct{ operation, who, body string }

// unread are the operations of writes without a body. They read none, so that nothing can be wrong
// with it.
const unread = ""

// upload stands for a body that is no JSON; see TestHostilePictures and TestHostileImages.
const upload = "a form"

// writes lists every operation that stores something. Its fields are taken from the description,
// one by one.
var writes = []write{
	{"POST /api/login", "", `{"email": "owner@example.org", "password": "{secret}"}`},
	{"POST /api/signup", "", `{"email": "new@example.org", "password": "staple under the bridge"}`},
	{"POST /api/activate", "", `{"token": "x", "password": "staple under the bridge"}`},
	{"POST /api/invitation", "", `{"token": "x"}`},
	{"POST /api/invitation/join", "", `{"token": "x", "password": "staple under the bridge"}`},
	{"POST /api/forgot-password", "", `{"email": "owner@example.org"}`},
	{"POST /api/reset-password", "", `{"token": "x", "new_password": "staple under the bridge"}`},
	{"POST /api/admin/refresh", "", `{"refresh_token": "x"}`},
	{"POST /api/admin/logout", "editor", unread},
	{"DELETE /api/admin/user/sessions/{sessionId}", "owner", unread},
	{"POST /api/admin/user/avatar", "owner", upload},
	{"DELETE /api/admin/user/avatar", "owner", unread},
	{"PUT /api/admin/user/profile", "owner", `{"first_name": "Olga"}`},
	{"PUT /api/admin/user/settings", "owner", `{"theme": "dark"}`},
	{"PUT /api/admin/user/password", "owner", `{"password": "{secret}", "new_password": "staple under the bridge"}`},
	{"POST /api/admin/user/send-message", "owner", `{"context": "organization", "context_id": "{foreign}", "subject": "x", "message": "x"}`},
	{"PUT /api/admin/user/message/{messageId}/read", "owner", unread},
	{"POST /api/admin/user/message/{messageId}/reply", "owner", `{"message": "x"}`},
	{"DELETE /api/admin/user/message/{messageId}", "owner", unread},
	{"DELETE /api/admin/user", "leaver", `{"password": "{secret}"}`},
	{"PUT /api/admin/user/todo", "owner", `{"title": "x"}`},
	{"DELETE /api/admin/user/todo/{todoId}", "owner", unread},
	{"POST /api/admin/event/{eventId}/image/{imageIndex}", "owner", upload},
	{"POST /api/admin/event/{eventId}/teaser/image", "owner", upload},
	{"DELETE /api/admin/event/{eventId}/image", "owner", unread},
	{"PUT /api/admin/event/{eventId}/images/order", "owner", `{"images": []}`},
	{"PUT /api/admin/organization", "owner", `{"name": "x"}`},
	{"PUT /api/admin/organization/{organizationId}", "owner", `{"city": "Kiel"}`},
	{"DELETE /api/admin/organization/{organizationId}", "owner", `{"password": "{secret}"}`},
	{"PUT /api/admin/organization/{organizationId}/approval", "platform", `{"approved": false, "reason": "x"}`},
	{"PUT /api/admin/people/{userId}/state", "platform", `{"active": true, "reason": "x"}`},
	{"POST /api/admin/mails/{mailId}/retry", "platform", unread},
	{"DELETE /api/admin/mails/{mailId}", "platform", unread},
	{"PUT /api/admin/report/{reportId}", "platform", `{"outcome": "dismissed", "note": "x"}`},
	{"PUT /api/admin/event/{eventId}/takedown", "platform", `{"reason": "x"}`},
	{"DELETE /api/admin/event/{eventId}/takedown", "platform", unread},
	{"POST /api/admin/event/{eventId}/preview-link", "owner", unread},
	{"DELETE /api/admin/event/{eventId}/preview-link", "owner", unread},
	{"DELETE /api/admin/event/{eventId}/preview-link/{previewId}", "owner", unread},
	{"POST /api/admin/organization/{organizationId}/sources", "owner", `{"name": "x", "address": "https://example.org/new.ics", "interval_minutes": 60}`},
	{"POST /api/admin/organization/{organizationId}/sources/preview", "owner", `{"name": "x", "address": "{file}", "interval_minutes": 60}`},
	{"PUT /api/admin/organization/{organizationId}/sources/{sourceId}", "owner", `{"name": "y"}`},
	{"DELETE /api/admin/organization/{organizationId}/sources/{sourceId}", "owner", unread},
	{"POST /api/admin/organization/{organizationId}/sources/{sourceId}/read", "owner", `{"missing": false}`},
	{"PUT /api/admin/organization/{organizationId}/sources/{sourceId}/duplicate", "owner", `{"external_id": "x", "decision": "same"}`},
	{"POST /api/admin/organization/{organizationId}/import", "owner", `{"content": "Titel;Datum\nJazz;24.12.2026\n"}`},
	{"POST /api/admin/event/{eventId}/venue-request", "owner", `{"venue_uuid": "{askedVenue}"}`},
	{"PUT /api/admin/venue-request/{requestId}", "owner", `{"accepted": true}`},
	{"DELETE /api/admin/venue-request/{requestId}", "owner", unread},
	{"PUT /api/admin/venue", "owner", `{"org_uuid": "{organizationId}", "name": "x"}`},
	{"PUT /api/admin/venue/{venueId}", "owner", `{"city": "Kiel"}`},
	{"DELETE /api/admin/venue/{venueId}", "owner", `{"password": "{secret}"}`},
	{"POST /api/admin/event/create", "owner", `{"org_uuid": "{organizationId}", "title": "x"}`},
	{"DELETE /api/admin/event/{eventId}", "owner", `{"password": "{secret}"}`},
	{"PATCH /api/admin/event/{eventId}", "owner", `{"title": "Jazz", "tags": ["x"], "dates": []}`},
	{"PUT /api/admin/event/{eventId}/header", "owner", `{"title": "Jazz"}`},
	{"PUT /api/admin/event/{eventId}/description", "owner", `{"description": "x"}`},
	{"PUT /api/admin/event/{eventId}/summary", "owner", `{"summary": "x"}`},
	{"PUT /api/admin/event/{eventId}/types", "owner", `{"categories": [1]}`},
	{"PUT /api/admin/event/{eventId}/place", "owner", `{"venue_uuid": "{venueId}"}`},
	{"PUT /api/admin/event/{eventId}/tags", "owner", `{"tags": ["x"]}`},
	{"PUT /api/admin/event/{eventId}/languages", "owner", `{"languages": ["de"]}`},
	{"PUT /api/admin/event/{eventId}/texts", "owner", `{"text_language": "de", "texts": {"da": {"title": "Koncert"}}}`},
	{"PUT /api/admin/event/{eventId}/participation-infos", "owner", `{"min_age": 1}`},
	{"PUT /api/admin/event/{eventId}/release-status", "owner", `{"release_status": "review"}`},
	{"PUT /api/admin/events/bulk", "owner", `{"events": [{"uuid": "{draft}", "tags": ["x"]}]}`},
	{"POST /api/admin/event/date-rule/preview", "owner", `{"start_date": "2026-12-01", "all_day": true}`},
	{"POST /api/admin/event/{eventId}/duplicate", "owner", `{"shift_days": 1}`},
	{"POST /api/admin/event/{eventId}/date", "owner", `{"start_date": "2026-12-01", "all_day": true}`},
	{"PUT /api/admin/date/{dateId}/availability", "owner", `{"availability": "sold_out"}`},
	{"PUT /api/admin/event/{eventId}/date/{dateId}", "owner", `{"accessibility_info": "x"}`},
	{"DELETE /api/admin/event/{eventId}/date/{dateId}", "owner", `{"password": "{secret}"}`},
	{"PUT /api/admin/event/{eventId}/link", "owner", `{"type": "website", "url": "https://example.org"}`},
	{"PUT /api/admin/event/{eventId}/link/{linkId}", "owner", `{"label": "x"}`},
	{"DELETE /api/admin/event/{eventId}/link/{linkId}", "owner", unread},
	{"PUT /api/admin/label/{labelKey}", "platform", `{"names": {"en": "x"}}`},
	{"DELETE /api/admin/label/{labelKey}", "platform", `{"password": "{secret}"}`},
	{"PUT /api/admin/event/{eventId}/labels", "platform", `{"labels": []}`},
	{"PUT /api/admin/series", "owner", `{"org_uuid": "{organizationId}", "slug": "x", "title": "x"}`},
	{"PUT /api/admin/series/{seriesId}", "owner", `{"title": "x"}`},
	{"DELETE /api/admin/series/{seriesId}", "owner", `{"password": "{secret}"}`},
	{"POST /api/admin/series/{seriesId}/image", "owner", upload},
	{"DELETE /api/admin/series/{seriesId}/image", "owner", unread},
	{"PUT /api/admin/series/{seriesId}/event/{eventId}", "owner", `{"accepted": true}`},
	{"PUT /api/admin/contributor", "owner", `{"org_uuid": "{organizationId}", "name": "x"}`},
	{"PUT /api/admin/contributor/{contributorId}", "owner", `{"name": "x"}`},
	{"DELETE /api/admin/contributor/{contributorId}", "owner", `{"password": "{secret}"}`},
	{"POST /api/admin/contributor/{contributorId}/merge", "platform", `{"into": "{otherContributor}"}`},
	{"PUT /api/admin/event/{eventId}/contributors", "owner", `{"contributors": [{"uuid": "{contributorId}", "role": "soloist"}]}`},
	{"PUT /api/admin/list", "owner", `{"org_uuid": "{organizationId}", "slug": "x", "name": "x"}`},
	{"PUT /api/admin/list/{listId}", "owner", `{"name": "x"}`},
	{"DELETE /api/admin/list/{listId}", "owner", `{"password": "{secret}"}`},
	{"PUT /api/admin/list/{listId}/entry", "owner", `{"event_uuid": "{eventId}"}`},
	{"DELETE /api/admin/list/{listId}/entry/{eventId}", "owner", unread},
	{"PUT /api/admin/portal", "owner", `{"org_uuid": "{organizationId}", "slug": "x", "name": "x"}`},
	{"PUT /api/admin/portal/{portalId}", "owner", `{"name": "x"}`},
	{"DELETE /api/admin/portal/{portalId}", "owner", `{"password": "{secret}"}`},
	{"PUT /api/admin/space", "owner", `{"venue_uuid": "{venueId}", "name": "x"}`},
	{"PUT /api/admin/space/{spaceId}", "owner", `{"total_capacity": 1}`},
	{"DELETE /api/admin/space/{spaceId}", "owner", `{"password": "{secret}"}`},
	{"POST /api/admin/organization/{organizationId}/team/invite", "owner", `{"email": "bert@example.org", "role": "editor"}`},
	{"DELETE /api/admin/organization/{organizationId}/team/member/{memberId}", "owner", `{"password": "{secret}"}`},
	{"POST /api/admin/organization/team/invite/accept", "owner", `{"token": "x"}`},
	{"POST /api/admin/user/invitations/{invitationId}/accept", "editor", unread},
	{"POST /api/admin/user/invitations/{invitationId}/decline", "manager", unread},
	{"PUT /api/admin/organization/{organizationId}/member/{memberId}/permissions", "owner", `{"role": "editor"}`},
	{"POST /api/admin/organization/{organizationId}/webhooks", "owner", webhookBody},
	{"POST /api/admin/user/webhooks", "owner", webhookBody},
	{"POST /api/admin/webhooks", "platform", webhookBody},
	{"PUT /api/admin/webhook/{webhookId}", "owner", `{"name": "y"}`},
	{"DELETE /api/admin/webhook/{webhookId}", "owner", unread},
	{"POST /api/admin/webhook/{webhookId}/secret", "owner", unread},
	{"POST /api/admin/webhook/{webhookId}/test", "owner", unread},
	{"POST /api/admin/webhook/{webhookId}/delivery/{deliveryNumber}/repeat", "owner", unread},
	{"POST /api/admin/user/api-keys", "owner", `{"name": "x", "role": "viewer"}`},
	{"PUT /api/admin/user/api-keys/{keyId}", "owner", `{"name": "y"}`},
	{"DELETE /api/admin/user/api-keys/{keyId}", "owner", unread},
	{"POST /api/admin/organization/{organizationId}/api-keys", "owner", `{"name": "x", "role": "viewer"}`},
	{"PUT /api/admin/organization/{organizationId}/api-keys/{keyId}", "owner", `{"name": "y"}`},
	{"DELETE /api/admin/organization/{organizationId}/api-keys/{keyId}", "owner", unread},
}

// hostile sends malformed requests of a caller who may use the operation.
type hostile struct {
	*examples
	write
	method, path string
	keys         map[string]json.RawMessage // of the body that would be accepted
}

func TestEveryWriteRefusesHostileBodies(t *testing.T) {
	t.Parallel()
	c := newExamples(t)
	c.checkWrites(t)
	before, bomb := c.digest(t), string(zipped(t, 10<<20))
	for _, w := range writes {
		h := hostile{examples: c, write: w}
		h.method, h.path, _ = strings.Cut(w.operation, " ")
		for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "nonsense"} {
			h.refused(t, "compressed: "+encoding, bomb, 415, "", "Content-Encoding", encoding)
		}
		if w.body == unread || w.body == upload {
			continue
		}
		if err := json.Unmarshal([]byte(c.ids.Replace(w.body)), &h.keys); err != nil {
			t.Fatal(err)
		}
		h.sendForms(t)
		for _, field := range slices.Sorted(maps.Keys(h.fields())) {
			h.sendValues(t, field)
		}
		if after := c.digest(t); after != before {
			t.Fatalf("%s stored something: before\n%s\nafter\n%s", w.operation, before, after)
		}
	}
	if a := c.send(t, http.MethodGet, "/livez", nil); a.status != ok {
		t.Errorf("afterwards: %d", a.status)
	}
}

// checkWrites compares the table with the operations that the service has.
func (c *examples) checkWrites(t *testing.T) {
	t.Helper()
	var listed, served []string
	for _, w := range writes {
		listed = append(listed, w.operation)
		method, path, _ := strings.Cut(w.operation, " ")
		if _, reads := c.description.Operation(method, path)["requestBody"]; reads != (w.body != unread) {
			t.Errorf("%s: the description and the table differ in whether it reads a body", w.operation)
		}
	}
	for _, operation := range apidocstest.Served(c.app) {
		if !strings.HasPrefix(operation, http.MethodGet+" ") {
			served = append(served, operation)
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, served) {
		t.Errorf("the table lists\n%s\nthe service has\n%s", strings.Join(listed, "\n"), strings.Join(served, "\n"))
	}
}

// tooLarge is a size of bodies in bytes that the operation refuses.
func (h hostile) tooLarge() int {
	if strings.HasSuffix(h.path, "/import") { // has a file in its body
		return 10 << 20
	}
	return 2 << 20
}

// sendForms sends bodies whose form is wrong, with any content.
func (h hostile) sendForms(t *testing.T) {
	t.Helper()
	right, first := h.with("", ""), slices.Sorted(maps.Keys(h.keys))[0]
	h.refused(t, "too many letters", h.with(first, `"`+strings.Repeat("x", h.tooLarge())+`"`), 413, "")
	h.refused(t, "too many spaces", right+strings.Repeat(" ", h.tooLarge()), 413, "")
	h.refused(t, "100,000 brackets", h.with(first, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)), 0, "")
	h.refused(t, "100,000 open braces", strings.Repeat(`{"a":`, 100_000), 0, "")
	h.refused(t, "20,000 brackets", h.with(first, strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)), 400, "")
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", "json", ";"} {
		h.refused(t, "content type "+kind, right, 415, "", "Content-Type", kind)
	}
	for name, body := range map[string]string{
		"garbage behind": right + "x", "NUL behind": right + "\x00", "two objects": right + right, "a list": "[" + right + "]",
		"text": `"x"`, "a number": "1", "null": "null", "true": "true", "spaces": "  ", "cut off": right[:len(right)-1], "a byte order mark": "\ufeff" + right,
		"broken UTF-8": h.with(first, "\"\xff\xfe\""), "a control character": h.with(first, "\"\x07\""), "half an escape": h.with(first, `"\u00"`),
		"a comment": "/**/" + right, "single quotes": strings.ReplaceAll(right, `"`, "'"), "an endless number": h.with(first, strings.Repeat("9", 5000)+"x"),
	} {
		h.refused(t, name, body, 400, "")
	}
	h.refused(t, "an unknown field", h.with("__proto__", `{"admin": true}`), 400, "__proto__")
	h.refused(t, "another case", h.with(strings.ToUpper(first), `"x"`), 400, strings.ToUpper(first))
}

// values are of every type, by the name that the description has for it.
var values = map[string][]string{
	"string": {`"x"`}, "integer": {"1", "-1"}, "number": {"1.5"}, "boolean": {"true"}, "array": {"[]", `["x"]`, "[[[]]]"},
	"object": {"{}", `{"a": {"b": null}}`, strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)},
}

// sendValues sends wrong values of one field.
func (h hostile) sendValues(t *testing.T, field string) {
	t.Helper()
	types := h.fields()[field]
	for kind, wrong := range values {
		if slices.Contains(types, kind) || kind == "integer" && slices.Contains(types, "number") {
			continue
		}
		for _, value := range wrong {
			h.refused(t, field+" as "+kind, h.with(field, value), 400, field)
		}
	}
	for _, number := range []string{"1e400", "-1e400", "123456789012345678901234567890", "9223372036854775808.5"} {
		h.refused(t, field+" as "+number, h.with(field, number), 400, field)
	}
	for name, value := range map[string]string{"NUL": `"a\u0000b"`, "half a pair": `"a\ud800b"`, "the other half": `"\udc00"`} {
		h.refused(t, field+" with "+name, h.with(field, value), 400, field)
	}
	if slices.Contains(types, "string") && !strings.Contains(field, "password") { // those may hold anything
		h.refused(t, field+" with a bell", h.with(field, `"a\u0007\u001b[31mb"`), 0, "")
	}
	if slices.Contains(types, "array") {
		for _, element := range []string{"{}", "0", `""`} {
			many := strings.Repeat(element+",", 150_000) + element
			h.refused(t, field+" of 150,000 times "+element, h.with(field, "["+many+"]"), 0, "")
		}
	}
	right := h.keys[field]
	if right == nil {
		right = json.RawMessage("null")
	}
	h.refused(t, field+" twice", strings.TrimSuffix(h.with(field, string(right)), "}")+fmt.Sprintf(", %q: %s}", field, right), 400, field)
	h.refused(t, field+" twice, once escaped", strings.TrimSuffix(h.with(field, string(right)), "}")+fmt.Sprintf(`, "\u%04x%s": %s}`, field[0], field[1:], right), 400, field)
}

// with returns the body that would be accepted with another value of one field.
func (h hostile) with(field, value string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(h.keys)) {
		if key != field {
			parts = append(parts, fmt.Sprintf("%q: %s", key, h.keys[key]))
		}
	}
	if field != "" {
		parts = append(parts, fmt.Sprintf("%q: %s", field, value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// maxRefusal is how long an answer may be that refuses a body, however many values are wrong.
const maxRefusal = 64 << 10

// refused sends a body, which must be refused with the status, or with any from 400 to 499 for 0,
// and the field named.
func (h hostile) refused(t *testing.T, what, body string, status int, field string, headers ...string) {
	t.Helper()
	a := h.send(t, h.method, h.ids.Replace(h.path), strings.NewReader(body), h.headersOf(example{who: h.who, body: "x", headers: headers})...)
	switch {
	case a.status < 400 || a.status > 499 || status != 0 && a.status != status:
		t.Errorf("%s, %s: %d %.300s, want %d", h.operation, what, a.status, a.raw, status)
	case len(a.raw) > maxRefusal:
		t.Errorf("%s, %s: the answer has %d bytes", h.operation, what, len(a.raw))
	case a.body["code"] == nil || a.body["request_id"] == nil:
		t.Errorf("%s, %s: the answer is no error of ours: %.300s", h.operation, what, a.raw)
	case field != "" && !slices.Contains(strings.Fields(a.fields()), field):
		t.Errorf("%s, %s: bad fields %q, want %q among them", h.operation, what, a.fields(), field)
	}
}

// fields are the described fields of the body with their types. A field without a type is passed
// over by the service.
func (h hostile) fields() map[string][]string {
	found := map[string][]string{}
	for name, property := range h.properties() {
		if types := h.types(property); len(types) > 0 {
			found[name] = types
		}
	}
	return found
}

// properties are the schemas of the described fields of the body.
func (h hostile) properties() map[string]map[string]any {
	content := h.description.Operation(h.method, h.path)["requestBody"].(map[string]any)["content"].(map[string]any)
	found := map[string]map[string]any{}
	h.collect(content["application/json"].(map[string]any)["schema"], found)
	return found
}

func (h hostile) collect(schema any, into map[string]map[string]any) {
	node := h.resolve(schema)
	for _, part := range list(node["allOf"]) {
		h.collect(part, into)
	}
	properties, _ := node["properties"].(map[string]any)
	for name, property := range properties {
		into[name] = h.resolve(property)
	}
}

// types returns the types that a schema allows.
func (h hostile) types(schema any) (types []string) {
	node := h.resolve(schema)
	switch kind := node["type"].(type) {
	case string:
		types = append(types, kind)
	case []any:
		for _, one := range kind {
			types = append(types, one.(string))
		}
	}
	if len(types) == 0 && node["enum"] != nil {
		types = append(types, "string")
	}
	for _, other := range list(node["x-also-accepts"]) {
		types = append(types, other.(string))
	}
	for _, choice := range append(list(node["anyOf"]), list(node["oneOf"])...) {
		types = append(types, h.types(choice)...)
	}
	return types
}

func (h hostile) resolve(schema any) map[string]any {
	node := schema.(map[string]any)
	if ref, ok := node["$ref"].(string); ok {
		return h.resolve(h.description.Schemas[ref[strings.LastIndexByte(ref, '/')+1:]])
	}
	return node
}

func list(node any) []any {
	elements, _ := node.([]any)
	return elements
}

const selectTables = `
SELECT coalesce(string_agg(table_name, ' ' ORDER BY table_name), '')
FROM information_schema.tables
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'attempt'`

// digest returns a line with the hash of the rows for each table, except the table of attempts.
func (s *stage) digest(t *testing.T) (lines string) {
	t.Helper()
	var tables string
	s.one(t, &tables, selectTables)
	var hashes []string
	for _, table := range strings.Fields(tables) {
		hashes = append(hashes, fmt.Sprintf(
			"SELECT '%s ' || count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS line FROM %[1]s t", table))
	}
	s.one(t, &lines, "SELECT string_agg(line, E'\n' ORDER BY line) FROM ("+strings.Join(hashes, " UNION ALL ")+") AS hashes")
	return lines
}
