package adminapi

import (
	"encoding/json"
	"time"

	"litfass/pkg/contracts/value"
)

// WebhookFilter chooses the entities whose changes a webhook gets: those that have one of the
// values of each list that is not empty. An entity without such a property, such as a venue's
// genre, has no value. They are those of the parameters of the public search that can be read from
// an entity as a whole: a search also filters dates, by what changes as time passes, and by words.
type WebhookFilter struct {
	Organizations []string `json:"organizations,omitempty"` // uuids: of the event, the venue, or itself
	Venues        []string `json:"venues,omitempty"`        // uuids: where a date takes place, or itself
	Cities        []string `json:"cities,omitempty"`        // whole names, without regard to case
	Countries     []string `json:"countries,omitempty"`     // ISO 3166-1 alpha-3
	EventTypes    []int    `json:"event_types,omitempty"`
	Genres        []int    `json:"genres,omitempty"`
	Categories    []int    `json:"categories,omitempty"`
	Languages     []string `json:"languages,omitempty"`
	Tags          []string `json:"tags,omitempty"` // without regard to case
	Label         []string `json:"label,omitempty"`
}

// WebhookEdit is the body that makes a webhook, and that changes one: absent fields stay.
type WebhookEdit struct {
	Name   string        `json:"name"`
	URL    string        `json:"url"`
	Types  []string      `json:"types"`  // of the notifications; absent at first: those of public events
	Filter WebhookFilter `json:"filter"` // absent at first: the organization's own, or everything
	Active bool          `json:"active"` // absent at first: true
}

// Webhook is an address that is notified of changes, without its secret.
type Webhook struct {
	UUID    string     `json:"uuid"`
	Owner   string     `json:"owner"`    // organization, user or platform
	OrgUUID value.Text `json:"org_uuid"` // of an organization's
	WebhookEdit
	EndedFor       value.Text `json:"ended_for"` // failing, gone or backlog, when the platform ended it
	EndedAt        *time.Time `json:"ended_at"`  // when it became inactive
	Pending        int        `json:"pending"`   // deliveries that are due or wait for another attempt
	SucceededAt    *time.Time `json:"succeeded_at"`
	OldSecretUntil *time.Time `json:"old_secret_until"` // the secret before signs, too, until then
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
	Version        int64      `json:"-"`
}

// The owners of webhooks.
const (
	WebhookOfOrganization = "organization"
	WebhookOfUser         = "user"
	WebhookOfPlatform     = "platform"
)

// Webhooks is a page of the webhooks of an owner.
type Webhooks struct {
	Webhooks []Webhook `json:"webhooks"`
	Page
}

// SecretWebhook is the answer to making a webhook or another secret, the only one that holds it.
type SecretWebhook struct {
	Done
	Secret string `json:"secret"`
	Webhook
}

// WrittenWebhook is the answer to changing a webhook.
type WrittenWebhook struct {
	Done
	Webhook
}

// WebhookDelivery is a notification and its last attempt.
type WebhookDelivery struct {
	Number    int64      `json:"number"` // in the order of all deliveries
	UUID      string     `json:"uuid"`   // the webhook-id
	Type      string     `json:"type"`
	EntityID  string     `json:"entity_id"`
	State     string     `json:"state"` // pending, delivered or failed
	CreatedAt time.Time  `json:"created_at"`
	DueAt     *time.Time `json:"due_at"` // of the next attempt, while it is pending
	Attempts  int        `json:"attempts"`
	EndedAt   *time.Time `json:"ended_at"` // of the last attempt
	TookMS    *int       `json:"took_ms"`
	Status    *int       `json:"status"`
	Answer    string     `json:"answer"`  // its beginning
	Problem   value.Text `json:"problem"` // not_public, timeout, unreachable, status or secret
}

// WebhookDeliveries is a page of the last deliveries of a webhook, the newest first.
type WebhookDeliveries struct {
	Deliveries []WebhookDelivery `json:"deliveries"`
	Page
}

// WrittenDelivery is the answer to a test and to sending a delivery again.
type WrittenDelivery struct {
	Done
	WebhookDelivery
}

// WebhookType describes a kind of notification.
type WebhookType struct {
	Type        string          `json:"type"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"` // JSON Schema 2020-12 of the body
}

// WebhookTypes lists all kinds of notifications.
type WebhookTypes struct {
	Types []WebhookType `json:"types"`
}
