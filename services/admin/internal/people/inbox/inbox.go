// Package inbox manages a user's messages and todos, and the notifications about events that need
// attention before they can be published.
//
// Each function is one use case in one transaction, with its audit entry. Messages and todos are
// personal: they need a login, and each user sees only their own. The principal comes from the
// context (package auth).
package inbox

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/invisible"
	"litfass/services/admin/internal/platform/postgres"
)

// Options are the dependencies of the service.
type Options struct {
	DB   *postgres.DB
	Now  auth.Clock
	Zone *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

const (
	invalidParameters = "invalid_parameters"
	invalidMessage    = "some fields are not right"
)

// line normalizes a text of one line and adds a violation for an invalid one. HTML is not
// interpreted.
func line(violations *fault.Violations, field, text string) string {
	text = invisible.Trim(text)
	checkText(violations, field, text, adminapi.MaxName, "")
	return text
}

// Paragraphs normalizes a text of several lines and adds a violation for an invalid one.
func Paragraphs(violations *fault.Violations, field, text string, maxLength int) string {
	text = invisible.Trim(strings.ReplaceAll(text, "\r\n", "\n"))
	checkText(violations, field, text, maxLength, "\n\t")
	return text
}

func checkText(violations *fault.Violations, field, text string, maxLength int, allowed string) {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) }
	switch {
	case utf8.RuneCountInString(text) > maxLength:
		violations.Add(field, reason.TooLong(maxLength))
	case strings.ContainsFunc(text, control):
		violations.Add(field, reason.ControlCharacters)
	}
}
