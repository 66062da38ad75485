package rules

import (
	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
)

const (
	minLevel    = -100
	maxLevel    = 1_000
	maxCapacity = 10_000_000
)

// Normalize brings every value into its stored form.
func (s *Space) Normalize() {
	cleanLower(&s.UUID, &s.VenueUUID)
	cleanLower(&s.SpaceType)
	cleanLines(&s.Name)
	cleanTexts(&s.Description, &s.AccessibilitySummary)
	cleanURLs(&s.WebLink)
}

// Validate returns every value that breaks a rule.
func (s *Space) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", s.UUID)
	c.uuid("venue_uuid", s.VenueUUID)
	c.required("name", s.Name, adminapi.MaxName)
	c.text("description", string(s.Description), adminapi.MaxDescription)
	c.item("space_type", change.LookupSpaceTypes, string(s.SpaceType))
	c.number("building_level", s.BuildingLevel, minLevel, maxLevel)
	c.number("total_capacity", s.TotalCapacity, 0, maxCapacity)
	c.number("seating_capacity", s.SeatingCapacity, 0, maxCapacity)
	c.url("web_link", string(s.WebLink))
	c.text("accessibility_summary", string(s.AccessibilitySummary), adminapi.MaxText)
	return *c.violations
}
