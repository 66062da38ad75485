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
	return e, tag, r.RequireFor(e, need)
}

// RightsTo returns the person's permissions for an event. Visitors see a public one, so that only
// people who may release events change it (RULES.md, Rights).
func (r *Request) RightsTo(e adminapi.Event) permission.Set {
	may := r.Rights(e.OrgUUID)
	if adminapi.PublicStatus(e.ReleaseStatus) && !may.Has(permission.ReleaseEvent) {
		return may &^ (permission.EditEvent | permission.DeleteEvent)
	}
	return may
}

// EditNeed returns the permissions that an edit of an event takes (RULES.md, Release status).
func EditNeed(e adminapi.Event) permission.Set {
	if adminapi.PublicStatus(e.ReleaseStatus) {
		return permission.EditEvent | permission.ReleaseEvent
	}
	return permission.EditEvent
}

// RequireFor is Require for an event.
func (r *Request) RequireFor(e adminapi.Event, need permission.Set) error {
	if err := r.Require(e.OrgUUID, need); err != nil {
		return err
	}
	if !r.RightsTo(e).Has(need) {
		return ErrForbidden
	}
	return nil
}
