package client

import (
	"net/http"
	"net/url"
	"time"

	"litfass/pkg/contracts/adminapi"
)

// Organization reads an organization.
func (a Admin) Organization(uuid string) (adminapi.Organization, error) {
	return get[adminapi.Organization](a, at("organization", uuid), nil)
}

// AddOrganization founds an organization.
func (a Admin) AddOrganization(fields map[string]any) (adminapi.WrittenOrganization, error) {
	return send[adminapi.WrittenOrganization](a, http.MethodPut, at("organization"), fields)
}

// ReadOrganization reads an organization by its fields.
func (a Admin) ReadOrganization(uuid string) Read { return a.read(at("organization", uuid)) }

// WriteOrganization changes fields of an organization.
func (a Admin) WriteOrganization(uuid string) Write { return a.write(at("organization", uuid)) }

// DeleteOrganization deletes an organization.
func (a Admin) DeleteOrganization(uuid string) Delete { return a.deletion(at("organization", uuid)) }

// Events reads the events of an organization.
func (a Admin) Events(org string, query url.Values) (adminapi.Events, error) {
	return get[adminapi.Events](a, at("organization", org, "events"), query)
}

// Venues reads the venues of an organization.
func (a Admin) Venues(org string, paged url.Values) (adminapi.Venues, error) {
	return get[adminapi.Venues](a, at("organization", org, "venues"), paged)
}

// VenueGuests reads the dates of other organizations at the venues of an organization.
func (a Admin) VenueGuests(org string, query url.Values) (adminapi.VenueGuests, error) {
	return get[adminapi.VenueGuests](a, at("organization", org, "venue-guests"), query)
}

// Audit reads the log of an organization.
func (a Admin) Audit(org string, query url.Values) (adminapi.AuditLog, error) {
	return get[adminapi.AuditLog](a, at("organization", org, "audit"), query)
}

// Import imports events from a file, or previews that.
func (a Admin) Import(org string, file adminapi.ImportBody, timeout time.Duration) (adminapi.ImportReport, error) {
	return call[adminapi.ImportReport](a, Call{
		Method: http.MethodPost, Path: at("organization", org, "import"), Body: file, Timeout: timeout,
	})
}
