package gateway

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// replica is an instance of a service that can be made unready, slow or gone.
type replica struct {
	*httptest.Server
	ready  atomic.Bool
	broken atomic.Bool  // closes connections without an answer
	hold   sync.RWMutex // locked: answers wait
	served atomic.Int64
	asked  atomic.Int64 // answers of /readyz
}

// replicas starts ready instances of a service that answer with their number.
func replicas(t *testing.T, count int) (all []*replica, addresses []string) {
	t.Helper()
	for number := range count {
		r := &replica{}
		r.ready.Store(true)
		r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			if request.URL.Path == "/readyz" {
				r.asked.Add(1)
				if !r.ready.Load() {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
				return
			}
			r.served.Add(1)
			if r.broken.Load() {
				panic(http.ErrAbortHandler)
			}
			r.hold.RLock()
			defer r.hold.RUnlock()
			body, _ := io.ReadAll(request.Body)
			fmt.Fprintf(w, "%d%s", number, body)
		}))
		t.Cleanup(r.Close)
		all, addresses = append(all, r), append(addresses, r.URL)
	}
	return all, addresses
}

// served returns how many requests each instance has got.
func served(all []*replica) (counts []int64) {
	for _, r := range all {
		counts = append(counts, r.served.Load())
	}
	return counts
}

// known waits until the gateway knows the condition of each instance: a question follows the note
// of the answer before. Until then instances get requests because none is known to be ready.
func known(t *testing.T, all []*replica) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if !slices.ContainsFunc(all, func(r *replica) bool { return r.asked.Load() < 2 }) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the gateway does not ask whether its instances are ready")
		}
	}
}

// inRotation waits until the gateway knows which instances get requests: several in a row reach
// these and no others.
func inRotation(t *testing.T, base string, want string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		seen := map[string]bool{}
		for range 12 {
			_, body := request(t, "GET", base+"/api/events", "")
			seen[body] = true
		}
		wanted := true
		for _, number := range want {
			wanted = wanted && seen[string(number)]
		}
		if wanted && len(seen) == len(want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("answers come from %v, want %s", seen, want)
		}
	}
}

func TestRotation(t *testing.T) {
	all, addresses := replicas(t, 3)
	all[2].ready.Store(false) // like a read node that is being filled
	all[0].ready.Store(false)
	server := gatewayTo(t, Config{Admin: addresses[:1], Projector: addresses[:1], Query: addresses, Site: addresses[:1], Console: addresses[:1]})
	inRotation(t, server.URL, "1")
	all[0].ready.Store(true)
	inRotation(t, server.URL, "01")
	all[1].ready.Store(false)
	inRotation(t, server.URL, "0")
	all[0].ready.Store(false)
	inRotation(t, server.URL, "01") // none is ready: instances that were before stay
	all[2].ready.Store(true)
	inRotation(t, server.URL, "2")
}

// Requests that are answered at the same time are spread evenly, however many there are.
func TestBalance(t *testing.T) {
	for _, connections := range []int{8, 64} {
		all, addresses := replicas(t, 2)
		server := gatewayTo(t, Config{Admin: addresses[:1], Projector: addresses[:1], Query: addresses, Site: addresses[:1], Console: addresses[:1]})
		known(t, all)
		before := served(all)
		for _, r := range all {
			r.hold.Lock()
		}
		var clients sync.WaitGroup
		for range connections {
			clients.Go(func() { request(t, "GET", server.URL+"/api/events", "") })
		}
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			after := served(all)
			if after[0]+after[1]-before[0]-before[1] == int64(connections) {
				// The gateway may still have been ending a request of before.
				if got := after[0] - before[0]; got < int64(connections/2-1) || got > int64(connections/2+1) {
					t.Errorf("%d of %d requests reach the first instance", got, connections)
				}
				break
			}
			if time.Now().After(deadline) {
				t.Error("the requests do not arrive")
				break
			}
		}
		for _, r := range all {
			r.hold.Unlock()
		}
		clients.Wait()
	}
}

// An instance that is gone costs no request that can be repeated, also before that is noticed.
func TestInstanceThatIsGone(t *testing.T) {
	all, addresses := replicas(t, 2)
	server := gatewayTo(t, Config{Admin: addresses, Projector: addresses[:1], Query: addresses, Site: addresses[:1], Console: addresses[:1]})
	known(t, all)
	all[0].Close()
	for range 20 {
		for _, method := range []string{"GET", "POST", "PUT"} { // none of them was sent
			if response, body := request(t, method, server.URL+"/api/admin/x", "ab"); response.StatusCode != http.StatusOK || body != "1ab" {
				t.Fatalf("%s: %s %s", method, response.Status, body)
			}
		}
	}
}

// What may have arrived is repeated only when that changes nothing.
func TestBrokenConnection(t *testing.T) {
	all, addresses := replicas(t, 2)
	server := gatewayTo(t, Config{Admin: addresses, Projector: addresses[:1], Query: addresses, Site: addresses[:1], Console: addresses[:1]})
	known(t, all)
	all[0].broken.Store(true)
	for range 20 {
		if response, body := request(t, "GET", server.URL+"/api/events", ""); response.StatusCode != http.StatusOK || body != "1" {
			t.Fatalf("GET: %s %s", response.Status, body)
		}
	}
	all[1].broken.Store(true)
	before := served(all)
	response, body := request(t, "POST", server.URL+"/api/events", "{}")
	after := served(all)
	if response.StatusCode != http.StatusServiceUnavailable || after[0]+after[1] != before[0]+before[1]+1 {
		t.Errorf("POST: %s, sent to %v after %v: %s", response.Status, after, before, body)
	}
}

// What an admin cannot publish waits in its outbox: it gets requests also then.
func TestChecksThatKeepNoRequestsAway(t *testing.T) {
	admins := &pool{besides: []string{"stream", "outbox"}}
	for body, want := range map[string]condition{
		`{"checks":{"database":"ok","stop":"ok","outbox":"3 rows wait"}}`:            ready,
		`{"checks":{"stream":"not connected","outbox":"3 rows wait"}}`:               ready,
		`{"checks":{"database":"not available","outbox":"ok"}}`:                      unready,
		`{"checks":{"stop":"this process is about to stop","outbox":"3 rows wait"}}`: unready,
		`{"checks":{}}`: unready,
		`nonsense`:      unready,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, body)
		}))
		if got := admins.ask(t.Context(), server.URL); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
		server.Close()
		if got := admins.ask(t.Context(), server.URL); got != down {
			t.Errorf("an instance that is gone is %s", got)
		}
	}
}

func TestRotationIsReported(t *testing.T) {
	all, addresses := replicas(t, 2)
	lines := make(chan string, 100)
	gatewayTo(t, Config{
		Admin: addresses[:1], Projector: addresses[:1], Query: addresses, Site: addresses[:1], Console: addresses[:1], Report: func(line string) { lines <- line },
	})
	// Until /readyz has answered, instances get requests without being ready: only lines tell.
	reported(t, lines, addresses[0]+" is ready", addresses[1]+" is ready")
	all[1].ready.Store(false)
	reported(t, lines, addresses[1]+" is not ready")
}

// reported receives a line for each of these reports, in any order, and fails the test at others.
func reported(t *testing.T, lines <-chan string, want ...string) {
	t.Helper()
	var got []string
	for range want {
		select {
		case line := <-lines:
			got = append(got, strings.TrimPrefix(line, "gateway: "))
		case <-time.After(20 * time.Second):
			t.Fatalf("reported %q, want %q", got, want)
		}
	}
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("reported %q, want %q", got, want)
	}
}
