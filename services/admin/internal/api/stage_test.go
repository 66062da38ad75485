package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

const admin = "/api/admin"

// person is a user who is logged in.
type person struct {
	id      int
	email   string
	member  string // uuid of their membership in the stage's organization; "" for a stranger
	access  string
	refresh string
}

// stage is a server with an organization that has a member of every role, and one that has another
// owner.
type stage struct {
	*server
	people  map[string]*person
	org     string
	foreign string // the other organization; its owner is "neighbour"
	mails   *mail.Worker
	box     *mailbox
}

type mailbox struct{ mails []mail.Message }

func (m *mailbox) Send(_ context.Context, message mail.Message) error {
	m.mails = append(m.mails, message)
	return nil
}

func newStage(t *testing.T) *stage {
	t.Helper()
	db, _ := storetest.New(t)
	return stageOn(t, db)
}

// stageOn is newStage over a database that has no rows yet.
func stageOn(t *testing.T, db *postgres.DB) *stage {
	t.Helper()
	s := &stage{server: serverOver(t, db, authtest.NewClock()), people: map[string]*person{}, box: &mailbox{}}
	var err error
	if s.mails, err = s.services.MailWorker(s.box, prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	s.org, s.foreign = authtest.Organization(t, db, "Kulturhaus"), authtest.Organization(t, db, "Jazzclub")
	for _, preset := range permission.Presets {
		s.join(t, string(preset.Role), s.org, preset.Set)
	}
	s.join(t, "stranger", "", 0)
	s.join(t, "neighbour", s.foreign, permission.All)
	s.people["neighbour"].member = ""
	return s
}

// join makes an account and, unless org is "", a member, and logs them in.
func (s *stage) join(t *testing.T, name, org string, set permission.Set) *person {
	t.Helper()
	p := &person{email: name + "@example.org"}
	p.id = authtest.User(t, s.db, p.email)
	if org != "" {
		p.member = authtest.Member(t, s.db, org, p.id, set)
	}
	grant := s.stack.LogIn(t, s.db, p.id)
	p.access, p.refresh = grant.Access, grant.Refresh
	s.people[name] = p
	return p
}

// as sends a request with a person's access token; body "" sends none.
func (s *stage) as(t *testing.T, who, method, path, body string, headers ...string) answer {
	t.Helper()
	headers = append(headers, "Authorization", "Bearer "+s.people[who].access)
	if body == "" {
		return s.send(t, method, admin+path, nil, headers...)
	}
	return s.send(t, method, admin+path, strings.NewReader(body), append(headers, "Content-Type", "application/json")...)
}

// atOnce runs requests at the same time and returns their statuses in order of size.
func atOnce(requests ...func() answer) []int {
	statuses := make([]int, len(requests))
	var group sync.WaitGroup
	for i, request := range requests {
		group.Go(func() { statuses[i] = request().status })
	}
	group.Wait()
	slices.Sort(statuses)
	return statuses
}

// token sends the due mails and returns the token of the only one, which must go to the address.
func (s *stage) token(t *testing.T, recipient string) string {
	t.Helper()
	s.box.mails = nil
	if err := s.mails.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.box.mails) != 1 || s.box.mails[0].Recipient != recipient {
		t.Fatalf("mails %+v, want one to %s", s.box.mails, recipient)
	}
	link, err := url.Parse(s.box.mails[0].Link)
	if err != nil {
		t.Fatal(err)
	}
	return link.Query().Get("token")
}

// fields are the names of the bad fields of an error.
func (a answer) fields() string {
	var names []string
	details, _ := a.body["details"].([]any)
	for _, detail := range details {
		names = append(names, detail.(map[string]any)["field"].(string))
	}
	return strings.Join(names, " ")
}

// wantKeys checks the keys of an answer's object.
func (a answer) wantKeys(t *testing.T, what, keys string) {
	t.Helper()
	haveKeys(t, what, a.body, keys)
}

func haveKeys(t *testing.T, what string, object any, keys string) {
	t.Helper()
	fields, _ := object.(map[string]any)
	want := strings.Fields(keys)
	slices.Sort(want)
	got := make([]string, 0, len(fields))
	for key := range fields {
		got = append(got, key)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: keys %v, want %v", what, got, want)
	}
}

// first returns the first element of a list in an answer.
func (a answer) first(t *testing.T, list string) map[string]any {
	t.Helper()
	elements, _ := a.body[list].([]any)
	if len(elements) == 0 {
		t.Fatalf("no %s in %.500s", list, a.raw)
	}
	return elements[0].(map[string]any)
}

func (s *stage) one(t *testing.T, into any, query string, args ...any) {
	t.Helper()
	if err := s.db.Pool().QueryRow(t.Context(), query, args...).Scan(into); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := s.db.Pool().Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// awaitLock waits until a transaction waits for another one's lock.
func (s *stage) awaitLock(t *testing.T) {
	t.Helper()
	for waiting := 0; waiting == 0; time.Sleep(5 * time.Millisecond) {
		s.one(t, &waiting, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	}
}

// audited returns the actions that were recorded for the organization, in order.
func (s *stage) audited(t *testing.T, org string) string {
	t.Helper()
	var actions string
	s.one(t, &actions, "SELECT coalesce(string_agg(action, ' ' ORDER BY id), '') FROM audit_entry WHERE org_uuid = $1", org)
	return actions
}

const insertDraft = `
INSERT INTO event (
    uuid, org_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion, release_status, release_date
)
VALUES ($1, $2, $3, '{}', '{}', '{}', 'not_specified', '{}', 0, $4, $5)`

const insertDate = `
INSERT INTO event_date (uuid, event_uuid, slug, start_date, all_day, release_status)
VALUES ($1, $2, to_char($3::date, 'YYYY-MM-DD'), $3, true, 'inherited')`

// event makes an event that has a date so many days from today, for each of days.
func (s *stage) event(t *testing.T, org, title, status string, release *time.Time, days ...int) string {
	t.Helper()
	id := newUUID()
	s.exec(t, insertDraft, id, org, title, status, release)
	for _, day := range days {
		s.exec(t, insertDate, newUUID(), id, s.clock.Now().AddDate(0, 0, day).Format(time.DateOnly))
	}
	return id
}

// venue makes a venue of an organization.
func (s *stage) venue(t *testing.T, org string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, "INSERT INTO venue (uuid, org_uuid, name) VALUES ($1, $2, 'Saal')", id, org)
	return id
}

// portal makes a portal of an organization, or for "" of the operator, and returns its uuid and
// slug.
func (s *stage) portal(t *testing.T, org string) (id, slug string) {
	t.Helper()
	id, slug = newUUID(), newUUID()
	s.exec(t, `
INSERT INTO portal (uuid, org_uuid, slug, name, titles, languages, look, filter, include, exclude)
VALUES ($1, nullif($2, '')::uuid, $3, 'Portal', '[]', '{}', '{}', '{}', '{}', '{}')`, id, org, slug)
	return id, slug
}

// contributor makes a contributor of an organization, or for "" of the operator.
func (s *stage) contributor(t *testing.T, org, name string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, `INSERT INTO contributor (uuid, org_uuid, type, name) VALUES ($1, nullif($2, '')::uuid, 'person', $3)`, id, org, name)
	return id
}

// named makes a contributor of an organization whom an event names.
func (s *stage) named(t *testing.T, org, event string) string {
	t.Helper()
	id := s.contributor(t, org, "Jonas Petersen")
	s.exec(t, "INSERT INTO event_contributor (event_uuid, position, contributor_uuid, role) VALUES ($1, 99, $2, 'dj')", event, id)
	return id
}

// label makes a label, unless it is there, and returns its key.
func (s *stage) label(t *testing.T) string {
	t.Helper()
	const key = "the-tip"
	s.exec(t, `INSERT INTO label (key, names) VALUES ($1, '{"en": "Tip", "de": "Tipp"}') ON CONFLICT DO NOTHING`, key)
	return key
}

// series makes a series of an organization, which an event asks to belong to unless it is "", and
// returns its uuid and its slug.
func (s *stage) series(t *testing.T, org, event string) (id, slug string) {
	t.Helper()
	id, slug = newUUID(), newUUID()
	s.exec(t, `INSERT INTO series (uuid, org_uuid, slug, title, public) VALUES ($1, $2, $3, 'Series', true)`, id, org, slug)
	s.exec(t, `INSERT INTO series_part (uuid, series_uuid, position, kind, title) VALUES ($1, $2, 0, 'stage', 'Stage')`, newUUID(), id)
	if event != "" {
		s.exec(t, `INSERT INTO series_event (series_uuid, event_uuid, position, state) VALUES ($1, $2, 0, 'asked')`, id, event)
	}
	return id, slug
}

// seriesWithPart makes a series of an organization and returns its uuid and that of its part.
func (s *stage) seriesWithPart(t *testing.T, org string) (id, part string) {
	t.Helper()
	id, _ = s.series(t, org, "")
	s.one(t, &part, "SELECT uuid::text FROM series_part WHERE series_uuid = $1", id)
	return id, part
}

// list makes a list of an organization, or for "" of the operator, with an event, and returns its
// uuid and slug.
func (s *stage) list(t *testing.T, org, event string) (id, slug string) {
	t.Helper()
	id, slug = newUUID(), newUUID()
	s.exec(t, `
INSERT INTO list (uuid, org_uuid, slug, name, titles, public, entries)
VALUES ($1, nullif($2, '')::uuid, $3, 'List', '[]', true, jsonb_build_array(jsonb_build_object('event_uuid', $4::text)))`, id, org, slug, event)
	return id, slug
}

// space makes a space of a venue.
func (s *stage) space(t *testing.T, venue string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, "INSERT INTO space (uuid, venue_uuid, name) VALUES ($1, $2, 'Bühne')", id, venue)
	return id
}

const insertRule = `
INSERT INTO event_date_rule (uuid, event_uuid, start_date, all_day, rrule, rdate, exdate)
VALUES ($1, $2, '2026-12-24', true, 'FREQ=DAILY;COUNT=2', '{}', '{}')`

const insertDatesOfRule = `
INSERT INTO event_date (uuid, event_uuid, slug, start_date, all_day, release_status, rule_uuid, recurrence_id)
SELECT uuid, $3, day, day::date, true, 'inherited', $4, day
FROM unnest($1::uuid[], $2::text[]) AS row (uuid, day)`

// datesOfARule gives an event two dates of a rule, and returns the uuid of the first.
func (s *stage) datesOfARule(t *testing.T, event string) string {
	t.Helper()
	rule, dates := newUUID(), []string{newUUID(), newUUID()}
	s.exec(t, insertRule, rule, event)
	s.exec(t, insertDatesOfRule, dates, []string{"2026-12-24", "2026-12-25"}, event, rule)
	return dates[0]
}

const insertLink = `
INSERT INTO event_link (uuid, event_uuid, position, type, url)
VALUES ($1, $2, (SELECT count(*) FROM event_link WHERE event_uuid = $2), 'website', 'https://example.org')`

// link adds a link to an event.
func (s *stage) link(t *testing.T, event string) string {
	t.Helper()
	id := newUUID()
	s.exec(t, insertLink, id, event)
	return id
}

func newUUID() string { return uuid.Must(uuid.NewV7()).String() }

func password(text string) string {
	body, _ := json.Marshal(map[string]string{"password": text})
	return string(body)
}

var ok = http.StatusOK
