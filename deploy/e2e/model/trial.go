package model

import (
	"maps"
	"net/http"
	"slices"
)

// trial is one request while it is judged.
type trial struct {
	*World
	Request
	verdict Verdict
}

func (t *trial) refuse(status int, why string) { t.verdict.Refusals[status] = why }

// kindRights are the rights that edits of the entities of a kind need.
var kindRights = map[string]struct{ add, edit, remove string }{
	Organization: {"", editOrganization, deleteOrganization},
	Venue:        {addVenue, editVenue, deleteVenue},
	Space:        {addSpace, editSpace, deleteSpace},
	Event:        {addEvent, editEvent, deleteEvent},
	Series:       {editOrganization, editOrganization, editOrganization},
}

// homes are the fields with the owner of the entities of a kind.
var homes = map[string]string{Venue: "org_uuid", Space: "venue_uuid", Event: "org_uuid", Series: "org_uuid"}

// reach returns the entity of the request if its sender may edit it; else nil, with the refusal. It
// notes the refusal of another version.
func (t *trial) reach(kind, right string) *Entity {
	e := t.Find(kind, t.ID)
	switch {
	case e == nil || !t.Who.Sees(t.OrganizationOf(kind, e.Fields)):
		t.refuse(http.StatusNotFound, "it is unknown to the sender")
	case !t.Who.may(right, t.OrganizationOf(kind, e.Fields)):
		t.refuse(http.StatusForbidden, "the sender may not "+right)
	case right != "" && isPublic(text(e.Fields, "release_status")) && !t.Who.may(releaseEvent, t.OrganizationOf(kind, e.Fields)):
		t.refuse(http.StatusForbidden, "the sender may not change a public event")
	case t.IfMatch != "" && t.IfMatch != "*" && t.IfMatch != e.Tag:
		t.refuse(http.StatusPreconditionFailed, "the version is "+e.Tag)
		return e
	default:
		return e
	}
	return nil
}

// demand asks for rights in another organization, or the one that something comes to belong to.
func (t *trial) demand(org string, rights ...string) {
	if t.Find(Organization, org) == nil || !t.Who.Sees(org) {
		t.refuse(http.StatusNotFound, "an organization or venue that the body names is unknown to the sender")
		return
	}
	for _, right := range rights {
		if !t.Who.may(right, org) {
			t.refuse(http.StatusForbidden, "the sender may not "+right+" there")
		}
	}
}

// assign writes the fields of the body into an entity. A venue keeps its use if the body clears it.
func (t *trial) assign(e *Entity) {
	use, has := e.Fields["use"]
	assign(e.Fields, blanks[e.Kind], t.Body)
	if has && (t.Body["use"] == nil || t.Body["use"] == "") {
		e.Fields["use"] = use
	}
}

// add judges a new entity of a kind.
func (t *trial) add(kind string) {
	e := &Entity{Kind: kind, Fields: made(blanks[kind], t.Body)}
	t.verdict.Status = http.StatusCreated
	t.demand(t.OrganizationOf(kind, e.Fields), kindRights[kind].add)
	t.store(nil, e)
}

// edit judges an edit of the request's entity.
func (t *trial) edit(kind string, change func(*Entity)) {
	before := t.reach(kind, kindRights[kind].edit)
	if before == nil {
		return
	}
	after := before.copy()
	change(after)
	t.update(before, after)
}

// update judges the new version of an entity.
func (t *trial) update(before, after *Entity) {
	kind := after.Kind
	if home := homes[kind]; home != "" && before.Fields[home] != after.Fields[home] {
		t.demand(t.OrganizationOf(kind, after.Fields), kindRights[kind].edit)
		if kind == Space && t.uses(before) > 0 {
			t.refuse(http.StatusConflict, "events use the space")
		}
	}
	t.store(before, after)
}

// store judges the new state of an entity, and notes the change.
func (t *trial) store(before, after *Entity) {
	if name, named := after.Fields["name"]; named && name == "" {
		t.refuse(http.StatusBadRequest, "the name is missing")
	}
	switch after.Kind {
	case Event:
		t.judgeEvent(before, after)
	case Series:
		t.judgeSeries(after)
	}
	t.verdict.Changes = append(t.verdict.Changes, Change{before, after})
}

// delete judges the deletion of the request's entity.
func (t *trial) delete(kind string) {
	e := t.reach(kind, kindRights[kind].remove)
	if e == nil || !t.verdict.Accepted() {
		return
	}
	switch { // an API key has no password
	case !t.Who.isKey() && text(t.Body, "password") == "":
		t.refuse(http.StatusBadRequest, "the password is missing")
	case !t.Who.isKey() && text(t.Body, "password") != t.Who.Password:
		t.refuse(http.StatusForbidden, "the password is wrong")
	case t.uses(e) > 0:
		t.refuse(http.StatusConflict, "it is used")
	}
	t.verdict.Changes = []Change{{Before: e}}
}

// uses counts the entities that keep another one from being deleted. Spaces do not keep their
// venue.
func (t *trial) uses(of *Entity) int {
	count := 0
	for _, e := range t.Entities {
		ownSpace := of.Kind == Venue && e.Kind == Space
		if e != of && !ownSpace && slices.Contains(named(e), of.UUID()) {
			count++
		}
	}
	return count
}

// named returns the uuids of the owner of an entity and of the entities that it uses.
func named(e *Entity) []string {
	all := []string{text(e.Fields, "org_uuid"), text(e.Fields, "holding_org_uuid")}
	for _, at := range append(Parts(e.Fields, "dates"), e.Fields) {
		all = append(all, text(at, "venue_uuid"), text(at, "space_uuid"))
	}
	return all
}

// addOrganization: everyone who is logged in may add one, and is its owner.
func (t *trial) addOrganization() {
	if t.Who.isKey() {
		t.refuse(http.StatusForbidden, "an API key adds no organization")
	}
	e := &Entity{Kind: Organization, Fields: made(blanks[Organization], t.Body)}
	t.verdict.Status = http.StatusCreated
	t.judgeHolder(nil, e)
	t.store(nil, e)
}

func (t *trial) editOrganization() {
	t.edit(Organization, func(e *Entity) {
		before := maps.Clone(e.Fields)
		t.assign(e)
		t.judgeHolder(before, e)
	})
}

// judgeHolder: to come under another organization takes the right to edit that one, and none may
// hold itself.
func (t *trial) judgeHolder(before Object, e *Entity) {
	holder := text(e.Fields, "holding_org_uuid")
	if holder == "" || before != nil && before["holding_org_uuid"] == holder {
		return
	}
	if t.Find(Organization, holder) == nil {
		t.demand("")
		return
	}
	t.demand(holder, editOrganization)
	for above := holder; above != ""; above = text(t.Find(Organization, above).Fields, "holding_org_uuid") {
		if above == e.UUID() {
			t.refuse(http.StatusBadRequest, "the organization would hold itself")
			return
		}
	}
}
