package webhook

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/invisible"
	"litfass/services/admin/internal/publish/draft"
)

const (
	maxValues = 100 // of one list of a filter
	maxLength = 200 // characters of a value
	maxNumber = 1_000_000
)

// check cleans the values of a webhook and returns an Invalid fault for those that cannot be.
func (s *Service) check(edit *adminapi.WebhookEdit, of owner) error {
	var bad fault.Violations
	edit.Name = invisible.Trim(edit.Name)
	if edit.Name == "" {
		bad.Add("name", reason.Required)
	} else if problem := user.NameProblem(edit.Name); problem != nil {
		bad.Add("name", problem)
	}
	edit.URL = strings.TrimSpace(edit.URL)
	if edit.URL == "" {
		bad.Add("url", reason.Required)
	} else if problem := s.Poster.Check(edit.URL); problem != nil {
		bad.Add("url", problem)
	}
	checkTypes(&bad, edit, of)
	checkFilter(&bad, &edit.Filter)
	return bad.Err("invalid_parameters", "some fields are not right")
}

// checkTypes checks the types of notifications. Only an organization's webhook gets those of
// drafts.
func checkTypes(bad *fault.Violations, edit *adminapi.WebhookEdit, of owner) {
	allowed := typeNames()
	if of.org == "" {
		allowed = slices.DeleteFunc(allowed, func(name string) bool { return name == draft.Saved || name == draft.Deleted })
	}
	edit.Types = slices.Compact(slices.Sorted(slices.Values(edit.Types)))
	if len(edit.Types) == 0 {
		bad.Add("types", reason.Required)
	}
	for _, name := range edit.Types {
		if !slices.Contains(allowed, name) {
			bad.Add("types", reason.ItemNotOneOf(reason.Quoted(name), allowed))
			return
		}
	}
}

func checkFilter(bad *fault.Violations, filter *adminapi.WebhookFilter) {
	uuids := func(name string, list []string) {
		for i, text := range list {
			id, valid := value.UUIDv7(text)
			if !valid {
				bad.Add("filter."+name, reason.ItemNotUUID(reason.Quoted(text)))
				return
			}
			list[i] = id
		}
	}
	uuids("organizations", filter.Organizations)
	uuids("venues", filter.Venues)
	for i, country := range filter.Countries {
		filter.Countries[i] = strings.ToUpper(strings.TrimSpace(country))
	}
	filter.Cities, filter.Languages, filter.Tags = folded(filter.Cities), folded(filter.Languages), folded(filter.Tags)
	filter.Label = folded(filter.Label)
	for name, list := range map[string][]string{
		"organizations": filter.Organizations, "venues": filter.Venues, "cities": filter.Cities, "countries": filter.Countries,
		"languages": filter.Languages, "tags": filter.Tags, "label": filter.Label,
	} {
		checkTexts(bad, "filter."+name, list)
	}
	for name, list := range map[string][]int{
		"event_types": filter.EventTypes, "genres": filter.Genres, "categories": filter.Categories,
	} {
		checkNumbers(bad, "filter."+name, list)
	}
}

func checkTexts(bad *fault.Violations, field string, list []string) {
	if len(list) > maxValues {
		bad.Add(field, reason.CountNotBetween(0, maxValues))
	}
	for _, text := range list {
		switch {
		case text == "":
			bad.Add(field, reason.OnlySpaces)
		case utf8.RuneCountInString(text) > maxLength:
			bad.Add(field, reason.TooLong(maxLength))
		case strings.ContainsRune(text, 0):
			bad.Add(field, reason.ControlCharacters)
		default:
			continue
		}
		return
	}
}

func checkNumbers(bad *fault.Violations, field string, list []int) {
	if len(list) > maxValues {
		bad.Add(field, reason.CountNotBetween(0, maxValues))
	}
	for _, number := range list {
		if number < 0 || number > maxNumber {
			bad.Add(field, reason.ItemNotIntegerBetween(reason.Quoted(strconv.Itoa(number)), 0, maxNumber))
			return
		}
	}
}
