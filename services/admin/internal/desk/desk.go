// Package desk is what lies on a user's desk: messages, todos, what needs attention before it can be published, and what
// they may choose from while they write an event.
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
	"litfass/services/admin/internal/permission"
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

// allowed are the organizations in which somebody has the permissions $4: those of a user ($1), every one for a platform
// administrator ($2), the one that an API key acts for ($3). Its arguments are those of scope.
const allowed = `
WITH allowed AS (
    SELECT org_uuid
    FROM membership
    WHERE user_id = $1 AND NOT $2 AND permissions & $4 = $4
    UNION ALL
    SELECT uuid
    FROM organization
    WHERE $2 OR uuid = nullif($3, '')::uuid
)`

// scope returns the arguments of allowed, and false when an API key's own limit leaves nothing.
func scope(who auth.Principal, need permission.Set) ([]any, bool) {
	if who.APIKey != "" && !who.KeyLimit.Has(need) {
		return nil, false
	}
	return []any{who.UserID, who.PlatformAdmin, who.KeyOrg, int64(need)}, true
}
