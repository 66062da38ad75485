package sending

import (
	"slices"
	"time"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
)

// by is what a bound counts by.
type by int

// The counts of a bound. A person counts by account and by mailbox, so that neither a new account
// nor a new address begins from zero; visitors and the program itself count for no person.
const (
	byReceiver          by = iota // the mailbox, from everybody
	bySubject                     // about one subject to one receiver
	byPerson                      // who sends, to everybody
	byNewcomer                    // byPerson, for a person none of whose invitations was accepted yet
	byPersonToReceiver            // from one person to one receiver
	byOrganization                // in whose name it is sent, to everybody
	byOrganizationToOne           // in the name of one organization to one receiver
)

// scopes are the parts of the names under which attempts are counted. Bounds of one scope share
// their attempts.
var scopes = map[by]string{
	byReceiver: "receiver", bySubject: "subject", byPerson: "person", byNewcomer: "person", byPersonToReceiver: "pair",
	byOrganization: "org", byOrganizationToOne: "org_pair",
}

// bound is the number of mails or notices that are let through in a window of time.
type bound struct {
	by     by
	max    int
	window time.Duration

	code, message string // of the fault beyond a bound of a kind that is refused; "" for the usual one
}

// Beyond is what happens to a mail or notice beyond a bound.
type Beyond string

// What happens beyond a bound.
const (
	Gathered Beyond = "gathered" // counted for the receiver's next digest
	Dropped  Beyond = "dropped"  // the receiver has had the same mail as often as the bound
	Refused  Beyond = "refused"  // with the operation that would have caused it
)

// Kind is a row of the table of kinds. Its templates share their counts.
type Kind struct {
	Name      string
	Templates []string // of mails; none for the messages of people
	Beyond    Beyond
	bounds    []bound
}

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

// Digest is the template of the mail that counts gathered notices.
const Digest = mail.TemplateDigest

const (
	tooManyInvitations = "too_many_invitations"
	invitationsLater   = "too many invitations; try again later"
)

// The kinds of mails and notices. Mails about an account have bounds of their own, which no other
// mails use up. Everybody may found organizations, and thereby choose names that mails show to
// strangers: hence the bounds of invitations.
var kinds = []Kind{
	{"signup", []string{mail.TemplateActivate, mail.TemplateAccountExists}, Dropped, []bound{{by: byReceiver, max: 5, window: hour}}},
	{"reset", []string{mail.TemplateReset}, Dropped, []bound{{by: byReceiver, max: 3, window: hour}}},
	{"password", []string{mail.TemplatePasswordChanged}, Dropped, []bound{{by: byReceiver, max: 20, window: day}}},
	{"address", []string{mail.TemplateConfirmEmail, mail.TemplateEmailTaken}, Refused, []bound{
		{by: byReceiver, max: 5, window: hour}, {by: byPerson, max: 10, window: day},
	}},
	{"address_warning", []string{mail.TemplateEmailRequested, mail.TemplateEmailChanged}, Dropped, []bound{
		{by: byReceiver, max: 20, window: day},
	}},
	{"invite", []string{mail.TemplateInvite}, Refused, []bound{
		{by: byOrganizationToOne, max: 5, window: hour},
		{by: byReceiver, max: 10, window: day},
		{byOrganization, 20, hour, tooManyInvitations, invitationsLater},
		{byOrganization, 100, day, tooManyInvitations, invitationsLater},
		{byPerson, 20, hour, tooManyInvitations, invitationsLater},
		{byPerson, 100, day, tooManyInvitations, invitationsLater},
		{byNewcomer, 5, day, "first_invitations", "until one of your invitations is accepted, you can send 5 a day"},
	}},
	{"request", []string{
		mail.TemplateVenueAsked, mail.TemplateVenueAccepted, mail.TemplateVenueRefused,
		mail.TemplateSeriesAsked, mail.TemplateSeriesAccepted, mail.TemplateSeriesRefused,
	}, Gathered, []bound{
		{by: bySubject, max: 3, window: hour},
		{by: byPersonToReceiver, max: 10, window: hour},
		{by: byOrganizationToOne, max: 10, window: hour},
		{by: byReceiver, max: 30, window: hour},
	}},
	{"moderation", []string{
		mail.TemplateApprovalWanted, mail.TemplateApproved, mail.TemplateRefused, mail.TemplateReported,
		mail.TemplateTakenBack, mail.TemplateTakedownLifted, mail.TemplatePersonRemoved,
	}, Gathered, []bound{{by: bySubject, max: 5, window: hour}, {by: byReceiver, max: 30, window: hour}}},
	{"program", []string{mail.TemplateWebhookEnded, mail.TemplateSourceFails}, Gathered, []bound{
		{by: bySubject, max: 5, window: day}, {by: byReceiver, max: 10, window: hour},
	}},
	{"digest", []string{Digest}, Dropped, []bound{{by: byReceiver, max: 2, window: hour}}},
	{message, nil, Refused, []bound{
		{by: byPerson, max: 30, window: 10 * time.Minute}, {by: byPersonToReceiver, max: 60, window: hour},
	}},
}

// message is the name of the kind of the messages of people.
const message = "message"

// Kinds returns the table of kinds.
func Kinds() []Kind { return slices.Clone(kinds) }

// kindOf returns the kind of a template.
func kindOf(template string) (Kind, bool) {
	at := slices.IndexFunc(kinds, func(k Kind) bool { return slices.Contains(k.Templates, template) })
	if at < 0 {
		return Kind{}, false
	}
	return kinds[at], true
}

// limits returns the limits of one mail or notice of the kind.
func (k Kind) limits(from Sender, subject, receiver string) (limits []auth.AccountLimit) {
	for _, b := range k.bounds {
		limit := auth.Limit{Action: k.Name + "_" + scopes[b.by], Max: b.max, Window: b.window, Code: b.code, Message: b.message}
		for _, account := range b.accounts(from, subject, receiver) {
			limits = append(limits, auth.AccountLimit{Limit: limit, Account: account})
		}
	}
	return limits
}

// accounts returns the keys that a bound counts by; none where it does not apply.
func (b bound) accounts(from Sender, subject, receiver string) (keys []string) {
	switch b.by {
	case byReceiver:
		return []string{receiver}
	case bySubject:
		return []string{subject + " " + receiver}
	case byPerson:
		return from.accounts()
	case byNewcomer:
		if from.Newcomer {
			return from.accounts()
		}
	case byPersonToReceiver:
		for _, account := range from.accounts() {
			keys = append(keys, account+" "+receiver)
		}
	case byOrganization, byOrganizationToOne:
		switch {
		case from.Org == "":
		case b.by == byOrganization:
			return []string{from.Org}
		default:
			return []string{from.Org + " " + receiver}
		}
	}
	return keys
}
