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
)

var names = []string{
	TemplateActivate, TemplateReset, TemplateInvite, TemplatePasswordChanged, TemplateConfirmEmail, TemplateEmailTaken,
	TemplateEmailRequested, TemplateEmailChanged, TemplateAccountExists, TemplateApprovalWanted, TemplateApproved,
	TemplateRefused, TemplateReported, TemplateTakenBack, TemplateTakedownLifted,
}

// Content is what the templates show.
type Content struct {
	Link         string        // the target of the mail's button
	Valid        time.Duration // how long Link works
	Name         string        // of the recipient; may be ""
	Organization string        // of an invitation, a decision or an event
	Event        string        // its title
	Inviter      string        // of an invitation; may be ""
	Reason       string        // of a decision; may be ""
	Locale       string        // the recipient's language, if it was unknown when queued; "" keeps the queue's
	Remaining    Remaining     // of a password reset
}

// Remaining is what a user made in organizations that their password reset left.
type Remaining struct {
	Keys        []Listed // API keys
	Invitations []Listed // Name is the invited address
	More        int      // how many more there are
}

// Listed is one line of a list.
type Listed struct{ Name, Organization string }

// inert applies inert to each name, because an intruder may have chosen it. The invited addresses
// stay readable: they are checked addresses, which a mail program links to a new mail at most.
func (r Remaining) inert() Remaining {
	for i, key := range r.Keys {
		r.Keys[i] = Listed{inert(key.Name), inert(key.Organization)}
	}
	for i, invitation := range r.Invitations {
		r.Invitations[i] = Listed{oneLine(invitation.Name), inert(invitation.Organization)}
	}
	return r
}

type rendered struct{ subject, text, html string }

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

// NewRenderer parses every template in every language. An error is a mistake in the program.
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
func (r *Renderer) render(name string, content Content) (rendered, error) {
	parsed, known := r.pairs[name+"."+content.Locale]
	if !known {
		return rendered{}, fmt.Errorf("mail template %s does not exist in %s", name, content.Locale)
	}
	content.Name, content.Organization, content.Inviter, content.Event =
		inert(content.Name), inert(content.Organization), inert(content.Inviter), inert(content.Event)
	content.Remaining = content.Remaining.inert()
	content.Reason = oneLine(content.Reason)
	shown := page{Content: content}
	var subject, plain, rich strings.Builder
	if err := parsed.text.ExecuteTemplate(&subject, "subject", shown); err != nil {
		return rendered{}, err
	}
	shown.Subject = oneLine(subject.String())
	if err := parsed.text.ExecuteTemplate(&plain, "body", shown); err != nil {
		return rendered{}, err
	}
	if err := parsed.html.ExecuteTemplate(&rich, "layout.html", shown); err != nil {
		return rendered{}, err
	}
	return rendered{shown.Subject, plain.String(), rich.String()}, nil
}
