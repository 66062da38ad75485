package event

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/console/internal/page/pagetest"
)

// asks asks as an open page does that knows a version and an entry of the history.
func asks(t *testing.T, c *pagetest.Console, query string) news {
	t.Helper()
	var n news
	got := c.Get(address + "/live?" + query)
	if got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if err := json.Unmarshal([]byte(got.Body), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAnOpenPageLearnsWhatOthersSave: who has changed what, once, and of one's own saves only what.
func TestAnOpenPageLearnsWhatOthersSave(t *testing.T) {
	c := start(t, ready())
	if body := c.Get(address).Body; !strings.Contains(body, `data-live="`+address+`/live"`) || !strings.Contains(body, `data-keys="add_tags subtitle title"`) {
		t.Fatalf("the page does not ask: %s", body)
	}
	at := time.Date(2026, 11, 23, 10, 3, 0, 0, time.UTC)
	c.Answer("GET "+operation+"/presence", http.StatusOK, adminapi.Presence{ETag: `"7"`, People: []adminapi.PresentPerson{{Name: "Edda Ebert"}, {}}})
	c.Answer("GET "+operation+"/history", http.StatusOK, adminapi.EventHistory{Entries: []adminapi.HistoryEntry{
		{ID: 9, ActorName: "Edda Ebert", At: at, Before: []byte(`{"title":"A","price_type":"free"}`), After: []byte(`{"title":"B","price_type":"not_specified"}`)},
		{ID: 8, Own: true, At: at, After: []byte(`{"dates":[]}`)},
		{ID: 7, At: at.AddDate(0, 0, -1), After: []byte(`{"summary":"x"}`)},
		{ID: 6, ActorName: "Edda Ebert", At: at, After: []byte(`{"subtitle":"seen"}`)},
	}})
	const open = "Edda Ebert and a colleague have this event open, too."
	const changed = "Changed by Edda Ebert (10:03): Title, Price"
	for query, want := range map[string]news{
		"tag=%227%22&entry=6": {Tag: `"7"`, Entry: 6, Keys: []string{}, Own: []string{}, Open: open},
		"tag=%227%22":         {Tag: `"7"`, Entry: 9, Keys: []string{}, Own: []string{}, Open: open},
		"tag=%226%22&entry=x": {Tag: `"7"`, Entry: 9, Keys: []string{"price_type", "title"}, Own: []string{}, Open: open, Changed: changed},
		"tag=%226%22&entry=6": {Tag: `"7"`, Entry: 9, Keys: []string{"price_type", "title", "summary"}, Own: []string{"dates"}, Open: open,
			Changed: "Changed (Sunday, 22 November 2026, 10:03): Summary · " + changed},
	} {
		if got := asks(t, c, query); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", query, got, want)
		}
	}
	c.Refuse("GET "+operation+"/history", http.StatusForbidden, adminapi.Error{Error: "no", Code: "permission_missing"})
	if got := asks(t, c, "tag=%226%22"); !reflect.DeepEqual(got.Keys, []string{"*"}) || got.Changed != "Changed (12:00): something" {
		t.Errorf("without the history: %+v", got)
	}
}

// TestNothingNewIsNotAnswered: the service is asked once, with the tag of the answer before.
func TestNothingNewIsNotAnswered(t *testing.T) {
	c := start(t, ready())
	c.AnswerWith("GET "+operation+"/presence", func(call pagetest.Call) (int, any) {
		if call.Header.Get("If-None-Match") == `"x"` && call.Query.Get("open") == "true" {
			return http.StatusNotModified, pagetest.File{}
		}
		return http.StatusOK, adminapi.Presence{}
	})
	got := c.Get(address+"/live?tag=%221%22&entry=5", "If-None-Match", `"x"`)
	if got.Status != http.StatusNotModified || got.Body != "" || len(c.Calls("GET "+operation)) > 0 || len(c.Calls("GET "+operation+"/history")) > 0 {
		t.Errorf("%d %q", got.Status, got.Body)
	}
	c.Refuse("GET "+operation+"/presence", http.StatusNotFound, adminapi.Error{Error: "no", Code: "event_not_found"})
	if got := c.Get(address + "/live"); got.Status != http.StatusNotFound {
		t.Errorf("of an event that is gone: %d", got.Status)
	}
}
