package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litfass/deploy/e2e/faults/recorded"
	"litfass/deploy/e2e/harness"
)

// changedKeys are keys of answers with values that a later release changed on purpose, and keys
// about the answer itself.
var changedKeys = []string{
	"timestamp", "response_time_ms", "venue_timezone", "currency", "changed_at", "image_path", "path", "max_price",
}

// renamed are the names of value sets that a later release translated better: former to present.
var renamed = map[string]string{
	"Fest/fejring":        "Fest",
	"Forsamling":          "Møde",
	"Religiøs begivenhed": "Religiøst arrangement",
	"Community event":     "Fællesskab",
	"Videreuddannelse":    "Efteruddannelse",
	"Afslapning":          "Rekreation",
}

// compareAnswer compares a recorded answer with the stack's, where further keys are welcome.
func compareAnswer(s *harness.System, t *testing.T, path string, former any) {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), path)
	if err != nil || answer.Status != http.StatusOK {
		t.Errorf("%s: %d %.200s, %v", path, answer.Status, answer.Body, err)
		return
	}
	// Addresses begin with the base of the present stack.
	body := strings.ReplaceAll(string(answer.Body), s.URL(), recorded.Base)
	var now any
	if err := json.Unmarshal([]byte(body), &now); err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	for _, difference := range lostValues("", former, now) {
		t.Errorf("%s: %s", path, difference)
	}
}

// lostValues lists the values of the former answer without an equal in the present one, where
// further keys are welcome.
func lostValues(at string, former, now any) (lost []string) {
	switch former := former.(type) {
	case map[string]any:
		object, same := now.(map[string]any)
		if !same {
			return []string{fmt.Sprintf("%s was an object, and is %v", at, now)}
		}
		for key, value := range former {
			if _, found := object[key]; !found {
				lost = append(lost, fmt.Sprintf("%s.%s is missing", at, key))
			} else if !slices.Contains(changedKeys, key) {
				lost = append(lost, lostValues(at+"."+key, value, object[key])...)
			}
		}
	case []any:
		list, same := now.([]any)
		if !same || len(list) != len(former) {
			return []string{fmt.Sprintf("%s had %d items, and is %.100v", at, len(former), now)}
		}
		for i, value := range former {
			lost = append(lost, lostValues(fmt.Sprintf("%s.%d", at, i), value, list[i])...)
		}
	case string:
		if former != now && (renamed[former] == "" || renamed[former] != now) {
			lost = append(lost, fmt.Sprintf("%s was %v, and is %v", at, former, now))
		}
	default:
		if former != now {
			lost = append(lost, fmt.Sprintf("%s was %v, and is %v", at, former, now))
		}
	}
	return lost
}

// comparePage asks for a page or a feed, and for its recorded text within.
func comparePage(s *harness.System, t *testing.T, page recorded.Page) {
	t.Helper()
	answer, err := s.Client.Get(t.Context(), page.Path)
	if err != nil || answer.Status != http.StatusOK || !strings.Contains(string(answer.Body), page.Text) {
		t.Errorf("%s: %d %.200s, without %q, %v", page.Path, answer.Status, answer.Body, page.Text, err)
	}
}
