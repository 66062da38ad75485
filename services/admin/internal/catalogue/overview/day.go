package overview

import (
	"time"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
)

// Day reads the parameter start, the first day of the dates to return: YYYY-MM-DD, or "today",
// which is the default. Any other value is recorded as a violation.
func (s *Service) Day(violations *fault.Violations, text string) string {
	if text == "" {
		return s.today()
	}
	return s.day(violations, "start", text)
}

// day reads a parameter that is given: a date or "today".
func (s *Service) day(violations *fault.Violations, name, text string) string {
	if text == "today" {
		return s.today()
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.Year() < 1900 || day.Year() > 2999 {
		violations.Add(name, reason.NotDateOrToday)
	}
	return text
}

func (s *Service) today() string { return s.Now().In(s.Zone).Format(time.DateOnly) }
