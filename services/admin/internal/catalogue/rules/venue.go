package rules

import (
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

// Normalize brings every value into its stored form.
func (v *Venue) Normalize() {
	cleanLower(&v.UUID, &v.OrgUUID, &v.Use)
	cleanLines(&v.Name)
	cleanLines(
		&v.ContactEmail, &v.ContactPhone, &v.Street, &v.HouseNumber, &v.PostalCode, &v.City, &v.Timezone,
		&v.OpenedAt, &v.ClosedAt,
	)
	cleanTexts(&v.Summary, &v.Description, &v.OpeningHours, &v.TicketInfo, &v.AccessibilitySummary)
	cleanURLs(&v.WebLink, &v.TicketLink)
	cleanUpper(&v.State, &v.Country)
	normalizeHours(&v.Hours)
	v.WikidataID, v.OSMID = wikidataID(v.WikidataID), osmID(v.OSMID)
}

// Validate returns every value that breaks a rule.
func (v *Venue) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", v.UUID)
	c.uuid("org_uuid", v.OrgUUID)
	c.required("name", v.Name, adminapi.MaxName)
	c.text("summary", string(v.Summary), adminapi.MaxText)
	c.text("description", string(v.Description), adminapi.MaxDescription)
	c.email("contact_email", string(v.ContactEmail))
	c.text("contact_phone", string(v.ContactPhone), adminapi.MaxName)
	c.url("web_link", string(v.WebLink))
	c.text("street", string(v.Street), adminapi.MaxName)
	c.text("house_number", string(v.HouseNumber), adminapi.MaxName)
	c.text("postal_code", string(v.PostalCode), adminapi.MaxName)
	c.text("city", string(v.City), adminapi.MaxName)
	c.place(string(v.State), string(v.Country), v.Lat, v.Lon)
	c.timezone("timezone", string(v.Timezone))
	opened, closed := c.day("opened_at", string(v.OpenedAt)), c.day("closed_at", string(v.ClosedAt))
	if opened && closed && v.ClosedAt < v.OpenedAt {
		c.bad("closed_at", reason.Before("opened_at"))
	}
	c.text("opening_hours", string(v.OpeningHours), adminapi.MaxText)
	c.text("ticket_info", string(v.TicketInfo), adminapi.MaxText)
	c.url("ticket_link", string(v.TicketLink))
	c.text("accessibility_summary", string(v.AccessibilitySummary), adminapi.MaxText)
	if v.Use != "" && !slices.Contains(adminapi.VenueUses, v.Use) {
		c.bad("use", reason.NotOneOf(adminapi.VenueUses))
	}
	c.hours(v.Hours)
	c.register(v.WikidataID, v.OSMID)
	return *c.violations
}
