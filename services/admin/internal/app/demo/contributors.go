package demo

import (
	"strings"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/catalogue/rules"
)

// soloist is the act that is a person.
const soloist = "Ida Falk"

// contributors returns the acts, which many hosts invite: they are the operator's.
func contributors() []rules.Contributor {
	all := make([]rules.Contributor, len(acts))
	for i, act := range acts {
		all[i] = rules.Contributor{UUID: identity("contributor", act), Type: adminapi.ContributorGroup, Name: act, FormerUUIDs: []string{}}
		if act == soloist {
			all[i].Type = adminapi.ContributorPerson
		}
	}
	return all
}

// actsOf returns the acts that the texts of an event name.
func actsOf(e *rules.Event) (named []rules.EventContributor) {
	texts := strings.Join([]string{e.Title, string(e.Subtitle), string(e.Summary), string(e.Description)}, "\n")
	for _, act := range acts {
		role := "ensemble"
		if act == soloist {
			role = "performer"
		}
		if strings.Contains(texts, act) {
			named = append(named, rules.EventContributor{UUID: identity("contributor", act), Role: role})
		}
	}
	return named
}
