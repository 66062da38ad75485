package catalog

import "time"

// The states of the approval of an organization.
const (
	ApprovalPending  = "pending"
	ApprovalApproved = "approved"
	ApprovalRefused  = "refused"
)

// Approval is whether an organization may be public. Package moderation decides it.
type Approval struct {
	State     string     `json:"state"`
	Reason    string     `json:"reason"`     // of the decision, for the organization's members; may be ""
	DecidedAt *time.Time `json:"decided_at"` // nil while it waits, and when it needed no approval
}
