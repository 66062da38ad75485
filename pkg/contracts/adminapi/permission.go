package adminapi

import (
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
)

// Permissions are all permissions by group, in the asked language.
type Permissions struct {
	Organization []Permission `json:"organization"`
	Venue        []Permission `json:"venue"`
	Space        []Permission `json:"space"`
	Event        []Permission `json:"event"`
}

// Permission is one permission in words.
type Permission struct {
	Bit         int    `json:"bit"`
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Roles are the roles, the strongest first, in the asked language.
type Roles struct {
	Roles []Role `json:"roles"`
}

// Role is one role in words, with its permissions as a mask and bit by bit.
type Role struct {
	Name        permission.Role `json:"name"`
	Label       string          `json:"label"`
	Permissions value.Mask      `json:"permissions"`
	Bits        []int           `json:"bits"`
}
