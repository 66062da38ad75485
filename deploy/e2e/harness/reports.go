package harness

import (
	"testing"

	"litfass/deploy/e2e/client"
)

const reportBody = `{"reason": "wrong", "text": "It does not take place.", "email": "guest@example.org"}`

// Report sends a report through the base address, as a visitor does.
func (s *System) Report(t *testing.T, event string) client.Answer {
	t.Helper()
	answer, err := s.Client.Post(t.Context(), "/api/event/"+event+"/report", "application/json", []byte(reportBody))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
