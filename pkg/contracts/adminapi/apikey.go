package adminapi

import (
	"time"

	"litfass/pkg/contracts/value"
)

// NewAPIKey is the body that makes an API key.
type NewAPIKey struct {
	Name      string     `json:"name"`
	ExpiresAt *time.Time `json:"expires_at"` // null: never
	Offered
}

// APIKeyName is the body that renames an API key.
type APIKeyName struct {
	Name string `json:"name"`
}

// APIKey is an API key, without the key itself.
type APIKey struct {
	UUID        string     `json:"uuid"`
	Name        string     `json:"name"`
	Prefix      string     `json:"prefix"` // the beginning of its text, so that its owner recognises it
	Permissions value.Mask `json:"permissions"`
	CreatedBy   int        `json:"created_by"`
	CreatedAt   time.Time  `json:"created_at"`
	ExpiresAt   *time.Time `json:"expires_at"`
	LastUsedAt  *time.Time `json:"last_used_at"`
	Active      bool       `json:"active"` // false: it has expired, or its creator lost access
	Tier        string     `json:"tier"`   // of the limits of its requests; an operator sets it
}

// APIKeys is a page of the API keys of a user, or of an organization.
type APIKeys struct {
	APIKeys []APIKey `json:"api_keys"`
	Page
}

// MadeAPIKey is the answer to making a key, the only one that holds its text.
type MadeAPIKey struct {
	Done
	Key string `json:"key"`
	APIKey
}

// WrittenAPIKey is the answer to renaming a key.
type WrittenAPIKey struct {
	Done
	APIKey
}
