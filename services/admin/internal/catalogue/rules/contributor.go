package rules

import (
	"regexp"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/change"
)

// MaxFormer is the maximum number of contributors that were merged into one.
const MaxFormer = 1_000

var wikidataPattern = regexp.MustCompile(`^Q[1-9][0-9]{0,11}$`)

// Normalize brings every value into its stored form.
func (p *Contributor) Normalize() {
	cleanLower(&p.UUID, &p.Type)
	cleanLower(&p.OrgUUID)
	cleanLines(&p.Name)
	cleanLines(&p.Note)
	cleanTexts(&p.Description)
	cleanURLs(&p.WebLink)
	cleanUpper(&p.Wikidata)
	p.FormerUUIDs = orEmpty(lowered(p.FormerUUIDs))
	setDefault(&p.Type, adminapi.ContributorPerson)
}

// Validate returns every value that breaks a rule.
func (p *Contributor) Validate() fault.Violations {
	c := newChecker()
	c.uuid("uuid", p.UUID)
	c.reference("org_uuid", string(p.OrgUUID))
	if p.Type != adminapi.ContributorPerson && p.Type != adminapi.ContributorGroup {
		c.bad("type", reason.NotOneOf([]string{adminapi.ContributorPerson, adminapi.ContributorGroup}))
	}
	c.required("name", p.Name, adminapi.MaxName)
	c.visible("name", p.Name)
	c.text("note", string(p.Note), adminapi.MaxName)
	c.visible("note", string(p.Note))
	c.text("description", string(p.Description), adminapi.MaxText)
	c.url("web_link", string(p.WebLink))
	c.wikidata("wikidata", string(p.Wikidata))
	c.count("former_uuids", len(p.FormerUUIDs), MaxFormer)
	seen := map[string]bool{p.UUID: true}
	for i, former := range p.FormerUUIDs {
		at := c.at("former_uuids", i)
		at.uuid("", former)
		if seen[former] {
			at.bad("", reason.GivenTwice)
		}
		seen[former] = true
	}
	return *c.violations
}

// wikidata checks the optional id of an item of Wikidata.
func (c checker) wikidata(field, id string) {
	if id != "" && !wikidataPattern.MatchString(id) {
		c.bad(field, reason.NotWikidata)
	}
}

func (e *Event) normalizeContributors() {
	e.Contributors = orEmpty(e.Contributors)
	for i := range e.Contributors {
		cleanLower(&e.Contributors[i].UUID, &e.Contributors[i].Role)
	}
}

// checkContributors checks that a contributor is named once in each role.
func (e *Event) checkContributors(c checker) {
	c.count("contributors", len(e.Contributors), adminapi.MaxContributors)
	seen := map[EventContributor]bool{}
	for i, named := range e.Contributors {
		at := c.at("contributors", i)
		at.uuid("uuid", named.UUID)
		if named.Role == "" {
			at.bad("role", reason.Required)
		}
		at.item("role", change.LookupContributorRoles, named.Role)
		if seen[named] {
			at.bad("", reason.GivenTwice)
		}
		seen[named] = true
	}
}
