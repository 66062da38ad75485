package rules

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/catalogue/valueset"
)

// Normalize brings every value into its one stored form.
func (l *EventLink) Normalize() {
	cleanLower(&l.UUID, &l.Type)
	cleanLines(&l.Label)
	cleanURLs(&l.URL)
}

// Validate returns every value of a link that breaks a rule.
func (l *EventLink) Validate() fault.Violations {
	c := newChecker()
	l.check(c)
	return *c.violations
}

func (l *EventLink) check(c checker) {
	c.reference("uuid", l.UUID)
	if !valueset.Has(change.LookupLinkTypes, l.Type) {
		c.bad("type", reason.NotInSet("link-types"))
	}
	c.text("label", string(l.Label), adminapi.MaxName)
	if l.URL == "" {
		c.bad("url", reason.Required)
	}
	c.url("url", l.URL)
}
