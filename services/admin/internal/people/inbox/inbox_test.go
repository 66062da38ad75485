package inbox_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/inbox"
	"litfass/services/admin/internal/platform/paging"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

var firstPage = paging.Page{Limit: 50}

// world is an organization with a member of each role, and one with "neighbour" as its owner.
type world struct {
	*inbox.Service
	db           *postgres.DB
	clock        *authtest.Clock
	org, foreign string
	users        map[string]int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, _ := storetest.New(t)
	w := &world{db: db, clock: authtest.NewClock(), users: map[string]int{}}
	w.Service = inbox.New(inbox.Options{
		DB: db, Now: w.clock.Now, Zone: time.UTC,
	})
	w.org, w.foreign = authtest.Organization(t, db, "Kulturhaus"), authtest.Organization(t, db, "Jazzclub")
	for _, preset := range permission.Presets {
		w.join(t, string(preset.Role), w.org, preset.Set)
	}
	w.join(t, "neighbour", w.foreign, permission.All)
	return w
}

func (w *world) join(t *testing.T, name, org string, set permission.Set) {
	t.Helper()
	w.users[name] = authtest.User(t, w.db, name+"@example.org")
	authtest.Member(t, w.db, org, w.users[name], set)
}

// as returns the context of a request of a user with a session.
func (w *world) as(t *testing.T, name string) context.Context {
	t.Helper()
	return auth.WithPrincipal(t.Context(), auth.Principal{UserID: w.users[name], SessionID: "s"})
}

func (w *world) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.db.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// count returns how many errors have each code; "" stands for nil.
func count(errs []error) map[string]int {
	codes := map[string]int{}
	for _, err := range errs {
		codes[code(err)]++
	}
	return codes
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return fault.Of(err).StableCode()
}

// atOnce calls a function so many times at once and returns the errors.
func atOnce(times int, function func() error) []error {
	errs := make([]error, times)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { errs[i] = function() })
	}
	group.Wait()
	return errs
}

// TestWhoReceivesMessages: messages to an organization reach its active members with the
// permission; messages to a user require an organization shared with the sender.
func TestWhoReceivesMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.join(t, "former", w.org, permission.All)
	w.exec(t, "UPDATE app_user SET deactivated_at = now() WHERE id = $1", w.users["former"])
	send := func(org, user string) error {
		_, err := w.Send(w.as(t, "viewer"), inbox.NewMessage{
			OrgUUID: org, UserID: w.users[user], Subject: "Hall for rent?", Message: "Soon.",
		})
		return err
	}
	for _, test := range []struct{ name, org, user, code string }{
		{"their organization", w.org, "", ""},
		{"another organization", w.foreign, "", ""},
		{"a colleague", "", "contributor", ""},
		{"a stranger", "", "neighbour", "user_not_found"},
		{"an unknown user", "", "unknown", "user_not_found"},
		{"a deactivated colleague", "", "former", "user_not_found"},
		{"an unknown organization", uuid.Must(uuid.NewV7()).String(), "", "organization_not_found"},
	} {
		if err := send(test.org, test.user); code(err) != test.code {
			t.Errorf("%s: %v, want %q", test.name, err, test.code)
		}
	}
	for who, want := range map[string]int{
		"owner": 1, "manager": 1, "editor": 1, "contributor": 1, "viewer": 0, "neighbour": 1, "former": 0,
	} {
		list, err := w.Messages(w.as(t, who), firstPage)
		if err != nil || list.TotalCount != want || list.UnreadCount != want {
			t.Errorf("%s has %d messages, want %d, %v", who, list.TotalCount, want, err)
		}
	}
	w.exec(t, "UPDATE membership SET permissions = 0, role = 'custom' WHERE org_uuid = $1 AND user_id <> $2",
		w.org, w.users["former"])
	if err := send(w.org, ""); code(err) != "no_recipient" {
		t.Errorf("an organization whose only recipient is deactivated: %v", err)
	}
}

// TestMessageFlood: the limit also holds for messages at once, and refused ones are not stored.
func TestMessageFlood(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	send := func(who string) error {
		_, err := w.Send(w.as(t, who), inbox.NewMessage{UserID: w.users["editor"], Subject: "x", Message: "x"})
		return err
	}
	codes := count(atOnce(45, func() error { return send("viewer") }))
	if codes[""] != 30 || codes["too_many_attempts"] != 15 {
		t.Errorf("sent at once: %v", codes)
	}
	if list, err := w.Messages(w.as(t, "editor"), firstPage); err != nil || list.TotalCount != 30 {
		t.Errorf("%d messages arrived, %v", list.TotalCount, err)
	}
	if err := send("owner"); err != nil {
		t.Errorf("another sender: %v", err)
	}
	w.clock.Move(10*time.Minute + time.Second)
	if err := send("viewer"); err != nil {
		t.Errorf("later: %v", err)
	}
}

const insertTodos = `
INSERT INTO todo (user_id, title)
SELECT $1, 'x'
FROM generate_series(1, 999)`

// TestTodosHaveAnEnd: a user has at most 1,000 todos, also when several are added at once.
func TestTodosHaveAnEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, insertTodos, w.users["viewer"])
	add := func(who string) error {
		title := "x"
		_, _, err := w.PutTodo(w.as(t, who), version.Expected{}, inbox.TodoChange{ID: -1, Title: &title})
		return err
	}
	codes := count(atOnce(3, func() error { return add("viewer") }))
	if codes[""] != 1 || codes["too_many_todos"] != 2 {
		t.Errorf("added at once: %v", codes)
	}
	if err := add("owner"); err != nil {
		t.Errorf("another user: %v", err)
	}
}

const insertDraft = `
INSERT INTO event (
    uuid, org_uuid, title, categories, languages, tags, price_type, ticket_flags, occasion,
    release_status, release_date
)
VALUES ($1, $2, $3, '{}', '{}', '{}', 'not_specified', '{}', 0, $4, $5)`

const insertDate = `
INSERT INTO event_date (uuid, event_uuid, slug, start_date, all_day, release_status)
VALUES ($1, $2, to_char($3::date, 'YYYY-MM-DD'), $3, true, 'inherited')`

// event makes an event with a date so many days from today, for each of days.
func (w *world) event(t *testing.T, org, title, status string, release *time.Time, days ...int) string {
	t.Helper()
	id := uuid.Must(uuid.NewV7()).String()
	w.exec(t, insertDraft, id, org, title, status, release)
	for _, day := range days {
		date := w.clock.Now().AddDate(0, 0, day).Format(time.DateOnly)
		w.exec(t, insertDate, uuid.Must(uuid.NewV7()), id, date)
	}
	return id
}

func TestNotificationsNameWhatNeedsAttention(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := func(days int) *time.Time {
		moment := w.clock.Now().AddDate(0, 0, days)
		return &moment
	}
	soon := w.event(t, w.org, "soon", "draft", nil, 30)
	w.event(t, w.org, "not yet", "draft", nil, 31)
	w.event(t, w.org, "released", "released", nil, 3)
	w.event(t, w.org, "over", "review", in(-20), -10)
	w.event(t, w.org, "", "review", in(14))
	w.event(t, w.org, "overdue", "draft", in(-3), 90)
	w.event(t, w.foreign, "theirs", "draft", nil, 3)

	list, err := w.Notifications(w.as(t, "contributor"), firstPage)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	rows := map[string]adminapi.Notification{}
	for _, row := range list.Notifications {
		titles = append(titles, row.EventTitle)
		rows[row.EventTitle] = row
	}
	if got := strings.Join(titles, ","); got != "overdue,,soon" || list.TotalCount != 3 {
		t.Fatalf("titles %s of %d", got, list.TotalCount)
	}
	if row := rows["soon"]; row.EventUUID != soon || row.OrgUUID != w.org || days(row.DaysUntilFirstDate) != "30" ||
		row.NoTitle || !row.NoImage || row.NoEventDates || !row.NoVenueOrOnlineLink || row.DaysUntilRelease != nil {
		t.Errorf("soon %+v", row)
	}
	if row := rows[""]; !row.NoTitle || !row.NoEventDates || !row.NoUpcomingDate ||
		days(row.DaysUntilRelease) != "14" || row.FirstDate != "" {
		t.Errorf("untitled %+v", row)
	}
	if row := rows["overdue"]; days(row.DaysUntilRelease) != "0" || days(row.DaysUntilFirstDate) != "90" {
		t.Errorf("overdue %+v", row)
	}
	if list, err := w.Notifications(w.as(t, "viewer"), firstPage); err != nil || list.TotalCount != 0 {
		t.Errorf("a viewer, who edits no events: %+v, %v", list, err)
	}
	last, err := w.Notifications(w.as(t, "contributor"), paging.Page{Limit: 1, Offset: 2})
	if err != nil || len(last.Notifications) != 1 || last.Notifications[0].EventTitle != "soon" {
		t.Errorf("last page %+v, %v", last, err)
	}
}

func days(number *int) string {
	if number == nil {
		return "none"
	}
	return fmt.Sprint(*number)
}
