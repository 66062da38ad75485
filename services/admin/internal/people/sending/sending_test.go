package sending_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/people/sending"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

// outbox is a database with a receiver of notices and mails.
type outbox struct {
	t     *testing.T
	db    *postgres.DB
	clock *authtest.Clock
	anna  sending.Person
}

func newOutbox(t *testing.T) *outbox {
	t.Helper()
	db, _ := storetest.New(t)
	o := &outbox{t: t, db: db, clock: authtest.NewClock()}
	o.anna = sending.Person{ID: authtest.User(t, db, "anna@example.org"), Email: "anna@example.org", Locale: "en"}
	return o
}

// notify sends a notice and reports whether it arrived.
func (o *outbox) notify(from sending.Sender, template, subject string) bool {
	o.t.Helper()
	var got []sending.Person
	authtest.InTx(o.t, o.db, func(ctx context.Context, tx pgx.Tx) (err error) {
		got, err = sending.Notice{
			From: from, Template: template, Subject: subject, People: []sending.Person{o.anna}, At: o.clock.Now(),
		}.Send(ctx, tx)
		return err
	})
	return len(got) == 1
}

func (o *outbox) mail(from sending.Sender, template, to string) (sent bool, err error) {
	err = o.db.InTx(o.t.Context(), func(tx pgx.Tx) (err error) {
		_, sent, err = sending.Mail(o.t.Context(), tx, from, mail.New{Recipient: to, Template: template, Locale: "en", At: o.clock.Now()})
		return err
	})
	return sent, err
}

func (o *outbox) queued() (mails int) {
	o.t.Helper()
	if err := o.db.QueryRow(o.t.Context(), "SELECT count(*) FROM mail_outbox").Scan(&mails); err != nil {
		o.t.Fatal(err)
	}
	return mails
}

// TestNoticesAreBounded: by subject, by sender, by organization and by receiver. What is beyond is
// counted in one digest, an hour after the first.
func TestNoticesAreBounded(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	arrived := 0
	send := func(from sending.Sender, subject string) {
		if o.notify(from, mail.TemplateSeriesAsked, subject) {
			arrived++
		}
	}
	wants := func(what string, want int) {
		t.Helper()
		if arrived != want || o.queued() != want {
			t.Errorf("%s: %d notices arrived with %d mails, want %d", what, arrived, o.queued(), want)
		}
	}
	for range 20 {
		send(sending.Sender{UserID: 7, Org: "kulturhaus"}, "one")
	}
	wants("about one subject", 3)
	for n := range 20 {
		send(sending.Sender{UserID: 7, Org: fmt.Sprint("org ", n)}, fmt.Sprint("of a person ", n))
	}
	wants("of one person", 10)
	for n := range 20 {
		send(sending.Sender{UserID: 100 + n, Org: "speicher"}, fmt.Sprint("of an organization ", n))
	}
	wants("of one organization", 20)
	for n := range 20 {
		send(sending.Sender{UserID: 200 + n, Org: fmt.Sprint("another ", n)}, fmt.Sprint("of anybody ", n))
	}
	wants("to one receiver", 30)
	if !o.notify(sending.Sender{}, mail.TemplateTakenBack, "an event") {
		t.Error("requests have used up the bounds of moderation")
	}
	take := func() (held []sending.Held) {
		authtest.InTx(t, o.db, func(ctx context.Context, tx pgx.Tx) (err error) {
			held, err = sending.TakeHeld(ctx, tx, o.clock.Now())
			return err
		})
		return held
	}
	if early := take(); len(early) != 0 {
		t.Errorf("a digest at once: %v", early)
	}
	o.clock.Move(time.Hour)
	if held := take(); len(held) != 1 || held[0].Notices != 50 || held[0].Person != o.anna || held[0].Template != mail.TemplateSeriesAsked {
		t.Errorf("gathered: %v", held)
	}
	if again := take(); len(again) != 0 {
		t.Errorf("gathered twice: %v", again)
	}
	if !o.notify(sending.Sender{UserID: 7, Org: "kulturhaus"}, mail.TemplateSeriesAsked, "one") {
		t.Error("an hour later the bound still refuses")
	}
}

// TestMailsAboutAccountsHaveBoundsOfTheirOwn: notices use none of them up, and a tag is no mailbox.
func TestMailsAboutAccountsHaveBoundsOfTheirOwn(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	for n := range 60 {
		o.notify(sending.Sender{}, mail.TemplateVenueAsked, fmt.Sprint(n))
	}
	before := o.queued()
	for n := range 10 {
		to := fmt.Sprintf("anna+%d@example.org", n)
		if sent, err := o.mail(sending.Sender{}, mail.TemplateReset, to); err != nil || sent != (n < 3) {
			t.Errorf("reset %d: %t, %v", n, sent, err)
		}
	}
	if sent, err := o.mail(sending.Sender{}, mail.TemplatePasswordChanged, o.anna.Email); err != nil || !sent {
		t.Errorf("after resets, a new password is not mailed: %v", err)
	}
	if got := o.queued() - before; got != 4 {
		t.Errorf("%d mails", got)
	}
}

// TestRefusedMailsCountForNothing: the operation fails, with the time to wait.
func TestRefusedMailsCountForNothing(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	from := sending.Sender{UserID: 7, Email: "bert@example.org", Org: "kulturhaus"}
	for n := range 20 {
		if _, err := o.mail(from, mail.TemplateInvite, fmt.Sprintf("guest%d@example.org", n)); err != nil {
			t.Fatal(n, err)
		}
	}
	for range 3 {
		_, err := o.mail(from, mail.TemplateInvite, o.anna.Email)
		if !fault.Is(err, fault.TooMany) || fault.Of(err).Code != "too_many_invitations" || fault.Of(err).RetryAfter != time.Hour {
			t.Errorf("the 21st: %v", err)
		}
	}
	o.clock.Move(time.Hour)
	if sent, err := o.mail(from, mail.TemplateInvite, o.anna.Email); err != nil || !sent {
		t.Errorf("an hour later: %v", err)
	}
}

// TestEveryTemplateHasOneKind: a template without a kind would be refused when it is first sent.
func TestEveryTemplateHasOneKind(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for _, kind := range sending.Kinds() {
		for _, template := range kind.Templates {
			kinds[template]++
		}
	}
	files, err := filepath.Glob("../../platform/mail/templates/*.en.txt")
	if err != nil || len(files) != len(kinds) {
		t.Errorf("%d templates, and %d in the table; %v", len(files), len(kinds), err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".en.txt"); kinds[name] != 1 {
			t.Errorf("the template %s is in %d kinds", name, kinds[name])
		}
	}
}

// TestNothingIsSentElsewhere: mails are queued by this package alone, and notices reach inboxes
// through it.
func TestNothingIsSentElsewhere(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{"mail.Enqueue(": "people/sending/", "inbox.Post(": "catalogue/notice/"}
	found := map[string]int{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for call, folder := range allowed {
			if !strings.Contains(string(text), call) {
				continue
			}
			found[call]++
			if !strings.Contains(filepath.ToSlash(path), "../"+folder) {
				t.Errorf("%s calls %s past package sending", path, call)
			}
		}
		return err
	})
	if err != nil || len(found) != len(allowed) {
		t.Errorf("found %v, %v", found, err)
	}
}
