package mail_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/mail/mailtest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	p := newPost(t, plain(server), composeLink)
	for _, locale := range []string{"de", "en", "da", "da-DK", "fr", ""} {
		p.enqueue(t, "anna@example.org", locale)
	}
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 6, 0)
	subjects := []string{"Konto aktivieren", "Activate your account", "Aktivér din konto", "Aktivér din konto",
		"Activate your account", "Activate your account"}
	ids := map[string]bool{}
	for i, received := range server.Mails() {
		parsed := received.Parse(t)
		if parsed.Subject != subjects[i] {
			t.Errorf("mail %d: subject %q", i, parsed.Subject)
		}
		if !strings.Contains(parsed.Text, "\n"+link+"\n") || !strings.Contains(parsed.HTML, `href="`+link+`"`) {
			t.Errorf("mail %d lacks the link:\n%s\n%s", i, parsed.Text, parsed.HTML)
		}
		if received.From != "post@litfass.example" || received.To != "anna@example.org" {
			t.Errorf("mail %d: from %s to %s", i, received.From, received.To)
		}
		from, err := parsed.Header.AddressList("From")
		if err != nil || from[0].Name != "Litfaß" || parsed.Header.Get("Auto-Submitted") != "auto-generated" {
			t.Errorf("mail %d: headers %v, %v", i, parsed.Header, err)
		}
		ids[parsed.Header.Get("Message-Id")] = true
	}
	if len(ids) != 6 {
		t.Errorf("%d message ids for 6 mails", len(ids))
	}
	if strings.Contains(p.log.String(), "token") || strings.Contains(p.log.String(), "anna") {
		t.Errorf("the log holds too much:\n%s", p.log.String())
	}
}

func TestServerDownThenUp(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	server.Stop()
	p := newPost(t, plain(server), composeLink)
	for range 3 {
		p.enqueue(t, "anna@example.org", "en")
	}
	for range 10 { // more often than a mail is tried: the server's absence is no mail's fault
		var down *mail.DownError
		if err := p.Drain(t.Context()); !errors.As(err, &down) {
			t.Fatalf("a server that is not there: %v", err)
		}
		p.clock.Move(30 * time.Second)
	}
	p.want(t, 3, 0, 0)
	server = mailtest.Start(t, mailtest.Options{Address: server.Address})
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 3, 0)
	if len(server.Mails()) != 3 {
		t.Errorf("%d mails arrived", len(server.Mails()))
	}
}

func TestRefusedRecipient(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{RcptTo: func(address string) error {
		switch address {
		case "gone@example.org":
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: address + " does not exist"}
		case "full@example.org":
			return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: "mailbox is full"}
		}
		return nil
	}})
	p := newPost(t, plain(server), composeLink)
	for _, recipient := range []string{"gone@example.org", "full@example.org", "anna@example.org"} {
		p.enqueue(t, recipient, "en")
	}
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 1, 1, 1) // the first is hopeless, the second waits, and neither keeps the third from leaving
	for attempt, pause := range []time.Duration{time.Minute, 2 * time.Minute} {
		p.clock.Move(pause - time.Second)
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.want(t, 1, 1, 1)
		var attempts int
		const read = "SELECT attempts FROM mail_outbox WHERE sent_at IS NULL AND failed_at IS NULL"
		if err := p.db.Pool().QueryRow(t.Context(), read).Scan(&attempts); err != nil || attempts != attempt+1 {
			t.Fatalf("tried %d times before its pause was over, want %d; %v", attempts, attempt+1, err)
		}
		p.clock.Move(time.Second)
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p.want(t, 0, 1, 2) // the third attempt was its last
	if log := p.log.String(); strings.Contains(log, "gone@") || !strings.Contains(log, "given up") || !strings.Contains(log, "550") {
		t.Errorf("the log must tell that a mail was given up, and not whose:\n%s", log)
	}
}

func TestMailThatIsRefusedAfterAll(t *testing.T) {
	t.Parallel()
	var code atomic.Int64
	server := mailtest.Start(t, mailtest.Options{OnMail: func() error {
		if now := code.Load(); now != 0 {
			return &smtp.SMTPError{Code: int(now), EnhancedCode: smtp.EnhancedCode{int(now) / 100, 7, 1}, Message: "no"}
		}
		return nil
	}})
	p := newPost(t, plain(server), composeLink)
	code.Store(451)
	p.enqueue(t, "anna@example.org", "en")
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 1, 0, 0)
	code.Store(554)
	p.clock.Move(time.Minute)
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 0, 1)
}

func TestTLS(t *testing.T) {
	t.Parallel()
	secure := mailtest.Start(t, mailtest.Options{TLS: true, Login: true})
	open := mailtest.Start(t, mailtest.Options{})
	user := url.UserPassword(mailtest.User, mailtest.Password).String() + "@"
	trusting := &tls.Config{RootCAs: secure.Roots}
	tests := []struct {
		name   string
		config mail.Config
		sent   bool
	}{
		{"STARTTLS and a login", mail.Config{URL: "smtp://" + user + secure.Address, TLS: trusting}, true},
		{"required by name", mail.Config{URL: "smtp://" + user + secure.Address + "?tls=required", TLS: trusting}, true},
		{"opportunistic, offered", mail.Config{URL: "smtp://" + user + secure.Address + "?tls=opportunistic", TLS: trusting}, true},
		{"opportunistic, not offered", mail.Config{URL: "smtp://" + open.Address + "?tls=opportunistic"}, true},
		{"required, not offered", mail.Config{URL: "smtp://" + open.Address}, false},
		{"an unknown certificate", mail.Config{URL: "smtp://" + user + secure.Address}, false},
		{"a wrong password", mail.Config{URL: "smtp://litfass:wrong@" + secure.Address, TLS: trusting}, false},
		{"no login", mail.Config{URL: "smtp://" + secure.Address, TLS: trusting}, false},
		{"a password in the open", mail.Config{URL: "smtp://" + user + secure.Address + "?tls=none"}, false},
	}
	for _, test := range tests {
		p := newPost(t, test.config, composeLink)
		p.enqueue(t, "anna@example.org", "en")
		err := p.Drain(t.Context())
		var down *mail.DownError
		if test.sent && err != nil || !test.sent && !errors.As(err, &down) {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.sent {
			p.want(t, 0, 1, 0)
		} else {
			p.want(t, 1, 0, 0)
		}
		if text := p.log.String(); strings.Contains(text, "s3cret") || err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: the password is shown", test.name)
		}
	}
	for _, received := range secure.Mails() {
		if !received.TLS || received.Login != mailtest.User {
			t.Errorf("a mail came without TLS or login: %t, %q", received.TLS, received.Login)
		}
	}
}

func TestManyWorkersSendEachMailOnce(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	p := newPost(t, plain(server), composeLink)
	for range 40 {
		p.enqueue(t, "anna@example.org", "en")
	}
	var wait sync.WaitGroup
	for range 4 {
		worker := p.worker(t, p.db, plain(server), composeLink)
		wait.Go(func() {
			if err := worker.Drain(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	p.want(t, 0, 40, 0)
	ids := map[string]bool{}
	for _, received := range server.Mails() {
		ids[received.Parse(t).Header.Get("Message-Id")] = true
	}
	if len(ids) != 40 || len(server.Mails()) != 40 {
		t.Errorf("%d mails with %d ids arrived, want 40", len(server.Mails()), len(ids))
	}
}

// TestWorkerThatDies takes a mail and never comes back: another worker sends it a minute later.
func TestWorkerThatDies(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	dying := errors.New("out of memory")
	died := false
	p := newPost(t, plain(server), func(ctx context.Context, tx pgx.Tx, queued mail.Job) (mail.Content, error) {
		if !died {
			died = true
			return mail.Content{}, dying
		}
		return composeLink(ctx, tx, queued)
	})
	p.enqueue(t, "anna@example.org", "en")
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 1, 0, 0)
	p.clock.Move(time.Minute)
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 1, 0)
}

func TestDroppedMails(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	p := newPost(t, plain(server), func(context.Context, pgx.Tx, mail.Job) (mail.Content, error) {
		return mail.Content{}, mail.ErrDropped
	})
	p.enqueue(t, "unknown@example.org", "en")
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 0, 0)
	if len(server.Mails()) != 0 {
		t.Error("a dropped mail was sent")
	}
}

// TestHeadersStayWhole puts line breaks and markup wherever people can write.
func TestHeadersStayWhole(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t, mailtest.Options{})
	p := newPost(t, plain(server), func(context.Context, pgx.Tx, mail.Job) (mail.Content, error) {
		return mail.Content{
			Link: link, Valid: 7 * 24 * time.Hour,
			Organization: "Kultur\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>",
			Inviter:      "Anna\nSubject: other",
			Name:         "x\r\nX-Evil: 1",
		}, nil
	})
	authtest.InTx(t, p.db, func(ctx context.Context, tx pgx.Tx) error {
		_, err := mail.Enqueue(ctx, tx, mail.New{
			Recipient: "anna@example.org", Template: mail.TemplateInvite, Locale: "de", At: p.clock.Now(),
		})
		return err
	})
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(server.Mails()) != 1 {
		t.Fatalf("%d mails", len(server.Mails()))
	}
	parsed := server.Mails()[0].Parse(t)
	if parsed.Header.Get("Bcc") != "" || parsed.Header.Get("X-Evil") != "" || len(parsed.Header["Subject"]) != 1 {
		t.Errorf("a header was injected: %v", parsed.Header)
	}
	if parsed.Subject != "Einladung zu Kultur Bcc: victim@example. org <script>alert(1)</script>" {
		t.Errorf("subject %q", parsed.Subject)
	}
	if strings.Contains(parsed.HTML, "<script>") {
		t.Error("markup was not escaped")
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mail")
	p := newPost(t, mail.Config{Dir: dir}, composeLink)
	p.enqueue(t, "anna@example.org", "de")
	if err := p.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.want(t, 0, 1, 0)
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil || !bytes.Contains(content, []byte("Subject: Konto aktivieren")) || !bytes.Contains(content, []byte("To: <anna@example.org>")) {
		t.Errorf("%v\n%s", err, content)
	}
	if strings.Contains(files[0], "anna") {
		t.Errorf("the file %s is named by the recipient", files[0])
	}
	for _, private := range []string{link[strings.Index(link, "=")+1:], "anna"} {
		if strings.Contains(p.log.String(), private) || !strings.Contains(p.log.String(), "mail written") {
			t.Errorf("the log has %s:\n%s", private, p.log.String())
		}
	}
}

// TestMailsOfOneMomentHaveFilesOfTheirOwn: one request may write two mails to the same person.
func TestMailsOfOneMomentHaveFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	transport, err := mail.NewTransport(mail.Config{Dir: dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for _, id := range []string{"1.5@example.org", "2.5@example.org", "2.5@example.org"} { // the last is a further attempt
		message := mail.Message{ID: id, From: netmail.Address{Address: "litfass@example.org"}, Recipient: "anna@example.org", Date: now}
		if err := transport.Send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(files) != 2 {
		t.Errorf("files %v, %v", files, err)
	}
}

func TestConfigurationErrorsShowNoPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"mail.example.org:25", "http://u:hunter2@mail.example.org", "smtp://u:hunter2@mail.example.org?tls=maybe",
		"smtps://u:hunter2@mail.example.org?tls=none", "smtp://u:hunter2@mail.example.org:port", "smtp://u:hunter2@",
	} {
		_, err := mail.NewTransport(mail.Config{URL: address, Timeout: time.Second}, slog.Default())
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if transport, err := mail.NewTransport(mail.Config{}, slog.Default()); transport != nil || err != nil {
		t.Errorf("without configuration: %v, %v", transport, err)
	}
}
