package source

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/value"
	"litfass/pkg/contracts/video"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/catalogue/editing"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/catalogue/overview"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// web is a server of files that a test changes.
type web struct {
	*httptest.Server
	mutex sync.Mutex
	pages map[string]page
	asked map[string][]int // the statuses of the answers, by path
}

// page is a file; a status other than 0 is an answer without it.
type page struct {
	text, etag string
	status     int
}

func newWeb(t *testing.T) *web {
	t.Helper()
	w := &web{pages: map[string]page{}, asked: map[string][]int{}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *web) ServeHTTP(answer http.ResponseWriter, r *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	p, known := w.pages[r.URL.Path]
	status := cmp.Or(p.status, http.StatusOK)
	switch {
	case !known:
		status = http.StatusNotFound
	case p.etag != "" && p.status == 0:
		answer.Header().Set("ETag", p.etag)
		if r.Header.Get("If-None-Match") == p.etag {
			status = http.StatusNotModified
		}
	}
	w.asked[r.URL.Path] = append(w.asked[r.URL.Path], status)
	answer.WriteHeader(status)
	if status == http.StatusOK {
		_, _ = answer.Write([]byte(p.text))
	}
}

func (w *web) put(path string, p page) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.pages[path] = p
}

func (w *web) statuses(path string) []int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return slices.Clone(w.asked[path])
}

// house is a service with an organization that has a venue, and a stranger's.
type house struct {
	*testing.T
	db           *postgres.DB
	web          *web
	clock        *authtest.Clock
	zone         *time.Location
	editor       *editing.Editor
	service      *Service
	org, foreign string
	hall         string // a venue of the organization
	person       int    // who saves the sources
	owner        context.Context
}

// begin is when the clock of a house begins.
var begin = time.Date(2027, 3, 1, 6, 0, 0, 0, time.UTC)

func newHouse(t *testing.T) *house {
	t.Helper()
	db, _ := storetest.New(t)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{T: t, db: db, web: newWeb(t), clock: authtest.ClockAt(begin), zone: zone}
	h.org, h.foreign = authtest.Organization(t, db, "Kulturhaus"), authtest.Organization(t, db, "Jazzclub")
	h.person = authtest.User(t, db, "anna@example.org")
	authtest.Member(t, db, h.org, h.person, permission.All)
	h.owner = login(t, h.person)
	h.service = h.process(loopback)
	h.editor = editing.New(editing.Options{
		DB: db, Limiter: auth.NewLimiter(db, h.clock.Now), Now: h.clock.Now, Zone: zone, VideoHosts: video.Hosts{"youtu.be"},
	})
	h.hall = h.venue(h.owner, h.org, "Großer Saal")
	return h
}

func login(t *testing.T, user int) context.Context {
	t.Helper()
	return auth.WithPrincipal(t.Context(), auth.Principal{UserID: user, SessionID: "a login"})
}

// loopback is the network of the tests' own files.
var loopback = netip.MustParsePrefix("127.0.0.0/8")

// process returns the service of another admin process, which may read files of networks that are
// not public.
func (h *house) process(networks ...netip.Prefix) *Service {
	h.Helper()
	limiter := auth.NewLimiter(h.db, h.clock.Now)
	editor := editing.New(editing.Options{DB: h.db, Limiter: limiter, Now: h.clock.Now, Zone: h.zone, VideoHosts: video.Hosts{"youtu.be"}})
	blobs, err := blob.Open(h.Context(), "file://"+filepath.ToSlash(h.TempDir()))
	if err != nil {
		h.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	imports := eventimport.New(eventimport.Options{
		DB: h.db, Editor: editor, Overview: overview.New(overview.Options{DB: h.db, Now: h.clock.Now, Zone: h.zone}),
		Images: editing.NewImages(editing.ImageOptions{Editor: editor, Blobs: blobs, Budget: imaging.NewBudget(64 << 20), Log: log}),
		Remote: remote.New(remote.Config{Networks: networks}),
		Now:    h.clock.Now, Zone: h.zone,
	})
	return New(Options{
		DB: h.db, Imports: imports, Limiter: limiter, Now: h.clock.Now, Zone: h.zone, Log: log, Config: Config{Readings: 2},
		LookAgain: 50 * time.Millisecond, Jitter: func(time.Duration) time.Duration { return 0 },
	})
}

func (h *house) venue(ctx context.Context, org, name string) string {
	h.Helper()
	created, err := h.editor.CreateVenue(ctx, &rules.Venue{OrgUUID: org, Name: name})
	if err != nil {
		h.Fatal(err)
	}
	return created.Answer.UUID
}

// body is a source at a path of the web: hourly, released, in the hall.
func (h *house) body(path string) adminapi.SourceBody {
	b := adminapi.SourceBody{
		Name: "Source " + path, Address: value.Text(h.web.URL + path), IntervalMinutes: 60, Missing: adminapi.MissingKeep,
	}
	b.Defaults.ReleaseStatus, b.Defaults.VenueUUID = rules.StatusReleased, value.Text(h.hall)
	return b
}

// create adds a source and returns its uuid.
func (h *house) create(body adminapi.SourceBody) string {
	h.Helper()
	made, _, err := h.service.Create(h.owner, h.org, body, nil)
	if err != nil {
		h.Fatal(err)
	}
	return made.UUID
}

// due reads what is due.
func (h *house) due() {
	h.Helper()
	if err := h.service.ReadDue(h.Context()); err != nil {
		h.Fatal(err)
	}
}

// after moves the clock and reads what is due.
func (h *house) after(by time.Duration) {
	h.Helper()
	h.clock.Move(by)
	h.due()
}

func (h *house) show(id string) adminapi.ShownSource {
	h.Helper()
	shown, _, err := h.service.Show(h.owner, h.org, id)
	if err != nil {
		h.Fatal(err)
	}
	return shown
}

// wantCounts compares the counts of the last import of a source.
func (h *house) wantCounts(what, id string, want adminapi.ImportCounts) adminapi.ShownSource {
	h.Helper()
	shown := h.show(id)
	if shown.Failure != nil || shown.Report == nil || shown.Report.Counts != want {
		h.Fatalf("%s: failure %+v, report %+v, want %+v", what, shown.Failure, shown.Report, want)
	}
	return shown
}

// stored are the events of the organization, each as its title, status, dates and their statuses.
func (h *house) stored() string {
	h.Helper()
	const query = `
SELECT coalesce(string_agg(line, E'\n' ORDER BY line), '')
FROM (
    SELECT e.title || ' ' || e.release_status || ' ' || string_agg(
        to_char(d.start_date, 'MM-DD') || coalesce(to_char(d.start_time, '"T"HH24:MI'), '')
            || CASE d.release_status WHEN 'inherited' THEN '' ELSE ' ' || d.release_status END,
        ', ' ORDER BY d.start_date, d.start_time
    ) AS line
    FROM event e
    JOIN event_date d ON d.event_uuid = e.uuid
    WHERE e.org_uuid = $1
    GROUP BY e.uuid
) AS lines`
	var lines string
	if err := h.db.QueryRow(h.Context(), query, h.org).Scan(&lines); err != nil {
		h.Fatal(err)
	}
	return lines
}

func (h *house) wantStored(what string, lines ...string) {
	h.Helper()
	got := strings.Split(h.stored(), "\n")
	slices.Sort(got)
	slices.Sort(lines)
	if slices.Equal(got, lines) {
		return
	}
	for i, line := range got {
		if !slices.Contains(lines, line) || i > 0 && got[i-1] == line {
			h.Errorf("%s: has %s", what, line)
		}
	}
	for _, line := range lines {
		if !slices.Contains(got, line) {
			h.Errorf("%s: lacks %s", what, line)
		}
	}
	h.FailNow()
}

func (h *house) one(into any, query string, args ...any) {
	h.Helper()
	if err := h.db.QueryRow(h.Context(), query, args...).Scan(into); err != nil {
		h.Fatal(err)
	}
}

func (h *house) exec(query string, args ...any) {
	h.Helper()
	if _, err := h.db.Exec(h.Context(), query, args...); err != nil {
		h.Fatal(err)
	}
}

// edit changes an event by its title, as a person does.
func (h *house) edit(title string, edit func(*rules.Event)) {
	h.Helper()
	var id string
	h.one(&id, "SELECT uuid::text FROM event WHERE org_uuid = $1 AND title = $2", h.org, title)
	_, err := h.editor.UpdateEvent(h.owner, editing.Target{Key: id}, func(e *rules.Event) error {
		edit(e)
		return nil
	})
	if err != nil {
		h.Fatal(err)
	}
}

// mails counts the queued mails about failing sources.
func (h *house) mails() (count int) {
	h.Helper()
	h.one(&count, "SELECT count(*) FROM mail_outbox WHERE template = 'source_fails'")
	return count
}

// calendar is an iCalendar file of events, each as its uid, title and start: 20270305T200000.
func calendar(events ...[3]string) string {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for _, e := range events {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%s\r\nSUMMARY:%s\r\nDTSTART:%s\r\nEND:VEVENT\r\n", e[0], e[1], e[2])
	}
	text.WriteString("END:VCALENDAR\r\n")
	return text.String()
}
