// Package report is the contract from the query service, which takes visitors' reports of events,
// to the admin service, which stores them: one request and one answer over NATS. Both sides check a
// report by the rules that stand here.
package report

import (
	"net/mail"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

// Subject is the name to which admin answers, see stream.Answer.
const Subject = "report"

// Reasons are the reasons for which an event can be reported.
var Reasons = []string{"spam", "wrong", "offensive", "illegal", "copyright", "other"}

const (
	maxText  = 2000 // characters
	maxEmail = 254  // bytes (RFC 5321)
)

// Report is a visitor's report of a public event.
type Report struct {
	EventUUID string     `json:"event_uuid"`
	Reason    string     `json:"reason"`  // one of Reasons
	Text      string     `json:"text"`    // up to 2,000 characters; "" for none
	Email     string     `json:"email"`   // where to ask; "" for none
	Address   netip.Addr `json:"address"` // of the visitor, for the limit
}

// Normalize brings the texts into their stored form: without space at both ends, lines that end
// with \n, and the address in lower case.
func (r *Report) Normalize() {
	r.Reason = strings.TrimSpace(r.Reason)
	r.Text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(r.Text))
	r.Email = strings.ToLower(strings.TrimSpace(r.Email))
}

// Check returns an Invalid fault that names every bad field of a normalized report, or nil.
func (r *Report) Check() error {
	var bad fault.Violations
	if id, valid := value.UUIDv7(r.EventUUID); !valid || id != r.EventUUID {
		bad.Add("event_uuid", reason.NotUUID)
	}
	switch {
	case r.Reason == "":
		bad.Add("reason", reason.Required)
	case !slices.Contains(Reasons, r.Reason):
		bad.Add("reason", reason.NotOneOf(Reasons))
	}
	control := func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }
	switch {
	case !utf8.ValidString(r.Text) || strings.ContainsFunc(r.Text, control):
		bad.Add("text", reason.ControlCharacters)
	case utf8.RuneCountInString(r.Text) > maxText:
		bad.Add("text", reason.TooLong(maxText))
	}
	if r.Email != "" && !isAddress(r.Email) {
		bad.Add("email", reason.NotEmail)
	}
	return bad.Err("invalid_report", "the report is not valid")
}

// isAddress reports whether text is one plain e-mail address.
func isAddress(text string) bool {
	parsed, err := mail.ParseAddress(text)
	unfit := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"\<>(),;:[]`, c) }
	return err == nil && parsed.Address == text && len(text) <= maxEmail && !strings.ContainsFunc(text, unfit)
}
