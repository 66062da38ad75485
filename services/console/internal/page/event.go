package page

import (
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
)

// EventPath returns the address of the page of an event.
func EventPath(uuid string) string { return Root + "/event/" + uuid }

// Event reads the event that the address names, and its ETag.
func (r *Request) Event() (e adminapi.Event, tag string, err error) {
	uuid, err := r.UUID("event")
	if err != nil {
		return e, "", err
	}
	return r.Admin().Event(uuid)
}

// EventFor is Event for people who have a permission in its organization. The error is Forbidden
// for other people who can read it.
func (r *Request) EventFor(need permission.Set) (e adminapi.Event, tag string, err error) {
	if e, tag, err = r.Event(); err != nil {
		return e, tag, err
	}
	return e, tag, r.Require(e.OrgUUID, need)
}
