package overview

import (
	"time"

	"litfass/pkg/fault"
)

// Day reads the parameter start, from which on dates count: YYYY-MM-DD, or the word "today", which
// is also what its absence means. Anything else is recorded as a violation.
func (s *Service) Day(violations *fault.Violations, text string) string {
	if text == "" || text == "today" {
		return s.today()
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1900 || day.Year() > 2999 {
		violations.Add("start", "must be a date YYYY-MM-DD or the word today")
	}
	return text
}

func (s *Service) today() string { return s.Now().In(s.Zone).Format(time.DateOnly) }
