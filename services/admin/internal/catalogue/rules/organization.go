package rules

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
)

// Normalize brings every value into its stored form.
func (o *Organization) Normalize() {
	cleanLower(&o.UUID)
	cleanLower(&o.HoldingOrgUUID, &o.LegalForm)
	cleanLines(&o.Name)
	cleanLines(&o.ContactEmail, &o.ContactPhone, &o.Street, &o.HouseNumber, &o.AddressAddition, &o.PostalCode, &o.City)
	cleanTexts(&o.Description)
	cleanURLs(&o.WebLink)
	cleanUpper(&o.State, &o.Country)
}

// Validate returns every value that breaks a rule.
func (o *Organization) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", o.UUID)
	c.required("name", o.Name, adminapi.MaxName)
	c.visible("name", o.Name)
	c.text("description", string(o.Description), adminapi.MaxDescription)
	c.item("legal_form", change.LookupLegalForms, string(o.LegalForm))
	c.reference("holding_org_uuid", string(o.HoldingOrgUUID))
	if o.HoldingOrgUUID != "" && string(o.HoldingOrgUUID) == o.UUID {
		c.bad("holding_org_uuid", reason.HoldsItself)
	}
	c.email("contact_email", string(o.ContactEmail))
	c.text("contact_phone", string(o.ContactPhone), adminapi.MaxName)
	c.url("web_link", string(o.WebLink))
	c.text("street", string(o.Street), adminapi.MaxName)
	c.text("house_number", string(o.HouseNumber), adminapi.MaxName)
	c.text("address_addition", string(o.AddressAddition), adminapi.MaxName)
	c.text("postal_code", string(o.PostalCode), adminapi.MaxName)
	c.text("city", string(o.City), adminapi.MaxName)
	c.place(string(o.State), string(o.Country), o.Lat, o.Lon)
	return *c.violations
}
