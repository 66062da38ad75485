// Package notice notifies people of events in the catalogue by mail and by message, each in their
// language.
package notice

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

// Notice is a notification by mail and in the inbox.
type Notice struct {
	Template   string // of the mail
	Org, Name  string // the organization
	EventUUID  string // "" where the notice is about the organization
	Event      string // its title; of a source its name
	Venue      string // its name, or the title of a series; "" for none
	Reason     string // of a report, one of report.Reasons; of a removed person the events; else a person's words; "" for none
	Webhook    string // its uuid, where the notice is about one; Name is the webhook's then
	Silent     bool   // no mail
	Recipients []Person
	At         time.Time
}

// Person is a user who is notified.
type Person = sending.Person

// People returns the users that a query of id, email and locale selects.
func People(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]Person, error) {
	return postgres.List[Person](ctx, tx, "whom to notify", query, args...)
}

// Team selects the active members of the organization $1 with one of the permissions $2.
const Team = `
SELECT u.id, u.email, u.locale
FROM membership m
JOIN app_user u ON u.id = m.user_id
WHERE m.org_uuid = $1 AND m.permissions & $2 <> 0 AND u.deactivated_at IS NULL
ORDER BY u.id`

// arguments are the arguments of a queued mail. Mails that were queued by an earlier release lack
// the later ones.
type arguments struct {
	Org       string `json:"org"`
	Name      string `json:"name"`
	EventUUID string `json:"event_uuid"`
	Event     string `json:"event"`
	Venue     string `json:"venue"`
	Reason    string `json:"reason"`
	Webhook   string `json:"webhook,omitempty"`
}

func (n Notice) arguments() arguments {
	return arguments{n.Org, n.Name, n.EventUUID, n.Event, n.Venue, n.Reason, n.Webhook}
}

// Send notifies the recipients by mail and by message, each in their language: from the principal,
// or from no user where a visitor is the cause. Beyond the bounds of package sending, recipients
// find the notice counted in a digest.
func Send(ctx context.Context, tx pgx.Tx, n Notice) error {
	from := sending.Sender{UserID: auth.PrincipalOf(ctx).UserID}
	if n.Venue != "" {
		from.Org = n.Name // a request or its answer is in the name of the other organization
	}
	admitted, err := sending.Notice{
		From: from, Template: n.Template, Subject: n.subject(), Arguments: n.arguments(), Silent: n.Silent,
		People: n.Recipients, At: n.At,
	}.Send(ctx, tx)
	if err != nil {
		return err
	}
	readers := map[string][]int{}
	for _, recipient := range admitted {
		code := language.Nearest(recipient.Locale)
		readers[code] = append(readers[code], recipient.ID)
	}
	for _, code := range slices.Sorted(maps.Keys(readers)) {
		subject, body := n.message(code)
		message := inbox.NewMessage{
			OrgUUID: n.Org, Subject: subject, Message: body, Link: n.arguments().page(n.Template),
		}
		if err := inbox.Post(ctx, tx, from.UserID, message, n.At, readers[code]); err != nil {
			return err
		}
	}
	return nil
}

// subject identifies what a notice is about.
func (n Notice) subject() string {
	return strings.Join([]string{n.Org, n.EventUUID, n.Venue, n.Webhook, n.Event}, " ")
}

// subjects are the subjects of the messages by template and language; %s is the name of the venue
// or the series, the title of the event or the name of the organization.
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
		"en": "%s may be published again", "de": "%s darf wieder veröffentlicht werden", "da": "%s må udgives igen",
	},
	mail.TemplatePersonRemoved: {
		"en": "A person was taken out of events of %s", "de": "Eine Person wurde aus Veranstaltungen von %s entfernt",
		"da": "En person er fjernet fra arrangementer hos %s",
	},
	mail.TemplateVenueAsked: {
		"en": "A request for %s", "de": "Anfrage für %s", "da": "Forespørgsel om %s",
	},
	mail.TemplateVenueAccepted: {
		"en": "Request for %s accepted", "de": "Anfrage für %s angenommen", "da": "Forespørgsel om %s accepteret",
	},
	mail.TemplateVenueRefused: {
		"en": "Request for %s declined", "de": "Anfrage für %s abgelehnt", "da": "Forespørgsel om %s afvist",
	},
	mail.TemplateSeriesAsked: {
		"en": "An event asks for %s", "de": "Anfrage für %s", "da": "Forespørgsel om %s",
	},
	mail.TemplateSeriesAccepted: {
		"en": "Accepted into %s", "de": "In %s aufgenommen", "da": "Optaget i %s",
	},
	mail.TemplateSeriesRefused: {
		"en": "Not a part of %s", "de": "Kein Teil von %s", "da": "Ikke en del af %s",
	},
	mail.TemplateWebhookEnded: {
		"en": "The webhook %s was switched off", "de": "Der Webhook %s wurde abgeschaltet", "da": "Webhooken %s er slået fra",
	},
	mail.TemplateSourceFails: {
		"en": "The source %s cannot be read", "de": "Die Quelle %s lässt sich nicht lesen", "da": "Kilden %s kan ikke læses",
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

// message returns the subject and the text of the message in a language. A request for a venue or
// a series is signed with the event and its organization. Without a reason the text is the subject.
func (n Notice) message(code string) (subject, body string) {
	subject = fmt.Sprintf(subjects[n.Template][code], shorten(cmp.Or(n.Venue, n.Event, n.Name)))
	switch {
	case n.Template == mail.TemplateReported:
		return subject, n.Name + ": " + reasons[n.Reason][code]
	case n.Venue != "":
		body = n.Name + ": " + shorten(n.Event)
		if n.Reason != "" {
			body += "\n\n" + n.Reason
		}
		return subject, body
	case n.Reason == "":
		return subject, subject
	}
	return subject, n.Reason
}

// page returns the page of the console where the link of a notice leads.
func (a arguments) page(template string) string {
	switch {
	case template == mail.TemplateApprovalWanted:
		return "/administration/approvals"
	case template == mail.TemplateReported:
		return "/administration/reports"
	case template == mail.TemplateVenueAsked:
		return "/venue-requests"
	case template == mail.TemplateSeriesAsked:
		return "/organization/" + a.Org + "/series"
	case a.Webhook != "":
		return "/webhook/" + a.Webhook
	case template == mail.TemplateSourceFails:
		return "/organization/" + a.Org + "/sources"
	case a.EventUUID != "":
		return "/event/" + a.EventUUID
	}
	return "/organization/" + a.Org
}

// Composes reports whether Compose is the composer of the template's mails.
func Composes(template string) bool {
	return subjects[template] != nil || template == mail.TemplateDigest
}

// Composer composes the mails of notices.
type Composer struct {
	Link func(page, token string) string // user.Service.Link
}

// Compose is the mail.Composer of the templates for which Composes is true.
func (c Composer) Compose(_ context.Context, _ pgx.Tx, queued mail.Job) (mail.Content, error) {
	if queued.Template == mail.TemplateDigest {
		return c.composeDigest(queued)
	}
	var given arguments
	if err := json.Unmarshal(queued.Arguments, &given); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail %s: %w", queued.Template, err)
	}
	content := mail.Content{
		Link: c.Link(given.page(queued.Template), ""), Organization: given.Name, Event: shorten(given.Event),
		Venue: shorten(given.Venue), Reason: given.Reason,
	}
	switch {
	case queued.Template == mail.TemplateReported:
		content.Reason = reasons[given.Reason][queued.Locale]
	case given.Venue != "":
		content.Reason = "" // strangers write no mails, only messages
	}
	return content, nil
}
