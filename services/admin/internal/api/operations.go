package api

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/chassis/spelling"
)

// paged are the parameters that parameters.page reads.
var paged = []string{"limit", "offset"}

var auditFilters = []string{"from", "to", "action", "actor"}

var eventFilters = []string{"start", "end", "has_dates", "per_event", "search", "sort", "statuses", "venue_uuid"}

// takes lists the query parameters of operations, besides anyTakes. All others are refused.
var takes = map[string][]string{
	"DELETE " + Prefix + "/event/:eventId/date/:dateId":            {"scope"},
	"PUT " + Prefix + "/event/:eventId/date/:dateId":               {"scope"},
	"DELETE " + Prefix + "/event/:eventId/image":                   {"index"},
	"DELETE " + Prefix + "/contributor/:contributorId":             {"take_out"},
	"GET " + Prefix + "/mails":                                     paged,
	"GET " + Prefix + "/organization/dashboard":                    paged,
	"GET " + Prefix + "/organization/:organizationId/api-keys":     paged,
	"GET " + Prefix + "/organization/:organizationId/audit":        append(auditFilters, paged...),
	"GET " + Prefix + "/organization/:organizationId/events":       append(eventFilters, paged...),
	"GET " + Prefix + "/organization/:organizationId/team":         paged,
	"GET " + Prefix + "/organization/:organizationId/venues":       append([]string{"start"}, paged...),
	"GET " + Prefix + "/organizations":                             append([]string{"search", "approval", "sort"}, paged...),
	"GET " + Prefix + "/organizations/pending":                     paged,
	"GET " + Prefix + "/people":                                    append([]string{"search", "state", "sort"}, paged...),
	"GET " + Prefix + "/reports":                                   append([]string{"state", "event_uuid", "org_uuid"}, paged...),
	"GET " + Prefix + "/permissions/list":                          {"member_id"}, // without a meaning; known clients send it
	"GET " + Prefix + "/user/api-keys":                             paged,
	"GET " + Prefix + "/organization/:organizationId/webhooks":     paged,
	"GET " + Prefix + "/user/webhooks":                             paged,
	"GET " + Prefix + "/webhooks":                                  paged,
	"GET " + Prefix + "/webhook/:webhookId/deliveries":             paged,
	"GET " + Prefix + "/user/choosable-event-places":               paged,
	"GET " + Prefix + "/user/choosable-organizations":              paged,
	"GET " + Prefix + "/user/event/notifications":                  paged,
	"GET " + Prefix + "/user/invitations":                          paged,
	"GET " + Prefix + "/user/memberships":                          paged,
	"GET " + Prefix + "/user/messages":                             paged,
	"GET " + Prefix + "/user/sessions":                             paged,
	"GET " + Prefix + "/user/todos":                                paged,
	"GET " + Prefix + "/venue/similar":                             {"name", "lat", "lon", "street", "house_number", "postal_code", "city", "except"},
	"GET /api/preview/:token/image/:uuid":                          imageParameters,
	"GET " + Prefix + "/event/:eventId/history":                    paged,
	"GET " + Prefix + "/event/:eventId/presence":                   {"open"},
	"GET " + Prefix + "/event/:eventId/image/:imageIndex":          imageParameters,
	"GET " + Prefix + "/organization/:organizationId/venue-guests": append([]string{"start"}, paged...),
	"GET " + Prefix + "/series":                                    append([]string{"org_uuid"}, paged...),
	"GET " + Prefix + "/series/:seriesId/image":                    imageParameters,
	"GET " + Prefix + "/series/:seriesId/events":                   append([]string{"state"}, paged...),
	"GET " + Prefix + "/user/choosable-series":                     {"search", "series_uuids"},
	"GET " + Prefix + "/contributors":                              append([]string{"org_uuid", "search", "repeated"}, paged...),
	"GET " + Prefix + "/lists":                                     append([]string{"org_uuid"}, paged...),
	"DELETE " + Prefix + "/list/:listId/entry/:eventId":            {"date_uuid"},
	"GET " + Prefix + "/portals":                                   append([]string{"org_uuid"}, paged...),
	"GET " + Prefix + "/positions":                                 {"street", "house_number", "postal_code", "city", "country"},
	"GET " + Prefix + "/towns":                                     {"search", "country"},
	"GET " + Prefix + "/venue-requests":                            append([]string{"state"}, paged...),
	"GET " + Prefix + "/venues":                                    append([]string{"search", "lat", "lon", "org_uuid"}, paged...),
}

// anyTakes is accepted by every operation: known clients always send the language of the reader.
const anyTakes = "lang"

// operations is a router whose operations refuse unknown and repeated query parameters.
type operations struct {
	fiber.Router
	prefix string
}

// Group returns the router of the paths below a prefix.
func (o operations) Group(prefix string, handlers ...fiber.Handler) fiber.Router {
	return operations{o.Router.Group(prefix, handlers...), o.prefix + prefix}
}

// Get adds an operation that reads.
func (o operations) Get(path string, handlers ...fiber.Handler) fiber.Router {
	return o.Router.Get(path, o.strict(http.MethodGet, path, handlers)...)
}

// Post adds an operation that adds or acts.
func (o operations) Post(path string, handlers ...fiber.Handler) fiber.Router {
	return o.Router.Post(path, o.strict(http.MethodPost, path, handlers)...)
}

// Put adds an operation that changes.
func (o operations) Put(path string, handlers ...fiber.Handler) fiber.Router {
	return o.Router.Put(path, o.strict(http.MethodPut, path, handlers)...)
}

// Patch adds an operation that changes any fields at once.
func (o operations) Patch(path string, handlers ...fiber.Handler) fiber.Router {
	return o.Router.Patch(path, o.strict(http.MethodPatch, path, handlers)...)
}

// Delete adds an operation that deletes.
func (o operations) Delete(path string, handlers ...fiber.Handler) fiber.Router {
	return o.Router.Delete(path, o.strict(http.MethodDelete, path, handlers)...)
}

// strict prepends the handler of checkParameters.
func (o operations) strict(method, path string, handlers []fiber.Handler) []fiber.Handler {
	known := append([]string{anyTakes}, takes[method+" "+o.prefix+path]...)
	return append([]fiber.Handler{checkParameters(known)}, handlers...)
}

// lists are the parameters that take several values: separated by commas, repeated, or both.
var lists = []string{"series_uuids", "statuses"}

// maxNamed is the maximum number of bad parameters in an answer.
const maxNamed = 50

// notText reports whether the database would not take a value as text.
func notText(value string) bool { return strings.ContainsRune(value, 0) || !utf8.ValidString(value) }

// checkParameters returns a handler that refuses unknown query parameters, repeated ones and such
// that are no text, and joins the values of repeated lists. An empty value counts as absent, as in
// the public search (RULES.md, Search).
func checkParameters(known []string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		var bad fault.Violations
		var names []string
		values, args := map[string][]string{}, c.Context().QueryArgs()
		for key, value := range args.All() {
			name := string(key)
			if len(value) == 0 {
				continue
			}
			if values[name] == nil {
				names = append(names, name)
			}
			values[name] = append(values[name], string(value))
		}
		for _, name := range names {
			switch given := values[name]; {
			case len(bad) == maxNamed:
			case !slices.Contains(known, name):
				bad.Add(spelling.Shorten(name), spelling.Unknown(name, known))
			case slices.ContainsFunc(given, notText):
				bad.Add(name, reason.NotText)
			case len(given) > 1 && !slices.Contains(lists, name):
				bad.Add(name, reason.SeveralValues(len(given)))
			default:
				args.Set(name, strings.Join(given, ","))
			}
		}
		if err := bad.Err("invalid_parameters", "some parameters are not right"); err != nil {
			return err
		}
		return c.Next()
	}
}
