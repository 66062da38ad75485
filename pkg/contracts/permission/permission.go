// Package permission defines the permissions of members of an organization, as bits, and the roles,
// which are named sets of them (RULES.md, Rights).
package permission

import (
	"math/bits"
	"strconv"
)

// Set is a set of permission bits. With the zero Set a member can only read.
type Set uint64

// The permissions. Their bits are part of the interface and stored: they never change.
const (
	EditOrganization          Set = 1 << 0
	DeleteOrganization        Set = 1 << 1
	ChooseAsEventOrganization Set = 1 << 2
	ChooseAsEventPartner      Set = 1 << 3
	ReceiveOrganizationMsgs   Set = 1 << 4
	ManagePermissions         Set = 1 << 5
	ManageTeam                Set = 1 << 6

	AddVenue    Set = 1 << 8
	EditVenue   Set = 1 << 9
	DeleteVenue Set = 1 << 10
	ChooseVenue Set = 1 << 11

	AddSpace    Set = 1 << 16
	EditSpace   Set = 1 << 17
	DeleteSpace Set = 1 << 18

	AddEvent          Set = 1 << 24
	EditEvent         Set = 1 << 25
	DeleteEvent       Set = 1 << 26
	ReleaseEvent      Set = 1 << 27
	ViewEventInsights Set = 1 << 28

	// SetAvailability is to change whether there are places at dates. EditEvent includes it, so that
	// the stored sets of the roles stay as they are; it is for box offices, which do nothing else.
	SetAvailability Set = 1 << 29
)

// Every is the set of all permissions, also of those that others include.
const Every = All | SetAvailability

// All is the set of all permissions that no other one includes: that of an owner.
const All = EditOrganization | DeleteOrganization | ChooseAsEventOrganization | ChooseAsEventPartner |
	ReceiveOrganizationMsgs | ManagePermissions | ManageTeam |
	AddVenue | EditVenue | DeleteVenue | ChooseVenue |
	AddSpace | EditSpace | DeleteSpace |
	AddEvent | EditEvent | DeleteEvent | ReleaseEvent | ViewEventInsights

// Has reports whether every permission of need is in the set.
func (s Set) Has(need Set) bool { return s.whole()&need == need }

// Known reports whether every bit of the set is a permission.
func (s Set) Known() bool { return Every&s == s }

// Plain returns the set without permissions that others of it include: the form in which sets are
// stored and compared.
func (s Set) Plain() Set {
	if s&EditEvent != 0 {
		return s &^ SetAvailability
	}
	return s
}

// In returns the permissions that both sets have.
func (s Set) In(limit Set) Set { return (s.whole() & limit.whole()).Plain() }

func (s Set) whole() Set {
	if s&EditEvent != 0 {
		return s | SetAvailability
	}
	return s
}

// Bits returns the number of permissions in the set.
func (s Set) Bits() int { return bits.OnesCount64(uint64(s)) }

// String returns the set as a decimal integer.
func (s Set) String() string { return strconv.FormatUint(uint64(s), 10) }

// MayChange reports whether a member with the permissions s may change another member's permissions
// from before to after: they can neither grant a bit that they lack, nor change a member who has a
// bit that they lack. So only an owner changes an owner.
func (s Set) MayChange(before, after Set) bool { return s.Has(before) && s.Has(after) }
