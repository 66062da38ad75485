// Package inbox holds what waits for a user: messages, todos, and notifications about events that
// need attention before they can be published.
//
// Each function is one use case in one transaction, with its audit entry. Messages and todos are
// personal: they need a login, and each user sees only their own. The principal is taken from the
// context (package auth).
package inbox

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Options are what the service needs.
type Options struct {
	DB      *postgres.DB
	Limiter *auth.Limiter
	Now     auth.Clock
	Zone    *time.Location // in which a day begins
}

// Service holds the use cases.
type Service struct{ Options }

// New returns the service.
func New(options Options) *Service { return &Service{options} }

func (s *Service) today() string { return s.Now().In(s.Zone).Format(time.DateOnly) }

const (
	invalidParameters = "invalid_parameters"
	invalidMessage    = "some fields are not right"
)

// line returns a text of one line in its stored form and records what is wrong with it. HTML is not
// interpreted.
func line(violations *fault.Violations, field, text string) string {
	text = strings.TrimSpace(text)
	checkText(violations, field, text, adminapi.MaxName, "")
	return text
}

// Paragraphs returns a text of several lines, of at most that many characters, in its stored form
// and records what is wrong with it.
func Paragraphs(violations *fault.Violations, field, text string, most int) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	checkText(violations, field, text, most, "\n\t")
	return text
}

func checkText(violations *fault.Violations, field, text string, most int, allowed string) {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(allowed, r) }
	switch {
	case utf8.RuneCountInString(text) > most:
		violations.Add(field, "must have at most %s characters", strconv.Itoa(most))
	case strings.ContainsFunc(text, control):
		violations.Add(field, "must be text without control characters")
	}
}
