package moderation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/language"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/inbox"
	"litfass/services/admin/internal/mail"
)

// notice is what people learn by mail and in their inbox.
type notice struct {
	template   string // of the mail
	org, name  string // the organization
	reason     string
	recipients []person
	at         time.Time
}

// arguments are those of a queued mail.
type arguments struct {
	Org    string `json:"org"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// notify queues a mail to each recipient and leaves a message from the principal in their inboxes,
// each in the recipient's language.
func (s *Service) notify(ctx context.Context, tx pgx.Tx, n notice) error {
	readers := map[string][]int{}
	for _, recipient := range n.recipients {
		_, err := mail.Enqueue(ctx, tx, mail.New{
			Recipient: recipient.Email, Template: n.template, Locale: recipient.Locale, At: n.at,
			Arguments: arguments{n.org, n.name, n.reason},
		})
		if err != nil {
			return err
		}
		code := language.Nearest(recipient.Locale)
		readers[code] = append(readers[code], recipient.ID)
	}
	for _, code := range slices.Sorted(maps.Keys(readers)) {
		subject, body := n.message(code)
		message := inbox.NewMessage{OrgUUID: n.org, Subject: subject, Message: body}
		if err := inbox.Post(ctx, tx, auth.PrincipalOf(ctx).UserID, message, n.at, readers[code]); err != nil {
			return err
		}
	}
	return nil
}

// subjects are those of the messages by template and language; %s is the organization's name.
var subjects = map[string]map[string]string{
	mail.TemplateApprovalWanted: {
		"en": "%s waits for approval", "de": "%s wartet auf Freigabe", "da": "%s venter på godkendelse",
	},
	mail.TemplateApproved: {
		"en": "%s is approved", "de": "%s ist freigegeben", "da": "%s er godkendt",
	},
	mail.TemplateRefused: {
		"en": "%s is not approved", "de": "%s ist nicht freigegeben", "da": "%s er ikke godkendt",
	},
}

// message returns the subject and the text of the message in a language. Without a reason the text
// is the subject.
func (n notice) message(code string) (subject, body string) {
	subject = fmt.Sprintf(subjects[n.template][code], n.name)
	if n.reason == "" {
		return subject, subject
	}
	return subject, n.reason
}

// pages are where the links of the mails lead.
var pages = map[string]string{
	mail.TemplateApprovalWanted: "/admin/organizations/pending",
	mail.TemplateApproved:       "/admin",
	mail.TemplateRefused:        "/admin",
}

// Composes reports whether Compose is the composer of the template's mails.
func Composes(template string) bool { return subjects[template] != nil }

// Compose is the mail.Composer of the templates for which Composes is true.
func (s *Service) Compose(_ context.Context, _ pgx.Tx, queued mail.Queued) (mail.Content, error) {
	var given arguments
	if err := json.Unmarshal(queued.Arguments, &given); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail %s: %w", queued.Template, err)
	}
	return mail.Content{Link: s.Link(pages[queued.Template], ""), Organization: given.Name, Reason: given.Reason}, nil
}
