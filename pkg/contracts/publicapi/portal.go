package publicapi

import "litfass/pkg/contracts/value"

// Portal is the data of GET /api/portal/{slug}: a named part of the catalogue, which the parameter
// portal selects by its slug.
type Portal struct {
	UUID       string            `json:"uuid"`
	Slug       string            `json:"slug"`
	OrgUUID    value.Text        `json:"org_uuid"` // null: the operator's
	Name       string            `json:"name"`
	Titles     map[string]string `json:"titles"`      // by language; in others it has its name
	Languages  []string          `json:"languages"`   // of its site, the default first; none: all
	Accent     value.Text        `json:"accent"`      // colour on light ground, #rrggbb; null: the site's
	AccentDark value.Text        `json:"accent_dark"` // on dark ground
}
