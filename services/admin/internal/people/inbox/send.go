package inbox

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/sending"
)

// NewMessage is a message to send: to an organization or, when OrgUUID is "", to a user.
type NewMessage struct {
	OrgUUID string
	UserID  int
	Subject string
	Message string
	Link    string // path of the page of the console that it is about; "" for none
}

// Check normalizes the texts and adds violations for invalid ones.
func (m *NewMessage) Check(violations *fault.Violations) {
	m.Subject = line(violations, "subject", m.Subject)
	m.Message = Paragraphs(violations, "message", m.Message, adminapi.MaxText)
	if m.Subject == "" {
		violations.Add("subject", reason.Required)
	}
	if m.Message == "" {
		violations.Add("message", reason.Required)
	}
}

// Send sends a message in the name of the logged-in user, and returns its id. Organizations are
// public, so anyone may write to one; every active member with ReceiveOrganizationMsgs gets it. A
// user gets messages from the members of their organizations. The faults: Invalid, naming every bad
// field; Forbidden for an API key; NotFound for an unknown organization and for a user who shares
// none with the sender; Conflict with code "no_recipient" when no member of the organization
// receives messages; TooMany.
func (s *Service) Send(ctx context.Context, message NewMessage) (id int, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return 0, err
	}
	var violations fault.Violations
	message.Check(&violations)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return 0, err
	}
	receiver := "organization " + message.OrgUUID
	if message.OrgUUID == "" {
		receiver = "user " + strconv.Itoa(message.UserID)
	}
	if err := s.count(ctx, receiver); err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		recipients, err := s.recipients(ctx, tx, who, message)
		if err != nil {
			return err
		}
		id, err = s.store(ctx, tx, who, message, 0, recipients)
		return err
	})
	return id, err
}

// count counts a message of the logged-in user, also if it is refused later. The fault is TooMany.
func (s *Service) count(ctx context.Context, receiver string) error {
	from := sending.Sender{UserID: auth.PrincipalOf(ctx).UserID}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error { return sending.Message(ctx, tx, from, receiver, s.Now()) })
}

const selectReceivers = `
SELECT coalesce(array_agg(m.user_id ORDER BY m.user_id) FILTER (WHERE u.id IS NOT NULL), '{}')
FROM organization o
LEFT JOIN membership m ON m.org_uuid = o.uuid AND m.permissions & $2 = $2
LEFT JOIN app_user u ON u.id = m.user_id AND u.deactivated_at IS NULL
WHERE o.uuid = $1
GROUP BY o.uuid`

const selectColleague = `
SELECT ARRAY[u.id]
FROM app_user u
WHERE u.id = $2
    AND u.activated_at IS NOT NULL
    AND u.deactivated_at IS NULL
    AND EXISTS (
        SELECT
        FROM membership theirs
        JOIN membership mine ON mine.org_uuid = theirs.org_uuid
        WHERE theirs.user_id = u.id AND mine.user_id = $1
    )`

func (s *Service) recipients(
	ctx context.Context, tx pgx.Tx, who auth.Principal, message NewMessage,
) ([]int, error) {
	query, arguments, kind := selectColleague, []any{who.UserID, message.UserID}, "user"
	if message.OrgUUID != "" {
		need := int64(permission.ReceiveOrganizationMsgs)
		query, arguments, kind = selectReceivers, []any{message.OrgUUID, need}, "organization"
	}
	var recipients []int
	err := tx.QueryRow(ctx, query, arguments...).Scan(&recipients)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fault.New(fault.NotFound, kind+"_not_found", "there is no such %s to write to", kind)
	}
	if err != nil {
		return nil, fmt.Errorf("read recipients: %w", err)
	}
	if len(recipients) == 0 {
		return nil, fault.New(fault.Conflict, "no_recipient",
			"no member receives messages for this organization")
	}
	return recipients, nil
}

const insertMessage = `
INSERT INTO message (from_user_id, org_uuid, subject, body, reply_to, created_at, kept_by_sender, link)
VALUES (nullif($1::integer, 0), nullif($2, '')::uuid, $3, $4, nullif($5, 0), $6, $1 <> 0, nullif($7, ''))
RETURNING id`

const insertRecipients = `
INSERT INTO message_recipient (message_id, user_id)
SELECT $1, unnest($2::integer[])`

// recipientKey is the schema's: a recipient has an account.
const recipientKey = "message_recipient_user_id_fkey"

// store stores a message to the recipients; replyTo is the id of the answered message, or 0.
func (s *Service) store(
	ctx context.Context, tx pgx.Tx, who auth.Principal, message NewMessage, replyTo int, recipients []int,
) (id int, err error) {
	now := s.Now()
	if id, err = insert(ctx, tx, who.UserID, message, replyTo, now, recipients); err != nil {
		return 0, err
	}
	return id, audit.Record(ctx, tx, audit.Entry{ // without the text, which is private
		At: now, Action: "message.send", EntityKind: "message", EntityID: strconv.Itoa(id), OrgUUID: message.OrgUUID,
		After: map[string]any{"recipients": len(recipients)},
	})
}
