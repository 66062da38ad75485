package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/publish/outbox"
)

const insertPending = `
INSERT INTO organization_approval (org_uuid, state, asked_at)
VALUES ($1, 'pending', $2)`

// Await makes a new organization wait for approval, and notifies the platform administrators in the
// name of the principal, who founds it.
func (s *Service) Await(ctx context.Context, tx pgx.Tx, org *rules.Organization) error {
	now := s.Now()
	if _, err := tx.Exec(ctx, insertPending, org.UUID, now); err != nil {
		return fmt.Errorf("store approval: %w", err)
	}
	admins, err := notice.People(ctx, tx, selectPlatformAdmins)
	if err != nil {
		return err
	}
	return notice.Send(ctx, tx, notice.Notice{
		Template: mail.TemplateApprovalWanted, Org: org.UUID, Name: org.Name, Recipients: admins, At: now,
	})
}

// Decision is a platform administrator's decision about an organization.
type Decision struct {
	Approved bool
	Reason   string // required to refuse; up to 2,000 characters
}

func (d *Decision) check() error {
	var violations fault.Violations
	d.Reason = inbox.Paragraphs(&violations, "reason", d.Reason, adminapi.MaxReason)
	if !d.Approved && d.Reason == "" {
		violations.Add("reason", reason.Required)
	}
	return violations.Err("invalid_decision", "the decision is not valid")
}

func (d Decision) state() string {
	if d.Approved {
		return adminapi.ApprovalApproved
	}
	return adminapi.ApprovalRefused
}

// Approval is the approval of an organization.
type Approval struct {
	OrgUUID string
	adminapi.Approval
}

// recorded is the part of an approval that the audit holds.
func (a Approval) recorded() any {
	return map[string]any{"approval": a.State, "approval_reason": a.Reason}
}

const upsertApproval = `
INSERT INTO organization_approval (org_uuid, state, reason, asked_at, decided_at)
VALUES ($1, $2, nullif($3, ''), $4, $4)
ON CONFLICT (org_uuid) DO UPDATE
SET state = excluded.state, reason = excluded.reason, decided_at = excluded.decided_at`

const selectName = `
SELECT name
FROM organization
WHERE uuid = $1`

// Decide approves or refuses an organization, also one that was decided before, and notifies its
// owners. The entities that this shows or hides are published, and the version of the organization
// changes. The same decision again changes nothing. The faults: NotFound for a stranger; Forbidden
// for all others except platform administrators, and for an API key; Invalid, naming the bad field.
func (s *Service) Decide(ctx context.Context, org string, decision Decision) (decided Approval, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return decided, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, who, org, 0); err != nil {
			return err
		}
		if err := access.RequirePlatform(who); err != nil {
			return err
		}
		if err := decision.check(); err != nil {
			return err
		}
		decided, err = s.decide(ctx, tx, org, decision)
		return err
	})
	return decided, err
}

// decide locks the organization, as every write of its events and venues does: writes that this
// transaction does not see enqueue their entities after it.
func (s *Service) decide(ctx context.Context, tx pgx.Tx, org string, decision Decision) (Approval, error) {
	if err := access.Lock(ctx, tx, org); err != nil {
		return Approval{}, err
	}
	stored, err := store.ReadApproval(ctx, tx, org)
	before := Approval{org, stored}
	if err != nil || before.State == decision.state() && before.Reason == decision.Reason {
		return before, err
	}
	now := s.Now()
	after := Approval{org, adminapi.Approval{State: decision.state(), Reason: decision.Reason, DecidedAt: &now}}
	if _, err := tx.Exec(ctx, upsertApproval, org, after.State, after.Reason, now); err != nil {
		return Approval{}, fmt.Errorf("store approval: %w", err)
	}
	if err := store.RenewOrganization(ctx, tx, org); err != nil {
		return Approval{}, err
	}
	if err := outbox.EnqueueOrganization(ctx, tx, org); err != nil {
		return Approval{}, err
	}
	if err := s.notifyOwners(ctx, tx, after, now); err != nil {
		return Approval{}, err
	}
	return after, audit.Record(ctx, tx, audit.Entry{
		At: now, Action: "organization.approval", EntityKind: "organization", EntityID: org, OrgUUID: org,
		Before: before.recorded(), After: after.recorded(),
	})
}

func (s *Service) notifyOwners(ctx context.Context, tx pgx.Tx, after Approval, now time.Time) error {
	owners, err := notice.People(ctx, tx, selectOwners, after.OrgUUID)
	if err != nil {
		return err
	}
	n := notice.Notice{Template: mail.TemplateApproved, Org: after.OrgUUID, Reason: after.Reason, Recipients: owners, At: now}
	if after.State == adminapi.ApprovalRefused {
		n.Template = mail.TemplateRefused
	}
	if err := tx.QueryRow(ctx, selectName, after.OrgUUID).Scan(&n.Name); err != nil {
		return fmt.Errorf("read organization: %w", err)
	}
	return notice.Send(ctx, tx, n)
}
