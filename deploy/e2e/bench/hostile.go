package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/local/stack"
	"litfass/pkg/contracts/adminapi"
)

// hostileKinds are what hostile accounts do, each as fast as answers and rate limits allow.
var hostileKinds = []struct {
	name string
	act  func(*hostile, context.Context) (client.Answer, error)
}{
	{largeEdits, (*hostile).editLargeEvent},
	{"imports", (*hostile).importFile},
	{"sources with slow pictures", (*hostile).readSource},
	{"lists with long texts", (*hostile).addList},
	{"reads of all lists", (*hostile).readLists},
	{"series asked for and left", (*hostile).toggleSeries},
	{"change feeds that find nothing", (*hostile).readChanges},
	{"slow readers of feeds", (*hostile).readSlowly},
}

const (
	largeEdits = "large events"

	hostileText             = adminapi.MaxDescription // halved until admin accepts the texts
	hostileRows             = 1900
	unmatchedZones          = 100
	pictureBeat             = 200 * time.Millisecond
	slowReading, slowStep   = 10 * time.Second, 100 * time.Millisecond
	hostileSourceEvents     = 20
	hostileRest, deniedRest = 50 * time.Millisecond, time.Second
)

// hostile is an account that does what costs others the most.
type hostile struct {
	*resident
	public   *client.Client // of query
	server   *httptest.Server
	counts   map[string]*tally
	changes  string // a position of the change feed
	series   string // of its organization
	neighbor *hostile
	made     atomic.Int64

	mu             sync.Mutex
	large          string // uuid of its large event
	lists, sources []string
}

// tally counts answers.
type tally struct {
	accepted, refused atomic.Int64
	refusal           failure // the first
}

func (t *tally) add(answer client.Answer) (accepted bool) {
	if accepted = answer.Status < http.StatusBadRequest; accepted {
		t.accepted.Add(1)
		return true
	}
	t.refused.Add(1)
	t.refusal.note(fmt.Errorf("%d %.300s", answer.Status, answer.Body))
	return false
}

func (n *neighbourhood) newHostile(ctx context.Context, r *resident) (*hostile, error) {
	h := &hostile{resident: r, public: client.New(n.stack.ServiceURL(stack.Query), connections), counts: map[string]*tally{}}
	for _, kind := range hostileKinds {
		h.counts[kind.name] = &tally{}
	}
	h.server = httptest.NewServer(http.HandlerFunc(h.serve))
	feed, err := h.public.Get(ctx, "/api/changes")
	if err != nil {
		return nil, err
	}
	var position struct {
		Data struct{ Position string }
	}
	if err := json.Unmarshal(feed.Body, &position); err != nil {
		return nil, err
	}
	h.changes = position.Data.Position
	var series struct{ UUID string }
	err = h.write(ctx, http.MethodPut, "/api/admin/series", map[string]any{
		"org_uuid": h.org, "slug": fmt.Sprintf("reihe-%d", h.number), "title": "Reihe", "public": true,
	}, &series)
	h.series = series.UUID
	if len(n.hostile) > 0 {
		h.neighbor = n.hostile[len(n.hostile)-1]
	} else {
		h.neighbor = h
	}
	return h, err
}

// harass has every hostile account do everything at once for some time.
func (n *neighbourhood) harass(ctx context.Context, lasting time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, lasting)
	defer cancel()
	var group sync.WaitGroup
	for _, h := range n.hostile {
		for _, kind := range hostileKinds {
			group.Go(func() {
				for ctx.Err() == nil {
					answer, err := kind.act(h, ctx)
					rest := hostileRest
					if err == nil && !h.counts[kind.name].add(answer) {
						rest = deniedRest
					}
					_ = pause(ctx, rest) // the loop ends with ctx
				}
			})
		}
	}
	group.Wait()
	return nil
}

// editLargeEvent creates the largest event that admin accepts, and then changes its title.
func (h *hostile) editLargeEvent(ctx context.Context) (client.Answer, error) {
	if h.large != "" {
		return h.ask(ctx, http.MethodPatch, "/api/admin/event/"+h.large, map[string]any{"title": fmt.Sprintf("Groß %d", h.made.Add(1))})
	}
	dates := make([]any, largeDates)
	for i := range dates {
		dates[i] = map[string]any{"start_date": time.Now().AddDate(0, 0, 1+i%700).Format(time.DateOnly), "start_time": fmt.Sprintf("%02d:00", 8+i/700)}
	}
	random := rand.New(rand.NewPCG(6, uint64(h.number))) //nolint:gosec // a small number
	for length := hostileText; length > 100; length /= 2 {
		answer, err := h.ask(ctx, http.MethodPost, "/api/admin/event/create", map[string]any{
			"org_uuid": h.org, "venue_uuid": h.venue, "title": "Groß", "description": distinctWords(random, length), "text_language": "de", "release_status": "released",
			"texts": map[string]any{"en": map[string]any{"description": distinctWords(random, length)}, "da": map[string]any{"description": distinctWords(random, length)}},
			"dates": dates,
		})
		if err != nil || answer.Status != http.StatusBadRequest {
			h.large = uuidOf(answer)
			return answer, err
		}
		h.counts[largeEdits].add(answer)
	}
	return client.Answer{}, errors.New("no large event is accepted")
}

// importFile tries a calendar whose time zones never match, and a long table, in turns.
func (h *hostile) importFile(ctx context.Context) (client.Answer, error) {
	content := unmatchedCalendar()
	if h.made.Add(1)%2 == 0 {
		content = "Titel;Datum;Beginn;Beschreibung\n" + strings.Repeat("Abend;24.12.2030;20:00;"+strings.Repeat("Wort ", 500)+"\n", hostileRows)
	}
	return h.ask(ctx, http.MethodPost, "/api/admin/organization/"+h.org+"/import", map[string]any{"content": content, "dry_run": true, "source": "file"})
}

func unmatchedCalendar() string {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//hostile//EN\r\n")
	for z := range unmatchedZones {
		fmt.Fprintf(&b, "BEGIN:VTIMEZONE\r\nTZID:Z%d\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n"+
			"TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n", z)
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d\r\nSUMMARY:Abend\r\nDTSTART;TZID=Z%d:20300101T200000\r\nEND:VEVENT\r\n", z, z)
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.String()
}

// readSource adds a source whose pictures never end, or has one read again.
func (h *hostile) readSource(ctx context.Context) (client.Answer, error) {
	path := "/api/admin/organization/" + h.org + "/sources"
	answer, err := h.ask(ctx, http.MethodPost, path, map[string]any{
		"name": "Programm", "address": fmt.Sprintf("%s/%d.csv", h.server.URL, h.made.Add(1)), "interval_minutes": 15,
		"defaults": map[string]any{"release_status": "released"},
	})
	if err == nil && answer.Status == http.StatusCreated {
		h.keep(&h.sources, path+"/"+uuidOf(answer))
		return answer, nil
	}
	h.mu.Lock()
	known := h.sources
	h.mu.Unlock()
	if err != nil || len(known) == 0 {
		return answer, err
	}
	return h.ask(ctx, http.MethodPost, known[int(h.made.Add(1))%len(known)]+"/read", map[string]any{})
}

// serve answers with a table whose rows have pictures, and with pictures that never end.
func (h *hostile) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, ".csv") {
		fmt.Fprintln(w, "Titel;Datum;Beginn;Bild")
		for row := range hostileSourceEvents {
			fmt.Fprintf(w, "Zumutung %s %d;24.12.2030;20:00;%s/picture%s/%d\n", r.URL.Path, row, h.server.URL, r.URL.Path, row)
		}
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	for pause(r.Context(), pictureBeat) == nil {
		if _, err := w.Write([]byte{0xff}); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
	}
}

// addList adds a list with texts as long as are accepted.
func (h *hostile) addList(ctx context.Context) (client.Answer, error) {
	text := strings.Repeat("Wort ", 1990)
	answer, err := h.ask(ctx, http.MethodPut, "/api/admin/list", map[string]any{
		"org_uuid": h.org, "slug": fmt.Sprintf("liste-%d-%d", h.number, h.made.Add(1)), "name": "Liste", "description": text, "public": true,
		"titles":  []any{map[string]any{"language": "en", "title": "List", "description": text}, map[string]any{"language": "da", "title": "Liste", "description": text}},
		"entries": []any{map[string]any{"event_uuid": h.event, "note": text[:1900]}},
	})
	if err == nil && answer.Status == http.StatusCreated {
		h.keep(&h.lists, "/api/admin/list/"+uuidOf(answer))
	}
	return answer, err
}

func (h *hostile) readLists(ctx context.Context) (client.Answer, error) {
	return h.get(ctx, "/api/lists")
}

// toggleSeries asks for the series of another organization, and leaves the series.
func (h *hostile) toggleSeries(ctx context.Context) (client.Answer, error) {
	series := []any{}
	if h.made.Add(1)%2 == 0 {
		series = append(series, map[string]any{"series_uuid": h.neighbor.series})
	}
	return h.ask(ctx, http.MethodPatch, "/api/admin/event/"+h.event, map[string]any{"series": series})
}

func (h *hostile) readChanges(ctx context.Context) (client.Answer, error) {
	return h.get(ctx, "/api/changes?city=Nirgendwo&limit=1000&after="+url.QueryEscape(h.changes))
}

// readSlowly takes an answer a little at a time.
func (h *hostile) readSlowly(ctx context.Context) (client.Answer, error) {
	host := strings.TrimPrefix(h.public.Base, "http://")
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return client.Answer{}, err
	}
	defer connection.Close()
	_, err = fmt.Fprintf(connection, "GET /api/events.json?limit=1000 HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: %s\r\n\r\n", host, h.address)
	piece := make([]byte, 256)
	for end := time.Now().Add(slowReading); err == nil && time.Now().Before(end); err = pause(ctx, slowStep) {
		if _, err := connection.Read(piece); err != nil {
			return client.Answer{}, err
		}
	}
	return client.Answer{Status: http.StatusOK}, err
}

// get reads from query as a client at the account's address.
func (h *hostile) get(ctx context.Context, path string) (client.Answer, error) {
	return h.public.Do(ctx, http.MethodGet, path, http.Header{"X-Forwarded-For": {h.address}}, nil)
}

// keep remembers what is to be deleted in the end.
func (h *hostile) keep(list *[]string, path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	*list = append(*list, path)
}

// deleteAll deletes what the account has written but its first event.
func (h *hostile) deleteAll(ctx context.Context) error {
	for _, path := range append(append(h.sources, h.lists...), "/api/admin/series/"+h.series) {
		if err := h.delete(ctx, path); err != nil {
			return err
		}
	}
	for {
		answer, err := h.again(ctx, http.MethodGet, "/api/admin/organization/"+h.org+"/events?has_dates=any&per_event=true&limit=100&search=Zumutung", nil)
		if err != nil {
			return err
		}
		var page struct {
			Events []struct {
				UUID string `json:"event_uuid"`
			}
		}
		if err := json.Unmarshal(answer.Body, &page); err != nil {
			return err
		}
		if len(page.Events) == 0 {
			break
		}
		for _, e := range page.Events {
			if err := h.delete(ctx, "/api/admin/event/"+e.UUID); err != nil {
				return err
			}
		}
	}
	if h.large == "" {
		return nil
	}
	return h.delete(ctx, "/api/admin/event/"+h.large)
}

func (h *hostile) delete(ctx context.Context, path string) error {
	answer, err := h.again(ctx, http.MethodDelete, path, map[string]any{"password": accountPassword})
	if err == nil && answer.Status != http.StatusOK && answer.Status != http.StatusNotFound {
		err = fmt.Errorf("DELETE %s: %d %.300s", path, answer.Status, answer.Body)
	}
	return err
}

// again sends a request until it is not refused by a limit.
func (h *hostile) again(ctx context.Context, method, path string, body any) (client.Answer, error) {
	for {
		answer, err := h.ask(ctx, method, path, body)
		if err != nil || answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusServiceUnavailable {
			return answer, err
		}
		if err := pause(ctx, deniedRest); err != nil {
			return answer, err
		}
	}
}

func uuidOf(answer client.Answer) string {
	var written struct{ UUID string }
	_ = json.Unmarshal(answer.Body, &written) // an error names no uuid
	return written.UUID
}
