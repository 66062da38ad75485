package inbox

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
)

// NewReply is a reply to a message. The default Subject is that of the message, after "Re: ".
type NewReply struct {
	Subject string
	Message string
}

// Check normalizes the texts and adds violations for invalid ones.
func (r *NewReply) Check(violations *fault.Violations) {
	r.Subject = line(violations, "subject", r.Subject)
	r.Message = Paragraphs(violations, "message", r.Message, adminapi.MaxText)
	if r.Message == "" {
		violations.Add("message", reason.Required)
	}
}

// Reply replies to a message that the logged-in user received, and returns the id of the reply. It
// goes only to the sender, who need not share an organization with the user, having written first.
// The faults: Invalid, naming every bad field; NotFound for a message to others; Conflict with code
// "no_recipient" when the sender has no active account any more; Forbidden for an API key; TooMany.
func (s *Service) Reply(ctx context.Context, to int, reply NewReply) (id int, err error) {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return 0, err
	}
	var violations fault.Violations
	reply.Check(&violations)
	if err := violations.Err(invalidParameters, invalidMessage); err != nil {
		return 0, err
	}
	if err := s.count(ctx, "reply to "+strconv.Itoa(to)); err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		subject, sender, err := repliedTo(ctx, tx, who, to)
		if err != nil {
			return err
		}
		message := NewMessage{Subject: reply.Subject, Message: reply.Message}
		if message.Subject == "" {
			message.Subject = subjectOfReply(subject)
		}
		id, err = s.store(ctx, tx, who, message, to, []int{sender})
		return err
	})
	return id, err
}

const selectReplied = `
SELECT m.subject, coalesce(u.id, 0)
FROM message_recipient r
JOIN message m ON m.id = r.message_id
LEFT JOIN app_user u ON u.id = m.from_user_id AND u.deactivated_at IS NULL
WHERE r.user_id = $1 AND m.id = $2
FOR SHARE OF m, r`

// repliedTo returns the subject of a message to the user, and its sender.
func repliedTo(
	ctx context.Context, tx pgx.Tx, who auth.Principal, id int,
) (subject string, sender int, err error) {
	err = tx.QueryRow(ctx, selectReplied, who.UserID, id).Scan(&subject, &sender)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", 0, errNoMessage()
	}
	if err != nil {
		return "", 0, fmt.Errorf("read message: %w", err)
	}
	if sender == 0 {
		return "", 0, fault.New(fault.Conflict, "no_recipient", "the sender has no account any more")
	}
	return subject, sender, nil
}

const replyMark = "Re: "

// subjectOfReply prefixes a subject with "Re: " unless it has that, and truncates it.
func subjectOfReply(subject string) string {
	if !strings.HasPrefix(subject, replyMark) {
		subject = replyMark + subject
	}
	if runes := []rune(subject); len(runes) > adminapi.MaxName {
		subject = strings.TrimSpace(string(runes[:adminapi.MaxName]))
	}
	return subject
}
