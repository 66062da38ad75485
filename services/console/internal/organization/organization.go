// Package organization has the pages of an organization: founding one, its overview, its events
// with changes of several at once, its settings, and its log.
package organization

import "litfass/services/console/internal/page"

// Mount adds the pages.
func Mount(r page.Router) {
	r.Get("/organization/new", showFounding)
	r.Post("/organization/new", found)
	r.Get("/organization/:organization", showHome)
	r.Get("/organization/:organization/events", showEvents)
	r.Get("/organization/:organization/events/change", confirmChange)
	r.Post("/organization/:organization/events/change", changeEvents)
	mountSettings(r)
	r.Get("/organization/:organization/audit", showAudit)
	r.Get("/organization/:organization/audit/:kind/:entity", openAudited)
}
