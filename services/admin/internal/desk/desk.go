// Package desk is what lies on a user's desk: messages, todos, and what needs attention before it can be published.
//
// Each function is one use case in one transaction, with its audit entry. Messages and todos concern the user in person: an
// API key is not enough, and nobody sees another one's. Who asks is taken from the context (package auth).
package desk

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/postgres"
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

// The lengths of texts in characters, as the schema has them too.
const (
	maxLine = 500
	maxText = 10_000
)

// line returns a text of one line as it is stored, and records what is wrong with it. HTML in it is text like any other.
func line(violations *fault.Violations, field, text string) string {
	text = strings.TrimSpace(text)
	checkText(violations, field, text, maxLine, "")
	return text
}

// paragraphs returns a text of several lines as it is stored, and records what is wrong with it.
func paragraphs(violations *fault.Violations, field, text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	checkText(violations, field, text, maxText, "\n\t")
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
