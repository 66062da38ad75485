package model

import "slices"

// Person sends requests: a user who is logged in, or an API key.
type Person struct {
	Name     string
	Token    string            // of the Authorization header
	Password string            // "" for an API key
	Platform bool              // a platform administrator
	Roles    map[string]string // by the uuid of the organization
}

func (p *Person) isKey() bool { return p.Password == "" }

// Sees reports whether the person may read the data of an organization. Everything else is 404 for
// them.
func (p *Person) Sees(org string) bool { return p.Platform || p.Roles[org] != "" }

// may reports whether the person has a right in an organization; "" is no right.
func (p *Person) may(right, org string) bool {
	return p.Platform || right == "" || slices.Contains(rights[p.Roles[org]], right)
}

// The rights that edits need.
const (
	editOrganization   = "edit organization"
	deleteOrganization = "delete organization"
	chooseOrganization = "choose organization"
	chooseVenue        = "choose venue"
	addVenue           = "add venue"
	editVenue          = "edit venue"
	deleteVenue        = "delete venue"
	addSpace           = "add space"
	editSpace          = "edit space"
	deleteSpace        = "delete space"
	addEvent           = "add event"
	editEvent          = "edit event"
	deleteEvent        = "delete event"
	releaseEvent       = "release event"
)

// rights are the rights of each role (RULES.md, Rights).
var rights = map[string][]string{
	"viewer":      {},
	"contributor": contributor,
	"editor":      editor,
	"manager":     manager,
	"owner":       slices.Concat(manager, []string{deleteOrganization}),
}

var (
	contributor = []string{chooseOrganization, chooseVenue, addEvent, editEvent}
	editor      = slices.Concat(contributor, []string{releaseEvent, deleteEvent, addVenue, editVenue, addSpace, editSpace})
	manager     = slices.Concat(editor, []string{editOrganization, deleteVenue, deleteSpace})
)
