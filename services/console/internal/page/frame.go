package page

import (
	"cmp"
	"slices"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
)

// frame is the person's part of the head of every page.
type frame struct {
	memberships []adminapi.Membership
	attention   adminapi.Attention
	lost        error // why it is not known, Unauthenticated when the login has ended; nil when it is
}

// frame reads the person's part of the head, once for each request. A head without it is better
// than no page.
func (r *Request) frame() frame {
	if r.frames != nil {
		return *r.frames
	}
	var memberships adminapi.Memberships
	var attention adminapi.Attention
	err := r.Together(func() (err error) {
		memberships, err = r.Admin().Memberships()
		return err
	}, func() (err error) {
		attention, err = r.Admin().Attention()
		return err
	})
	if err == nil {
		r.frames = &frame{memberships: memberships.Memberships, attention: attention}
		return *r.frames
	}
	if !fault.Is(err, fault.Unauthenticated) {
		r.Warn("the head of a page cannot be read", err)
	}
	r.frames = &frame{lost: err}
	return *r.frames
}

// Memberships returns the organizations of the person, by name.
func (r *Request) Memberships() []adminapi.Membership { return r.frame().memberships }

// Membership returns the person's membership in an organization; false for none.
func (r *Request) Membership(org string) (adminapi.Membership, bool) {
	all := r.Memberships()
	at := slices.IndexFunc(all, func(m adminapi.Membership) bool { return m.OrgUUID == org })
	if at < 0 {
		return adminapi.Membership{}, false
	}
	return all[at], true
}

// Attention returns how much waits for the person.
func (r *Request) Attention() adminapi.Attention { return r.frame().attention }

// Permissions returns the person's permissions in an organization, none for people who are no
// members. They decide what pages offer; the admin service decides what is allowed.
func (r *Request) Permissions(org string) permission.Set {
	membership, _ := r.Membership(org)
	return permission.Set(membership.Permissions)
}

// Administrator reports whether the person is a platform administrator.
func (r *Request) Administrator() bool { return r.frame().attention.OpenReports != nil }

// Rights returns the person's permissions in an organization; platform administrators have all
// permissions.
func (r *Request) Rights(org string) permission.Set {
	if r.Administrator() {
		return permission.All
	}
	return r.Permissions(org)
}

// ErrForbidden refuses a person without the permission.
var ErrForbidden = fault.New(fault.Forbidden, "permission_missing", "your role does not allow this")

// Require refuses a person who lacks a permission in an organization. Handlers that change
// something call it before they read the form. The error is Forbidden, NotFound for people who do
// not belong to the organization, or the error of reading the permissions.
func (r *Request) Require(org string, need permission.Set) error {
	if err := r.frame().lost; err != nil {
		return err
	}
	_, member := r.Membership(org)
	switch {
	case !r.Administrator() && !member:
		return fault.New(fault.NotFound, "", "there is no such page")
	case !r.Rights(org).Has(need):
		return ErrForbidden
	}
	return nil
}

// OrganizationName names an organization in which the person may do something.
type OrganizationName struct{ UUID, Name string }

// Allowed returns the organizations of the person in which they have a permission, by name. For
// platform administrators asked is among them, which the address names. The error is Forbidden when
// there are none.
func (r *Request) Allowed(need permission.Set, asked string) ([]OrganizationName, error) {
	var allowed []OrganizationName
	for _, m := range r.Memberships() {
		if r.Rights(m.OrgUUID).Has(need) {
			allowed = append(allowed, OrganizationName{m.OrgUUID, m.OrgName})
		}
	}
	known := slices.ContainsFunc(allowed, func(o OrganizationName) bool { return o.UUID == asked })
	if uuid, valid := value.UUIDv7(asked); valid && !known && r.Administrator() {
		of, err := r.Admin().Organization(uuid)
		if err != nil {
			return nil, err
		}
		allowed = append(allowed, OrganizationName{of.UUID, of.Name})
	}
	if len(allowed) == 0 {
		return nil, cmp.Or(r.frame().lost, error(ErrForbidden))
	}
	return allowed, nil
}
