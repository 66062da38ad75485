package moderation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/mail"
)

// notice is a notification by mail and in the inbox.
type notice struct {
	template   string // of the mail
	org, name  string // the organization
	eventUUID  string // "" where the notice is about the organization
	event      string // its title
	reason     string // of a report, one of report.Reasons
	silent     bool   // no mail
	recipients []person
	at         time.Time
}

// arguments are the arguments of a queued mail.
type arguments struct {
	Org       string `json:"org"`
	Name      string `json:"name"`
	EventUUID string `json:"event_uuid"` // "" also in mails that were queued before it was added
	Event     string `json:"event"`
	Reason    string `json:"reason"`
}

// notify queues a mail to each recipient and leaves a message in their inboxes, each in the
// recipient's language: from the principal, or from no user where a visitor is the cause.
func (s *Service) notify(ctx context.Context, tx pgx.Tx, n notice) error {
	readers := map[string][]int{}
	for _, recipient := range n.recipients {
		if err := n.mail(ctx, tx, recipient); err != nil {
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

func (n notice) mail(ctx context.Context, tx pgx.Tx, recipient person) error {
	if n.silent {
		return nil
	}
	_, err := mail.Enqueue(ctx, tx, mail.New{
		Recipient: recipient.Email, Template: n.template, Locale: recipient.Locale, At: n.at,
		Arguments: arguments{n.org, n.name, n.eventUUID, n.event, n.reason},
	})
	return err
}

// subjects are the subjects of the messages by template and language; %s is the title of the event
// or the name of the organization.
var subjects = map[string]map[string]string{
	mail.TemplateApprovalWanted: {
		"en": "%s is waiting for approval", "de": "%s wartet auf Freigabe", "da": "%s venter på godkendelse",
	},
	mail.TemplateApproved: {
		"en": "%s is approved", "de": "%s ist freigegeben", "da": "%s er godkendt",
	},
	mail.TemplateRefused: {
		"en": "%s is not approved", "de": "%s ist nicht freigegeben", "da": "%s er ikke godkendt",
	},
	mail.TemplateReported: {
		"en": "%s was reported", "de": "%s wurde gemeldet", "da": "%s er blevet indberettet",
	},
	mail.TemplateTakenBack: {
		"en": "%s was taken down", "de": "%s wurde zurückgezogen", "da": "%s er trukket tilbage",
	},
	mail.TemplateTakedownLifted: {
		"en": "%s may be released again", "de": "%s darf wieder veröffentlicht werden", "da": "%s må udgives igen",
	},
}

// reasons are the names of report.Reasons by language.
var reasons = map[string]map[string]string{
	"spam":      {"en": "spam", "de": "Spam", "da": "spam"},
	"wrong":     {"en": "wrong information", "de": "falsche Angaben", "da": "forkerte oplysninger"},
	"offensive": {"en": "offensive", "de": "anstößig", "da": "krænkende"},
	"illegal":   {"en": "against the law", "de": "rechtswidrig", "da": "ulovligt"},
	"copyright": {"en": "copyright", "de": "Urheberrecht", "da": "ophavsret"},
	"other":     {"en": "another reason", "de": "ein anderer Grund", "da": "en anden grund"},
}

// maxSubject is the maximum length of a title in a subject, in characters.
const maxSubject = 200

// shorten returns a text of at most maxSubject characters.
func shorten(text string) string {
	characters := []rune(text)
	if len(characters) <= maxSubject {
		return text
	}
	return string(characters[:maxSubject-1]) + "…"
}

// message returns the subject and the text of the message in a language. Without a reason the text
// is the subject.
func (n notice) message(code string) (subject, body string) {
	subject = fmt.Sprintf(subjects[n.template][code], shorten(cmp.Or(n.event, n.name)))
	switch {
	case n.template == mail.TemplateReported:
		return subject, n.name + ": " + reasons[n.reason][code]
	case n.reason == "":
		return subject, subject
	}
	return subject, n.reason
}

// page returns the page of the console where the link of a mail leads.
func (a arguments) page(template string) string {
	switch {
	case template == mail.TemplateApprovalWanted:
		return "/administration/approvals"
	case template == mail.TemplateReported:
		return "/administration/reports"
	case a.EventUUID != "":
		return "/event/" + a.EventUUID
	}
	return "/organization/" + a.Org
}

// Composes reports whether Compose is the composer of the template's mails.
func Composes(template string) bool { return subjects[template] != nil }

// Compose is the mail.Composer of the templates for which Composes is true.
func (s *Service) Compose(_ context.Context, _ pgx.Tx, queued mail.Job) (mail.Content, error) {
	var given arguments
	if err := json.Unmarshal(queued.Arguments, &given); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail %s: %w", queued.Template, err)
	}
	content := mail.Content{
		Link: s.Link(given.page(queued.Template), ""), Organization: given.Name, Event: shorten(given.Event), Reason: given.Reason,
	}
	if queued.Template == mail.TemplateReported {
		content.Reason = reasons[given.Reason][queued.Locale]
	}
	return content, nil
}
