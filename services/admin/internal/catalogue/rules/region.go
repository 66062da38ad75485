package rules

import (
	"encoding/json"
	"regexp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
)

var slugPattern = regexp.MustCompile(`^[a-z0-9-]{1,100}$`)

// Normalize brings every value into its stored form. The geometry keeps its type and positions
// only: no altitudes, no further members.
func (r *Region) Normalize() {
	cleanLower(&r.CountrySlug, &r.StateSlug, &r.RegionSlug)
	cleanLines(&r.CountryName, &r.StateName)
	cleanLines(&r.Name)
	if shape, err := parseArea(r.Geometry); err == nil {
		if canonical, err := json.Marshal(shape); err == nil {
			r.Geometry = canonical
		}
	}
}

// Validate returns every value that breaks a rule.
func (r *Region) Validate() fault.Violations {
	c := newChecker()
	c.slug("country_slug", r.CountrySlug)
	c.slug("state_slug", r.StateSlug)
	c.slug("region_slug", r.RegionSlug)
	c.text("country_name", string(r.CountryName), adminapi.MaxName)
	c.text("state_name", string(r.StateName), adminapi.MaxName)
	c.required("name", r.Name, adminapi.MaxName)
	shape, err := parseArea(r.Geometry)
	if err != nil {
		c.bad("geometry", reason.NotArea)
	} else if why := shape.check(); why != nil {
		c.bad("geometry", why)
	}
	return *c.violations
}

func (c checker) slug(field, slug string) {
	if !slugPattern.MatchString(slug) {
		c.bad(field, reason.NotSlug)
	}
}
