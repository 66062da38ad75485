package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/people/auth/authtest"
)

// TestAskingOnAndOn: events of three organizations ask for a series and leave it, again and again.
// Its owner gets a few notices by mail and by message, and later one digest of the others.
func TestAskingOnAndOn(t *testing.T) {
	t.Parallel()
	s := moderated(t)
	series, _ := s.series(t, s.foreign, "")
	const orgs, rounds, each = 3, 20, 3 // notices about one event
	for n := range orgs {
		org := authtest.Organization(t, s.db, fmt.Sprint("Kulturhaus ", n))
		authtest.Member(t, s.db, org, s.people["owner"].id, permission.All)
		event := s.event(t, org, "Konzert", "draft", nil, 5)
		for range rounds {
			for _, all := range []string{fmt.Sprintf(`[{"series_uuid": %q}]`, series), "[]"} {
				s.as(t, "owner", http.MethodPatch, "/event/"+event, `{"series": `+all+`}`).want(t, "ask or leave", ok, "")
			}
		}
	}
	read := func(what string, want int) {
		t.Helper()
		var letters int
		s.one(t, &letters, "SELECT count(*) FROM message_recipient WHERE user_id = $1", s.people["neighbour"].id)
		if err := s.mails.Drain(t.Context()); err != nil || len(s.box.mails) != want || letters != want {
			t.Errorf("%s: %d mails, %d messages, want %d; %v", what, len(s.box.mails), letters, want, err)
		}
	}
	read("after 60 requests", orgs*each)
	s.clock.Move(time.Hour)
	for range 2 { // the second round of the janitor finds nothing
		authtest.InTx(t, s.db, func(ctx context.Context, tx pgx.Tx) error { return notice.SendHeld(ctx, tx, s.clock.Now()) })
	}
	read("an hour later", orgs*each+1)
	last := s.box.mails[len(s.box.mails)-1]
	if want := fmt.Sprint(orgs*(rounds-each), " × requests for series"); !strings.Contains(last.Text, want) || !strings.Contains(last.HTML, want) {
		t.Errorf("the digest lacks %q:\n%s", want, last.Text)
	}
}
