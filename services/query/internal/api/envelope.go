package api

import "litfass/services/query/internal/feed"

// base is the path below which all operations are.
const base = "/api"

// responseTypes are the response types of the enveloped operations by their paths below base.
var responseTypes = map[string]string{
	"/events":                  "get-events",
	"/events/type-summary":     "get-events-type-summary",
	"/events/facets":           "get-events-facets",
	"/event/type-genre-lookup": "get-event-type-genre-lookup",
	"/event/:uuid":             "get-event",
	"/event/:uuid/date/:date":  "get-event-date",
	"/event/:uuid/report":      "post-event-report",
	"/venues":                  "get-venues",
	"/venue/:uuid":             "get-venue",
	"/organizations":           "get-organizations",
	"/organization/:uuid":      "get-organization",
	"/contributors":            "get-contributors",
	"/contributor/:uuid":       "get-contributor",
	"/portal/:slug":            "get-portal",
	"/lists":                   "get-lists",
	"/list/:slug":              "get-list",
	"/series":                  "get-all-series",
	"/series/:slug":            "get-series",
	"/suggest":                 "get-suggest",
	"/changes":                 "get-changes",
	"/validate":                "post-validate",
	"/geolist/countries":       "get-geolist-countries",
	"/geolist/states":          "get-geolist-states",
	"/geolist/regions":         "get-geolist-regions",

	"/events/filter":                          "get-events",
	"/events/week":                            "get-events-week",
	"/events/venue-summary":                   "get-events-venue-summary",
	"/events/geojson":                         "get-events-geojson",
	"/venues/geojson":                         "get-venues-geojson",
	"/geolist/states/:country":                "get-geolist-states",
	"/geolist/regions/:country/:state":        "get-geolist-regions",
	"/geolist/region/:country/:state/:region": "get-geolist-region",
	"/languages":                              "get-languages",
	"/choosable-license-types":                "get-choosable-license-types",
	"/choosable-venue-types":                  "get-choosable-venue-types",
	"/event/release-status-i18n":              "get-event-release-status-i18n",
}

// ResponseTypes returns the response types of the enveloped operations by their whole routes. Feeds
// have "", although the routes of enveloped operations match their paths.
func ResponseTypes() map[string]string {
	byRoute := make(map[string]string, len(responseTypes))
	for path, responseType := range responseTypes {
		byRoute[base+path] = responseType
	}
	for _, format := range feed.Formats {
		byRoute[base+"/event/:uuid."+format.Name] = ""
		byRoute[base+"/event/:uuid/date/:date."+format.Name] = ""
	}
	return byRoute
}
