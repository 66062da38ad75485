package overview

import (
	"slices"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/platform/paging"
)

// EventFilter selects and orders dates of an organization.
type EventFilter struct {
	start    string // the first day: dates that are over before it are left out
	end      string // the last day on which a date may start; "" for none
	statuses []string
	venue    string // "" for all
	words    []string
	dated    bool // dates of events
	undated  bool // events without a date
	perEvent bool // only the first matching date of each event
	sort     string
}

var statuses = []string{"draft", "review", "released", "cancelled", "deferred", "rescheduled"}

// EventFilter reads the parameters start, end, statuses, venue_uuid, search, has_dates, per_event
// and sort, and records their violations. query returns a parameter's text, "" for one that is
// absent.
func (s *Service) EventFilter(violations *fault.Violations, query func(name string) string) EventFilter {
	f := EventFilter{
		start: s.Day(violations, query("start")), sort: query("sort"),
		words: paging.Search(violations, query("search")), venue: venue(violations, query("venue_uuid")),
		statuses: statusesOf(violations, query("statuses")),
	}
	if query("end") != "" {
		f.end = s.day(violations, "end", query("end"))
	}
	switch query("has_dates") {
	case "", "true":
		f.dated = true
	case "false":
		f.undated = true
	case "any":
		f.dated, f.undated = true, true
	default:
		violations.Add("has_dates", reason.NotOneOf([]string{"true", "false", "any"}))
	}
	switch query("per_event") {
	case "", "false":
	case "true":
		f.perEvent = true
	default:
		violations.Add("per_event", reason.NotBoolean)
	}
	if f.sort == "" {
		f.sort = "start"
	}
	if eventOrders[f.sort] == "" {
		violations.Add("sort", reason.NotOneOf([]string{"start", "title", "updated", "-start", "-title", "-updated"}))
	}
	return f
}

func statusesOf(violations *fault.Violations, text string) []string {
	if text == "" {
		return nil
	}
	list := strings.Split(text, ",")
	for _, status := range list {
		if !slices.Contains(statuses, status) {
			violations.Add("statuses", reason.NotOneOf(statuses))
			break
		}
	}
	return list
}

func venue(violations *fault.Violations, text string) string {
	if text == "" {
		return ""
	}
	uuid, valid := value.UUIDv7(text)
	if !valid {
		violations.Add("venue_uuid", reason.NotUUID)
	}
	return uuid
}
