package mail

import (
	"embed"
	"errors"
	"fmt"
	html "html/template"
	"io/fs"
	"strings"
	text "text/template"
	"time"

	"litfass/pkg/contracts/language"
)

// The templates: NAME.LANGUAGE.txt defines "subject" and "body", NAME.LANGUAGE.html the "content"
// of layout.html.
//
//go:embed templates
var templates embed.FS

// The names of the templates.
const (
	TemplateActivate        = "activate"
	TemplateReset           = "reset"
	TemplateInvite          = "invite"
	TemplatePasswordChanged = "password_changed"
	TemplateConfirmEmail    = "confirm_email"
	TemplateEmailTaken      = "email_taken"
	TemplateEmailRequested  = "email_requested"
	TemplateEmailChanged    = "email_changed"
	TemplateAccountExists   = "account_exists"
	TemplateApprovalWanted  = "approval_wanted"
	TemplateApproved        = "approved"
	TemplateRefused         = "refused"
	TemplateReported        = "reported"
	TemplateTakenBack       = "taken_back"
	TemplateTakedownLifted  = "takedown_lifted"
	TemplateVenueAsked      = "venue_asked"
	TemplateVenueAccepted   = "venue_accepted"
	TemplateVenueRefused    = "venue_refused"
	TemplateSeriesAsked     = "series_asked"
	TemplateSeriesAccepted  = "series_accepted"
	TemplateSeriesRefused   = "series_refused"
	TemplateWebhookEnded    = "webhook_ended"
	TemplateSourceFails     = "source_fails"
	TemplatePersonRemoved   = "person_removed"
	TemplateDigest          = "digest"
)

var names = []string{
	TemplateActivate, TemplateReset, TemplateInvite, TemplatePasswordChanged, TemplateConfirmEmail, TemplateEmailTaken,
	TemplateEmailRequested, TemplateEmailChanged, TemplateAccountExists, TemplateApprovalWanted, TemplateApproved,
	TemplateRefused, TemplateReported, TemplateTakenBack, TemplateTakedownLifted,
	TemplateVenueAsked, TemplateVenueAccepted, TemplateVenueRefused, TemplateWebhookEnded,
	TemplateSeriesAsked, TemplateSeriesAccepted, TemplateSeriesRefused, TemplateSourceFails,
	TemplatePersonRemoved, TemplateDigest,
}

// Content is the data of the templates.
type Content struct {
	Link         string        // the target of the mail's button
	Valid        time.Duration // how long Link works
	Name         string        // of the recipient; may be ""
	Organization string        // of an invitation, a decision or an event
	Event        string        // its title
	Venue        string        // its name
	Inviter      string        // of an invitation; may be ""
	Role         string        // that an invitation offers; "" for single permissions
	Reason       string        // of a decision; may be ""
	Locale       string        // the recipient's language, if it was unknown when queued; "" keeps the queue's
	Remaining    Remaining     // of a password reset
}

// Remaining lists the keys and invitations of organizations that a password reset did not revoke.
type Remaining struct {
	Keys        []RemainingItem // API keys
	Invitations []RemainingItem // Name is the invited address
	More        int             // the number of those not listed
}

// RemainingItem is a line in a list of Remaining.
type RemainingItem struct{ Name, Organization string }

// inert applies inert to each name, because an intruder may have chosen it. The invited addresses
// stay readable: they are validated, and a link to a new mail is harmless.
func (r Remaining) inert() Remaining {
	for i, key := range r.Keys {
		r.Keys[i] = RemainingItem{inert(key.Name), inert(key.Organization)}
	}
	for i, invitation := range r.Invitations {
		r.Invitations[i] = RemainingItem{oneLine(invitation.Name), inert(invitation.Organization)}
	}
	return r
}

type rendering struct{ subject, text, html string }

type page struct {
	Content
	Subject string
}

// Hours is Valid in hours.
func (p page) Hours() int { return int(p.Valid / time.Hour) }

// Days is Valid in days.
func (p page) Days() int { return int(p.Valid / (24 * time.Hour)) }

type pair struct {
	text *text.Template
	html *html.Template
}

// Renderer holds the parsed templates.
type Renderer struct{ pairs map[string]pair }

// NewRenderer parses every template in every language. An error is a programming error.
func NewRenderer() (*Renderer, error) {
	r := &Renderer{pairs: map[string]pair{}}
	var mistakes []error
	for _, name := range names {
		for _, code := range language.Codes {
			key := name + "." + code
			parsed, err := parse(templates, key)
			if err != nil {
				mistakes = append(mistakes, fmt.Errorf("mail template %s: %w", key, err))
			}
			r.pairs[key] = parsed
		}
	}
	return r, errors.Join(mistakes...)
}

func parse(files fs.FS, key string) (pair, error) {
	plain, err := text.ParseFS(files, "templates/"+key+".txt")
	if err != nil {
		return pair{}, err
	}
	rich, err := html.ParseFS(files, "templates/layout.html", "templates/"+key+".html")
	if err != nil {
		return pair{}, err
	}
	return pair{plain, rich}, nil
}

// render returns the mail's parts. Names that users have chosen are escaped in HTML, and inert
// everywhere.
func (r *Renderer) render(name string, content Content) (rendering, error) {
	parsed, known := r.pairs[name+"."+content.Locale]
	if !known {
		return rendering{}, fmt.Errorf("mail template %s does not exist in %s", name, content.Locale)
	}
	content.Name, content.Organization, content.Inviter, content.Event, content.Venue =
		inert(content.Name), inert(content.Organization), inert(content.Inviter), inert(content.Event), inert(content.Venue)
	content.Remaining = content.Remaining.inert()
	content.Reason = oneLine(content.Reason)
	shown := page{Content: content}
	var subject, plain, rich strings.Builder
	if err := parsed.text.ExecuteTemplate(&subject, "subject", shown); err != nil {
		return rendering{}, err
	}
	shown.Subject = oneLine(subject.String())
	if err := parsed.text.ExecuteTemplate(&plain, "body", shown); err != nil {
		return rendering{}, err
	}
	if err := parsed.html.ExecuteTemplate(&rich, "layout.html", shown); err != nil {
		return rendering{}, err
	}
	return rendering{shown.Subject, plain.String(), rich.String()}, nil
}
