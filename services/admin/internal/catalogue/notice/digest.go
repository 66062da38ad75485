package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/language"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
)

// inDigest names the notices of a template in a digest, by language.
var inDigest = map[string]map[string]string{
	mail.TemplateApprovalWanted: {"en": "organizations wait for approval", "de": "Organisationen warten auf Freigabe", "da": "organisationer venter på godkendelse"},
	mail.TemplateApproved:       {"en": "organizations approved", "de": "Organisationen freigegeben", "da": "organisationer godkendt"},
	mail.TemplateRefused:        {"en": "organizations not approved", "de": "Organisationen nicht freigegeben", "da": "organisationer ikke godkendt"},
	mail.TemplateReported:       {"en": "reports", "de": "Meldungen", "da": "indberetninger"},
	mail.TemplateTakenBack:      {"en": "takedowns", "de": "Zurücknahmen", "da": "tilbagetrækninger"},
	mail.TemplateTakedownLifted: {"en": "takedowns lifted", "de": "Zurücknahmen aufgehoben", "da": "tilbagetrækninger ophævet"},
	mail.TemplatePersonRemoved:  {"en": "persons taken out of events", "de": "aus Veranstaltungen entfernte Personen", "da": "personer fjernet fra arrangementer"},
	mail.TemplateVenueAsked:     {"en": "requests for venues", "de": "Anfragen für Orte", "da": "forespørgsler om steder"},
	mail.TemplateVenueAccepted:  {"en": "requests for venues accepted", "de": "Anfragen für Orte angenommen", "da": "forespørgsler om steder accepteret"},
	mail.TemplateVenueRefused:   {"en": "requests for venues declined", "de": "Anfragen für Orte abgelehnt", "da": "forespørgsler om steder afvist"},
	mail.TemplateSeriesAsked:    {"en": "requests for series", "de": "Anfragen für Reihen", "da": "forespørgsler om serier"},
	mail.TemplateSeriesAccepted: {"en": "events accepted into series", "de": "Veranstaltungen in Reihen aufgenommen", "da": "arrangementer optaget i serier"},
	mail.TemplateSeriesRefused:  {"en": "events not accepted into series", "de": "Veranstaltungen nicht in Reihen aufgenommen", "da": "arrangementer ikke optaget i serier"},
	mail.TemplateWebhookEnded:   {"en": "webhooks switched off", "de": "Webhooks abgeschaltet", "da": "webhooks slået fra"},
	mail.TemplateSourceFails:    {"en": "failures of sources", "de": "Ausfälle von Quellen", "da": "fejl i kilder"},
}

// digestSubjects are the subjects of the messages of digests, by language.
var digestSubjects = map[string]string{
	"en": "Notices of the last hour", "de": "Benachrichtigungen der letzten Stunde", "da": "Beskeder fra den seneste time",
}

// digest are the arguments of the mail of a digest: the number of notices by template.
type digest struct {
	Notices map[string]int `json:"notices"`
}

// words lists the notices in a language.
func (d digest) words(code string) string {
	var parts []string
	for _, template := range slices.Sorted(maps.Keys(d.Notices)) {
		parts = append(parts, strconv.Itoa(d.Notices[template])+" × "+inDigest[template][code])
	}
	return strings.Join(parts, "; ")
}

// pageInbox is the page of the console where the link of a digest leads.
const pageInbox = "/messages"

// SendHeld sends a digest to each person for whom notices were gathered, once an hour is over since
// the first of them.
func SendHeld(ctx context.Context, tx pgx.Tx, now time.Time) error {
	held, err := sending.TakeHeld(ctx, tx, now)
	for len(held) > 0 && err == nil {
		person, d := held[0].Person, digest{map[string]int{}}
		for len(held) > 0 && held[0].ID == person.ID {
			d.Notices[held[0].Template], held = held[0].Notices, held[1:]
		}
		err = d.send(ctx, tx, person, now)
	}
	return err
}

func (d digest) send(ctx context.Context, tx pgx.Tx, to Person, now time.Time) error {
	_, _, err := sending.Mail(ctx, tx, sending.Sender{}, mail.New{
		Recipient: to.Email, Template: mail.TemplateDigest, Locale: to.Locale, At: now, Arguments: d,
	})
	if err != nil {
		return err
	}
	code := language.Nearest(to.Locale)
	message := inbox.NewMessage{Subject: digestSubjects[code], Message: d.words(code), Link: pageInbox}
	return inbox.Post(ctx, tx, 0, message, now, []int{to.ID})
}

// composeDigest composes the mail of a digest.
func (c Composer) composeDigest(queued mail.Job) (mail.Content, error) {
	var given digest
	if err := json.Unmarshal(queued.Arguments, &given); err != nil {
		return mail.Content{}, fmt.Errorf("arguments of mail %s: %w", queued.Template, err)
	}
	return mail.Content{Link: c.Link(pageInbox, ""), Reason: given.words(queued.Locale)}, nil
}
