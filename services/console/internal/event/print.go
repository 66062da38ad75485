package event

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/language"
	money "litfass/services/console/internal/price"
	"litfass/services/console/internal/text"
	"litfass/services/console/internal/version"
)

// print writes the value of a key of an event for people.
func (s *sheet) print(key string, encoded json.RawMessage) string {
	values := version.Values{key: encoded}
	if written := s.words(key, values); written != "" {
		return written
	}
	return s.Text.T("event.nothing")
}

// words writes a value, "" for none.
func (s *sheet) words(key string, values version.Values) string {
	plain := values.Text(key)
	if plain == "" {
		return ""
	}
	switch key {
	case "event_types":
		return s.typeWords(values)
	case "categories":
		return s.categoryWords(values)
	case "tags":
		return strings.Join(values.Strings(key), ", ")
	case "labels":
		return named(values.Strings(key), s.sets.Labels.Name)
	case "languages":
		return named(values.Strings(key), s.sets.Languages.Name)
	case "ticket_flags":
		return named(values.Strings(key), func(flag string) string { return s.Text.T("event.ticket." + flag) })
	case "visitor_info_flags":
		return s.flagWords(values)
	case "min_price", "max_price":
		return money.Write(s.Text, plain)
	case "tariffs":
		return money.Words(s.Text, tariffsOf(values))
	case "price_type":
		return s.sets.PriceTypes.Name(plain)
	case "currency":
		return s.sets.Currencies.Name(plain)
	case "occasion":
		if plain == "0" {
			return ""
		}
		return s.sets.Occasions.Name(plain)
	case "release_status":
		return s.Text.T("event.status." + plain)
	case "release_date":
		return s.momentWords(values)
	case "org_uuid":
		return s.organizationName(plain)
	case "text_language":
		return s.Text.T("language." + plain)
	case "texts":
		return s.translationWords(values)
	}
	return plain
}

// translationWords names the languages of translations, with the titles in them.
func (s *sheet) translationWords(values version.Values) string {
	var texts adminapi.EventTexts
	_ = values.Read("texts", &texts) // an unreadable value is shown as nothing
	var words []string
	for _, code := range language.Codes {
		if text, is := texts[code]; is {
			words = append(words, strings.TrimSuffix(s.Text.T("language."+code)+": "+string(text.Title), ": "))
		}
	}
	return strings.Join(words, ", ")
}

func (s *sheet) typeWords(values version.Values) string {
	var chosen []adminapi.EventType
	if values.Read("event_types", &chosen) != nil {
		return ""
	}
	var written []string
	for _, t := range chosen {
		known := s.sets.Type(t.TypeID)
		name := known.Name
		if t.GenreID != 0 {
			name += ": " + known.Genres.Name(strconv.Itoa(t.GenreID))
		}
		written = append(written, name)
	}
	return strings.Join(written, ", ")
}

func (s *sheet) categoryWords(values version.Values) string {
	var chosen []int
	if values.Read("categories", &chosen) != nil {
		return ""
	}
	return named(texts(chosen), s.sets.Categories.Name)
}

func (s *sheet) flagWords(values version.Values) string {
	mask := values.Mask("visitor_info_flags")
	if mask == nil {
		return ""
	}
	var written []string
	for _, topic := range topics(s.sets.VisitorInfo, mask) {
		for _, flag := range topic.flags {
			if flag.Chosen {
				written = append(written, flag.Label)
			}
		}
	}
	if len(written) == 0 {
		return s.Text.T("event.flags.none")
	}
	return strings.Join(written, ", ")
}

func (s *sheet) momentWords(values version.Values) string {
	var moment *time.Time
	if values.Read("release_date", &moment) != nil || moment == nil {
		return ""
	}
	return when(s.Text, moment.In(s.Now.Location()))
}

// when writes a moment with day and time.
func when(t *text.Texts, moment time.Time) string {
	return t.Day(moment) + ", " + t.Clock(moment.Format("15:04"))
}

// organizationName returns the name of an organization of the person; its uuid when they do not
// know it.
func (s *sheet) organizationName(uuid string) string {
	if uuid == s.event.OrgUUID {
		return s.event.OrgName
	}
	for _, membership := range s.Memberships() {
		if membership.OrgUUID == uuid {
			return membership.OrgName
		}
	}
	return uuid
}

// named writes codes by their names.
func named(codes []string, name func(string) string) string {
	names := make([]string, len(codes))
	for i, code := range codes {
		names[i] = name(code)
	}
	return strings.Join(names, ", ")
}
