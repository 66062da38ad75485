package source

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"litfass/pkg/contracts/change"
	"litfass/pkg/contracts/project"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/media/imaging/imagingtest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/publish/outbox"
)

// served is the public API of a Litfass, of what its database has published: the answers of the
// query service that a source reads.
type served struct {
	*httptest.Server
	*testing.T
	db *postgres.DB

	mutex   sync.Mutex
	states  map[string]publicapi.Event
	journal []entry // the changes in their order
	stream  int     // the identity of the positions
	asked   []string
	busy    map[string]string // the Retry-After of 429, by the beginnings of paths
}

type entry struct {
	Change string `json:"change"`
	UUID   string `json:"uuid"`
	Entry  any    `json:"entry"`
}

func serve(t *testing.T, db *postgres.DB) *served {
	t.Helper()
	s := &served{T: t, db: db, states: map[string]publicapi.Event{}, busy: map[string]string{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// publish notes what has changed since the last request.
func (s *served) publish() {
	ids, err := postgres.Collect[string](s.Context(), s.db, "events", "SELECT uuid::text FROM event ORDER BY uuid")
	if err != nil {
		s.Error(err)
	}
	projector := project.New(s.URL, "Europe/Berlin")
	now := map[string]publicapi.Event{}
	for _, id := range ids {
		state, _, _, err := outbox.PublicState(s.Context(), s.db, outbox.Ref{Kind: change.KindEvent, ID: id})
		if err != nil {
			s.Error(err)
		}
		if snapshot, public := state.(*change.Event); public {
			if now[id], err = projector.Event(*snapshot); err != nil {
				s.Error(err)
			}
		}
	}
	for id := range s.states {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		before, was := s.states[id]
		after, is := now[id]
		switch {
		case is && !was:
			s.journal = append(s.journal, entry{"entered", id, s.entry(id)})
		case is && text(before) != text(after):
			s.journal = append(s.journal, entry{"changed", id, s.entry(id)})
		case was && !is:
			s.journal = append(s.journal, entry{"left", id, nil})
		}
	}
	s.states = now
}

func text(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func (s *served) entry(id string) any {
	return map[string]string{"uuid": id, "page_url": s.URL + "/event/" + id + "?date=x"}
}

func (s *served) ServeHTTP(answer http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.publish()
	s.asked = append(s.asked, r.URL.Path)
	for path, wait := range s.busy {
		if strings.HasPrefix(r.URL.Path, path) {
			answer.Header().Set("Retry-After", wait)
			answer.WriteHeader(http.StatusTooManyRequests)
			return
		}
	}
	var data any
	status := http.StatusOK
	switch path, query := r.URL.Path, r.URL.Query(); {
	case path == "/api/changes":
		answer.Header().Set("Litfass-Position", "7")
		data, status = s.changes(query.Get("after"))
	case path == "/api/events/":
		if r.Header.Get("Litfass-Position") != "7" && query.Get("limit") != strconv.Itoa(previewed) {
			s.Errorf("a search without the position: %s", r.URL)
		}
		data = s.search(query.Get("last_event_date_uuid"))
	case strings.HasPrefix(path, "/api/image/"):
		_, _ = answer.Write(imagingtest.JPEG(s.T, imagingtest.Corners(60, 40), 0))
		return
	case strings.HasPrefix(path, "/api/event/"):
		event, public := s.states[strings.TrimPrefix(path, "/api/event/")]
		if data = event; !public {
			status = http.StatusNotFound
		}
	default:
		status = http.StatusNotFound
	}
	answer.WriteHeader(status)
	_, _ = answer.Write([]byte(text(map[string]any{"data": data})))
}

func (s *served) position(at int) string { return fmt.Sprintf("%08x-%d", s.stream, at) }

// changes answers with at most three changes.
func (s *served) changes(after string) (any, int) {
	from, end := 0, len(s.journal)
	if after == "" {
		return map[string]any{"changes": []entry{}, "position": s.position(end), "more": false}, http.StatusOK
	}
	if _, err := fmt.Sscanf(after, s.position(0)[:9]+"%d", &from); err != nil {
		return nil, http.StatusGone
	}
	until := min(from+3, end)
	return map[string]any{"changes": s.journal[from:until], "position": s.position(until), "more": until < end}, http.StatusOK
}

// search answers with the pages of four events.
func (s *served) search(after string) any {
	var ids []string
	for id := range s.states {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(ids, func(id string) bool { return id <= after })
	page := map[string]any{"events": []any{}, "last_event_date_uuid": nil, "last_event_start_at": nil}
	var events []any
	for _, id := range ids[:min(4, len(ids))] {
		events = append(events, s.entry(id))
		page["last_event_date_uuid"], page["last_event_start_at"] = id, "2027-03-05T20:00"
	}
	if events != nil {
		page["events"] = events
	}
	return page
}

// requests returns the paths that were asked since the last call.
func (s *served) requests() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// count counts those below a path.
func count(asked []string, below string) (n int) {
	for _, path := range asked {
		if strings.HasPrefix(path, below) {
			n++
		}
	}
	return n
}

// lock runs fn while no request is answered.
func (s *served) lock(fn func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	fn()
}
