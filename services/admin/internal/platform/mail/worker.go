package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/platform/postgres"
)

const (
	// A person waits for the mail of a signup, and asking an empty queue is one look into an index.
	pollEvery  = 250 * time.Millisecond // the maximum wait of a mail while the server accepts mails
	pauseDown  = 30 * time.Second       // after the server accepted no mail
	countEvery = 15 * time.Second
)

// Composer returns the content of a queued mail just before it is sent. Its writes, such as the
// hash of the token in Content.Link, are committed before the mail is sent. It returns ErrDropped
// when the mail must not be sent.
type Composer func(ctx context.Context, tx pgx.Tx, queued Job) (Content, error)

// ErrDropped removes a mail from the queue unsent: there is no account with the address, or no
// longer a reason for the mail.
var ErrDropped = errors.New("the mail is dropped")

// Worker sends the mails that are due. Several may run concurrently, in one process or many.
type Worker struct {
	db        *postgres.DB
	transport Transport
	renderer  *Renderer
	compose   Composer
	from      netmail.Address
	attempts  int
	now       func() time.Time
	log       *slog.Logger
	figures   *figures
}

// WorkerOptions are the dependencies of a worker.
type WorkerOptions struct {
	DB        *postgres.DB
	Transport Transport
	Compose   Composer
	Config    Config
	Now       func() time.Time
	Log       *slog.Logger
	Metrics   prometheus.Registerer
}

// NewWorker returns a worker. An error is due to the templates or MAIL_FROM.
func NewWorker(options WorkerOptions) (*Worker, error) {
	renderer, err := NewRenderer()
	if err != nil {
		return nil, err
	}
	from, err := ParseFrom(options.Config.From)
	if err != nil {
		return nil, err
	}
	return &Worker{
		db: options.DB, transport: options.Transport, renderer: renderer, compose: options.Compose, from: from,
		attempts: options.Config.Attempts, now: options.Now, log: options.Log, figures: newFigures(options.Metrics),
	}, nil
}

// Run sends mails until ctx ends. It returns nil: a failure of a mail or of the database is logged
// and retried.
func (w *Worker) Run(ctx context.Context) error {
	counted := time.Time{}
	for ctx.Err() == nil {
		pause := pollEvery
		if err := w.Drain(ctx); err != nil && ctx.Err() == nil {
			pause = pauseDown
			w.log.Warn("mails wait", "pause", pause.String(), "reason", reason(err))
		}
		if time.Since(counted) > countEvery {
			w.count(ctx)
			counted = time.Now()
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

// Drain sends every mail that is due. It returns early with a *DownError when the server accepts no
// mail, or with the database's error.
func (w *Worker) Drain(ctx context.Context) error {
	for ctx.Err() == nil {
		queued, err := claim(ctx, w.db.Pool(), w.now())
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("take mail from queue: %w", err)
		}
		if err := w.deliver(ctx, queued); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// deliver sends the mail and stores the outcome. It returns a *DownError, or the database's error.
func (w *Worker) deliver(ctx context.Context, queued Job) error {
	err := w.send(ctx, queued)
	var down *DownError
	var refusal *RefusedError
	switch {
	case err == nil:
		w.figures.outcome("sent")
		return w.note(ctx, noteSent, queued.ID, w.now())
	case errors.Is(err, ErrDropped):
		w.figures.outcome("dropped")
		return w.note(ctx, deleteMail, queued.ID)
	case errors.As(err, &down):
		w.figures.outcome("server_down")
		return errors.Join(err, w.note(ctx, noteDown, queued.ID, err.Error(), w.now().Add(pauseDown)))
	case errors.As(err, &refusal), queued.Attempts >= w.attempts:
		w.figures.outcome("given_up")
		w.log.Error("mail given up", "mail", queued.ID, "template", queued.Template, "attempts", queued.Attempts,
			"reason", reason(err))
		return w.note(ctx, noteGivenUp, queued.ID, err.Error(), w.now())
	default:
		w.figures.outcome("retried")
		w.log.Warn("mail failed for now", "mail", queued.ID, "template", queued.Template, "attempts", queued.Attempts,
			"reason", reason(err))
		return w.note(ctx, noteRetry, queued.ID, err.Error())
	}
}

// send composes the mail, commits the composer's writes, and hands it to the transport.
func (w *Worker) send(ctx context.Context, queued Job) error {
	var content Content
	err := w.db.InTx(ctx, func(tx pgx.Tx) (err error) {
		content, err = w.compose(ctx, tx, queued)
		return err
	})
	if err != nil {
		return fmt.Errorf("compose: %w", err)
	}
	if content.Locale == "" {
		content.Locale = queued.Locale
	}
	mail, err := w.renderer.render(queued.Template, content)
	if err != nil {
		return fmt.Errorf("compose: %w", err)
	}
	return w.transport.Send(ctx, Message{
		ID: messageID(queued, w.from), From: w.from, Recipient: queued.Recipient,
		Subject: mail.subject, Text: mail.text, HTML: mail.html, Link: content.Link, Date: w.now(),
	})
}

// note stores the outcome even while the process is stopping, because the mail has been sent.
func (w *Worker) note(ctx context.Context, statement string, args ...any) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := w.db.Exec(ctx, statement, args...); err != nil {
		return fmt.Errorf("store outcome of mail: %w", err)
	}
	return nil
}

func (w *Worker) count(ctx context.Context) {
	var waiting, givenUp int64
	if err := w.db.QueryRow(ctx, countMails).Scan(&waiting, &givenUp); err == nil {
		w.figures.queue(waiting, givenUp)
	}
}
