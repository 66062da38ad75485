package main

import (
	"strings"

	"litfass/deploy/e2e/browser"
)

// stateGroup are states of the console that one person brings about; see
// deploy/e2e/browser/lib/state-groups.mjs.
type stateGroup struct {
	name, person string
	states       []state
}

// state is a state to show, by its name in its group.
type state struct {
	files string // name of its screenshots
	name  string
}

// consoleStates are the states that are shown.
var consoleStates = []stateGroup{
	{"visitor", "", []state{
		{"console-error-login", "login, wrong password"},
		{"console-error-signup", "sign up, no address"},
		{"console-mail-sent", "forgot, mail sent"},
	}},
	{"owner", owner, []state{
		{"console-error-event-new", "event without a title"},
		{"console-error-settings", "a website that is none"},
		{"console-error-invite", "invitation without an address"},
		{"console-error-change", "no change chosen"},
		{"console-change-report", "report of a change"},
		{"console-import-preview", "import, what would happen"},
		{"console-import-report", "import, what has happened"},
		{"console-error-webhook", "webhook without a name"},
		{"console-webhook-secret", "webhook with another secret"},
		{"console-webhook", "webhook with deliveries"},
	}},
	{"event", owner, []state{
		{"console-saved", "saved, to be undone"},
		{"console-conflict", "conflict"},
		{"console-error-event", "ages the wrong way round"},
		{"console-error-dates", "dates, nothing filled in"},
		{"console-dates-repeat", "dates that repeat"},
		{"console-date-delete", "date to be deleted"},
		{"console-date-cancelled", "date cancelled"},
		{"console-picture-refused", "picture refused"},
		{"console-venue-found", "venue found"},
		{"console-preview", "link to the preview"},
		{"console-login-ended", "login ended"},
	}},
}

// stateShots returns the shots of states with a text in their names. org is the organization of the
// people.
func stateShots(org string, people logins, only string) (shots []shot) {
	for _, group := range consoleStates {
		for _, shown := range group.states {
			if strings.Contains(shown.files, only) {
				shots = append(shots, shot{shown.files, browser.Journey{
					Name: "console-pictures", Context: people.context(group.person),
					Args: map[string]any{"group": group.name, "state": shown.name, "name": shown.files, "org": org},
				}})
			}
		}
	}
	return shots
}
