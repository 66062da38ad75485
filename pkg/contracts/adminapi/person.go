package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// The states of an account.
const (
	PersonActive      = "active"
	PersonInactive    = "inactive"    // deactivated by a platform administrator or the operator
	PersonUnconfirmed = "unconfirmed" // the link that was mailed at signup was not followed yet
)

// Person is an account as platform administrators see it.
type Person struct {
	UserID        int        `json:"user_id"`
	Email         string     `json:"email"`
	DisplayName   value.Text `json:"display_name"`
	FirstName     value.Text `json:"first_name"`
	LastName      value.Text `json:"last_name"`
	State         string     `json:"state"`  // PersonActive, PersonInactive or PersonUnconfirmed
	Reason        value.Text `json:"reason"` // of an inactive one; null when none was given
	IsAdmin       bool       `json:"is_admin"`
	Organizations int        `json:"organization_count"` // that the person is a member of
	CreatedAt     time.Time  `json:"created_at"`
	ActivatedAt   *time.Time `json:"activated_at"`
	DeactivatedAt *time.Time `json:"deactivated_at"`
	LastActiveAt  *time.Time `json:"last_active_at"`
}

// People is a page of accounts.
type People struct {
	People []Person `json:"people"`
	Page
}

// PersonState is the body that deactivates or reactivates an account.
type PersonState struct {
	Active *bool  `json:"active"` // required
	Reason string `json:"reason"` // for other administrators; required to deactivate
}

// WrittenPersonState is the answer to a PersonState.
type WrittenPersonState struct {
	Done
	Person
	// Ownerless are the person's organizations without an owner who can log in.
	Ownerless []OwnerlessOrganization `json:"organizations_without_owner"`
}

// OwnerlessOrganization is an organization that no active member owns.
type OwnerlessOrganization struct {
	UUID string `json:"uuid"`
	Name string `json:"name"`
}
