package mail_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/catalogue/store/storetest"
	"litfass/services/admin/internal/people/auth/authtest"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/mail/mailtest"
	"litfass/services/admin/internal/platform/postgres"
)

// post is a queue with a worker that sends to a server.
type post struct {
	db    *postgres.DB
	clock *authtest.Clock
	log   bytes.Buffer
	*mail.Worker
}

func newPost(t *testing.T, config mail.Config, compose mail.Composer) *post {
	t.Helper()
	db, _ := storetest.New(t)
	p := &post{db: db, clock: authtest.NewClock()}
	p.Worker = p.worker(t, db, config, compose)
	return p
}

func (p *post) worker(t *testing.T, db *postgres.DB, config mail.Config, compose mail.Composer) *mail.Worker {
	t.Helper()
	if config.From == "" {
		config.From = "Litfaß <post@litfass.example>"
	}
	if config.Attempts == 0 {
		config.Attempts = 3
	}
	config.Timeout = 10 * time.Second
	log := slog.New(slog.NewTextHandler(&p.log, nil))
	transport, err := mail.NewTransport(config, log)
	if err != nil {
		t.Fatal(err)
	}
	worker, err := mail.NewWorker(mail.WorkerOptions{
		DB: db, Transport: transport, Compose: compose, Config: config, Now: p.clock.Now, Log: log,
		Metrics: prometheus.NewRegistry(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return worker
}

// enqueue queues an activation mail.
func (p *post) enqueue(t *testing.T, recipient, locale string) {
	t.Helper()
	authtest.InTx(t, p.db, func(ctx context.Context, tx pgx.Tx) error {
		_, err := mail.Enqueue(ctx, tx, mail.New{
			Recipient: recipient, Template: mail.TemplateActivate, Locale: locale, At: p.clock.Now(),
		})
		return err
	})
}

// states returns how many mails wait, were sent, and were given up.
func (p *post) states(t *testing.T) (waiting, sent, givenUp int) {
	t.Helper()
	const count = `
SELECT count(*) FILTER (WHERE num_nonnulls(sent_at, failed_at) = 0), count(sent_at), count(failed_at)
FROM mail_outbox`
	if err := p.db.Pool().QueryRow(t.Context(), count).Scan(&waiting, &sent, &givenUp); err != nil {
		t.Fatal(err)
	}
	return waiting, sent, givenUp
}

func (p *post) want(t *testing.T, waiting, sent, givenUp int) {
	t.Helper()
	if w, s, g := p.states(t); w != waiting || s != sent || g != givenUp {
		t.Errorf("%d wait, %d sent, %d given up; want %d, %d, %d\n%s", w, s, g, waiting, sent, givenUp, p.log.String())
	}
}

const link = "https://litfass.example/console/activate?token=abc-DEF_123"

func composeLink(context.Context, pgx.Tx, mail.Job) (mail.Content, error) {
	return mail.Content{Link: link, Valid: 24 * time.Hour}, nil
}

func plain(server *mailtest.Server) mail.Config {
	return mail.Config{URL: "smtp://" + server.Address + "?tls=none"}
}
