// Package sending decides which mails and notices are sent. Every mail of the service and every
// notice in an inbox goes through it: its table of kinds bounds them by who sends, by who receives,
// by what they are about, and by time. The counts are in the database, so the bounds hold for all
// processes together.
package sending

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
)

// Sender is who causes a mail or notice.
type Sender struct {
	UserID   int    // 0: a visitor, or the program itself
	Email    string // of the user; "" where only the account counts
	Org      string // in whose name; "" for none
	Newcomer bool   // none of the user's invitations was ever accepted
}

func (s Sender) accounts() (keys []string) {
	if s.UserID != 0 {
		keys = append(keys, strconv.Itoa(s.UserID))
	}
	if s.Email != "" {
		keys = append(keys, mailbox(s.Email))
	}
	return keys
}

// mailbox returns the address without the tag that most mail servers ignore: mails to
// anna+x@example.org arrive at anna@example.org.
func mailbox(email string) string {
	name, domain, _ := strings.Cut(strings.ToLower(email), "@")
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + domain
}

// bounded counts what was beyond a bound.
var bounded = prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "litfass_sending_bounded_total",
	Help: "Mails and notices beyond a bound by kind and by what became of them: gathered, dropped, refused.",
}, []string{"kind", "outcome"})

// Register registers the metrics.
func Register(metrics prometheus.Registerer) {
	for _, k := range kinds {
		bounded.WithLabelValues(k.Name, string(k.Beyond)) // exported from the start
	}
	metrics.MustRegister(bounded)
}

// Mail queues a mail to one address and returns its id. sent is false for a mail of a kind that is
// dropped beyond its bounds. The fault is TooMany for a kind that is refused.
func Mail(ctx context.Context, tx pgx.Tx, from Sender, queued mail.New) (id int64, sent bool, err error) {
	kind, known := kindOf(queued.Template)
	if !known || kind.Beyond == Gathered {
		return 0, false, fmt.Errorf("no kind of single mails has the template %s", queued.Template)
	}
	sent, err = count(ctx, tx, kind, queued.At, kind.limits(from, "", mailbox(queued.Recipient)))
	if err != nil || !sent {
		return 0, false, err
	}
	id, err = mail.Enqueue(ctx, tx, queued)
	return id, true, err
}

// Message counts a message of a person to a user or an organization. The fault is TooMany.
func Message(ctx context.Context, tx pgx.Tx, from Sender, receiver string, at time.Time) error {
	for _, kind := range kinds {
		if kind.Name == message {
			_, err := count(ctx, tx, kind, at, kind.limits(from, "", receiver))
			return err
		}
	}
	return nil
}

// count counts one mail, and returns whether it is within the bounds of its kind.
func count(ctx context.Context, tx pgx.Tx, kind Kind, at time.Time, limits []auth.AccountLimit) (bool, error) {
	refused, err := auth.CountEach(ctx, tx, at, limits)
	if err != nil {
		return false, err
	}
	if refused[0] == nil {
		return true, nil
	}
	bounded.WithLabelValues(kind.Name, string(kind.Beyond)).Inc()
	if kind.Beyond == Refused {
		return false, refused[0]
	}
	return false, nil
}
