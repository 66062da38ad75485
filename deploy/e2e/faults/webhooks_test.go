package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/deploy/e2e/harness"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/lane"
)

const (
	hookEvents = 8
	slowAnswer = 500 * time.Millisecond
)

// hookRounds is the number of edits of each event.
var hookRounds = lane.Scale(4, 10)

// hookGroups are the receivers by how they behave.
var hookGroups = []struct {
	name  string
	count int
}{{"healthy", lane.Scale(20, 55)}, {"slow", lane.Scale(8, 20)}, {"failing", lane.Scale(8, 20)}, {"dead", lane.Scale(2, 5)}}

// hookReceiver keeps the notifications of one webhook. A notification is of an event and the number
// of the edit that it shows.
type hookReceiver struct {
	group string
	mu    sync.Mutex
	ids   map[string]string // by event and edit
	times map[string]int    // attempts by id
	last  map[string]int    // newest edit by event
	delay []time.Duration   // from the answer to the edit to the notification

	repeated, disordered, renamed int
}

// hookReceivers are the receivers behind one server, by the number in their paths.
type hookReceivers struct {
	t      *testing.T
	server *httptest.Server
	all    []*hookReceiver
	mu     sync.Mutex
	edited map[string]time.Time // when the edit of an event was answered
}

func newHookReceivers(t *testing.T) *hookReceivers {
	t.Helper()
	r := &hookReceivers{t: t, edited: map[string]time.Time{}}
	for _, group := range hookGroups {
		for range group.count {
			r.all = append(r.all, &hookReceiver{
				group: group.name, ids: map[string]string{}, times: map[string]int{}, last: map[string]int{},
			})
		}
	}
	r.server = httptest.NewServer(r)
	t.Cleanup(r.server.Close)
	return r
}

// address returns the address of a receiver; there is no server at that of a dead one.
func (r *hookReceivers) address(number int) string {
	if r.all[number].group == "dead" {
		return fmt.Sprintf("http://127.0.0.1:1/%d", number)
	}
	return fmt.Sprintf("%s/%d", r.server.URL, number)
}

func (r *hookReceivers) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	number, err := strconv.Atoi(request.URL.Path[1:])
	text, _ := io.ReadAll(request.Body)
	var n struct{ Data struct{ UUID, Title string } }
	if err != nil || json.Unmarshal(text, &n) != nil {
		r.t.Errorf("%s gets %.200s", request.URL, text)
		return
	}
	receiver := r.all[number]
	if receiver.group == "slow" {
		time.Sleep(slowAnswer)
	}
	_, numbered, _ := strings.Cut(n.Data.Title, "#")
	edit, _ := strconv.Atoi(numbered)
	r.mu.Lock()
	edited := r.edited[n.Data.UUID+numbered]
	r.mu.Unlock()
	if !receiver.take(request.Header.Get("webhook-id"), n.Data.UUID, edit, edited) {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// take notes an attempt and reports whether the receiver accepts it.
func (r *hookReceiver) take(id, event string, edit int, edited time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.times[id]++
	if r.group == "failing" && r.times[id] == 1 {
		return false
	}
	key := event + "#" + strconv.Itoa(edit)
	switch known, again := r.ids[key]; {
	case !again:
		r.ids[key] = id
		if !edited.IsZero() {
			r.delay = append(r.delay, time.Since(edited))
		}
	case known == id:
		r.repeated++
		return true // an earlier one, again
	default:
		r.renamed++
	}
	if edit < r.last[event] {
		r.disordered++
	}
	r.last[event] = max(r.last[event], edit)
	return true
}

// complete returns an error while a receiver that lives lacks the last edit of an event.
func (r *hookReceivers) complete(events []string) error {
	missing, newest := 0, 0
	for _, receiver := range r.all {
		receiver.mu.Lock()
		for _, event := range events {
			if receiver.group != "dead" && receiver.last[event] < hookRounds {
				missing++
			}
			newest += receiver.last[event]
		}
		receiver.mu.Unlock()
	}
	if missing > 0 {
		return fmt.Errorf("%d of the last edits are missing (%d)", missing, newest)
	}
	return nil
}

// check fails for each edit that one receiver got and another one did not, and for each that came
// after a later one or with a second id. It logs the counts by group.
func (r *hookReceivers) check(t *testing.T) {
	t.Helper()
	announced := map[string]bool{}
	for _, receiver := range r.all {
		for key := range receiver.ids {
			announced[key] = true
		}
	}
	t.Logf("%d edits were announced", len(announced))
	for _, group := range hookGroups {
		var delivered, repeated, lost, disordered, renamed int
		var delays []time.Duration
		for _, receiver := range r.all {
			if receiver.group != group.name {
				continue
			}
			delivered, repeated = delivered+len(receiver.ids), repeated+receiver.repeated
			disordered, renamed = disordered+receiver.disordered, renamed+receiver.renamed
			delays = append(delays, receiver.delay...)
			for key := range announced {
				if receiver.ids[key] == "" && group.name != "dead" {
					lost++
				}
			}
		}
		t.Logf("%-8s %3d receivers: delivered %5d, repeated with the same id %3d, with another %d, lost %d, out of order %d, delay p50 %s, p99 %s",
			group.name, group.count, delivered, repeated, renamed, lost, disordered, quantile(delays, 0.5), quantile(delays, 0.99))
		if lost+disordered+renamed > 0 {
			t.Errorf("%s: %d lost, %d out of order, %d with another id", group.name, lost, disordered, renamed)
		}
	}
}

func quantile(durations []time.Duration, q float64) time.Duration {
	if len(durations) == 0 {
		return 0
	}
	slices.Sort(durations)
	return durations[int(q*float64(len(durations)-1))].Round(time.Millisecond)
}

// TestWebhooksSurviveADeath kills the process that publishes changes, and announces and sends some
// of them, in the middle: the other one takes over, and nothing is lost or overtaken.
func TestWebhooksSurviveADeath(t *testing.T) {
	s := harness.Ready(t, harness.RunRaced(t, stack.Options{Admins: 2, Env: []string{"WEBHOOK_NETWORKS=127.0.0.0/8"}}))
	editor := s.SignUp(t, "hooks@example.org")
	s.MustRun(t, stack.Admin, "user", "promote", editor.Email)
	editor = s.LogInAs(t, editor.Email)
	org := fmt.Sprint(editor.Write(t, http.MethodPut, "/organization", `{"name": "Verein"}`)["uuid"])
	venue := fmt.Sprint(editor.Write(t, http.MethodPut, "/venue", fmt.Sprintf(`{"org_uuid": %q, "name": "Saal"}`, org))["uuid"])
	receivers := newHookReceivers(t)
	for number := range receivers.all {
		editor.Write(t, http.MethodPost, "/webhooks", fmt.Sprintf(`{"name": "%d", "url": %q, "filter": {"organizations": [%q]}}`,
			number, receivers.address(number), org))
	}
	var events []string
	for range hookEvents {
		created := editor.Write(t, http.MethodPost, "/event/create", fmt.Sprintf(`{"org_uuid": %q, "venue_uuid": %q, "title": "Jazz #0",
			"release_status": "released", "dates": [{"start_date": "2036-05-01", "start_time": "20:00"}]}`, org, venue))
		events = append(events, fmt.Sprint(created["uuid"]))
	}
	leader, other := relayLeader(t, s)
	editor = editor.Through(s.ServiceURL(other))
	for round := 1; round <= hookRounds; round++ {
		for _, event := range events {
			editor.Write(t, http.MethodPatch, "/event/"+event, fmt.Sprintf(`{"title": "Jazz #%d"}`, round))
			receivers.mu.Lock()
			receivers.edited[event+strconv.Itoa(round)] = time.Now()
			receivers.mu.Unlock()
		}
		if round == hookRounds/2 {
			if err := s.Process(leader).Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	harness.Await(t, "every receiver that lives to get the last edits", func() error { return receivers.complete(events) })
	receivers.check(t)
	checkPending(t, editor, receivers)
	if err := s.Process(leader).Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.AwaitReady(t)
}

// relayLeader returns the admin service that publishes changes, and the other one.
func relayLeader(t *testing.T, s *harness.System) (leader, other string) {
	t.Helper()
	names := map[string]bool{stack.Admin: true, stack.Admin + "-2": true}
	harness.Await(t, "a leader", func() error {
		for name := range names {
			response, err := http.Get(s.ServiceURL(name) + "/metrics")
			if err != nil {
				return err
			}
			metrics, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err == nil && strings.Contains(string(metrics), "\nlitfass_relay_leader 1\n") {
				leader = name
			}
		}
		if leader == "" {
			return fmt.Errorf("none of %v leads", slices.Collect(maps.Keys(names)))
		}
		return nil
	})
	delete(names, leader)
	return leader, slices.Collect(maps.Keys(names))[0]
}

// checkPending waits until only the dead receivers have pending deliveries; they are tried again.
func checkPending(t *testing.T, editor harness.Editor, receivers *hookReceivers) {
	t.Helper()
	harness.Await(t, "the deliveries to be noted", func() error {
		answer, err := editor.Ask(t.Context(), http.MethodGet, "/webhooks?limit=200", "")
		if err != nil {
			return err
		}
		var list struct {
			Webhooks []struct {
				Name    string
				Pending int
				Active  bool
			}
		}
		if err := json.Unmarshal(answer.Body, &list); err != nil || len(list.Webhooks) != len(receivers.all) {
			return fmt.Errorf("%d webhooks, %w", len(list.Webhooks), err)
		}
		for _, hook := range list.Webhooks {
			number, err := strconv.Atoi(hook.Name)
			if err != nil {
				return err
			}
			if dead := receivers.all[number].group == "dead"; dead != (hook.Pending > 0) || !hook.Active {
				return fmt.Errorf("%s (%s): %d pending, active %t", hook.Name, receivers.all[number].group, hook.Pending, hook.Active)
			}
		}
		return nil
	})
}
