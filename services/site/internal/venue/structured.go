package venue

import (
	"encoding/json"
	"strings"

	"litfass/pkg/contracts/hours"
	"litfass/pkg/contracts/publicapi"
	"litfass/services/site/internal/view"
)

const vocabulary = "https://schema.org/"

// opening is an OpeningHoursSpecification of schema.org; a day that is closed opens and closes at
// 00:00.
type opening struct {
	Type    string   `json:"@type"`
	Days    []string `json:"dayOfWeek,omitempty"`
	Opens   string   `json:"opens"`
	Closes  string   `json:"closes"`
	From    string   `json:"validFrom,omitempty"`
	Through string   `json:"validThrough,omitempty"`
}

// structured describes a venue with opening hours, or that is in public registers, to search
// engines (schema.org, Place); nil for any other.
func structured(s view.Scope, v venueData) []byte {
	pages := publicapi.RegisterPages(v.WikidataID, v.OSMID)
	if v.Hours.Empty() && len(pages) == 0 {
		return nil
	}
	street, city := strings.TrimSpace(v.Street+" "+v.HouseNumber), v.City
	type address struct {
		Type     string `json:"@type"`
		Street   string `json:"streetAddress,omitempty"`
		Postal   string `json:"postalCode,omitempty"`
		Locality string `json:"addressLocality,omitempty"`
	}
	text, err := json.Marshal(struct {
		Context string    `json:"@context"`
		Type    string    `json:"@type"`
		Name    string    `json:"name"`
		URL     string    `json:"url"`
		SameAs  []string  `json:"sameAs,omitempty"`
		Address address   `json:"address"`
		Weekly  []opening `json:"openingHoursSpecification,omitempty"`
		Special []opening `json:"specialOpeningHoursSpecification,omitempty"`
	}{
		strings.TrimSuffix(vocabulary, "/"), "Place", v.Name, s.Public + "/venue/" + v.UUID, pages,
		address{"PostalAddress", street, v.PostalCode, city}, weekly(v.Hours), special(v.Hours),
	})
	if err != nil {
		return nil // cannot happen: it has only texts
	}
	return text
}

const openingType = "OpeningHoursSpecification"

func weekly(h hours.Hours) (all []opening) {
	names := []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	for _, group := range h.Week() {
		var days []string
		for _, weekday := range group.Days {
			days = append(days, vocabulary+names[weekday])
		}
		for _, times := range group.Times {
			all = append(all, opening{Type: openingType, Days: days, Opens: times[0], Closes: times[1]})
		}
	}
	return all
}

func special(h hours.Hours) (all []opening) {
	for _, c := range h.Closed {
		all = append(all, opening{Type: openingType, Opens: "00:00", Closes: "00:00", From: c.From, Through: c.To})
	}
	for _, one := range h.Special {
		all = append(all, opening{Type: openingType, Opens: one.From, Closes: one.To, From: one.Date, Through: one.Date})
	}
	return all
}
