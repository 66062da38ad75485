package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/mail"
	"litfass/services/admin/internal/platform/postgres"
)

// Person is a user who is notified.
type Person struct {
	ID     int
	Email  string
	Locale string
}

// holdNotices adds to what the next digest of each user counts.
const holdNotices = `
INSERT INTO held_notice (user_id, template, notices, since)
SELECT id, $2, 1, $3
FROM unnest($1::integer[]) AS id
ORDER BY id
ON CONFLICT (user_id, template) DO UPDATE
SET notices = held_notice.notices + 1`

// Notice is a notice to people, by mail and in their inboxes.
type Notice struct {
	From      Sender
	Template  string // of the mail
	Subject   string // identifies what it is about
	Arguments any    // of the mail
	Silent    bool   // no mail
	People    []Person
	At        time.Time
}

// Send counts the notice to each of the people, queues mails, and returns those who get it: the
// caller leaves it in their inboxes. The others find it counted in their next digest. The error is
// postgres.ErrRetry when one of them has just deleted their account.
func (n Notice) Send(ctx context.Context, tx pgx.Tx) (admitted []Person, err error) {
	kind, known := kindOf(n.Template)
	if !known || kind.Beyond != Gathered {
		return nil, fmt.Errorf("no kind of notices has the template %s", n.Template)
	}
	limits := make([][]auth.AccountLimit, len(n.People))
	for i, person := range n.People {
		limits[i] = kind.limits(n.From, n.Subject, mailbox(person.Email))
	}
	refused, err := auth.CountEach(ctx, tx, n.At, limits...)
	if err != nil {
		return nil, err
	}
	var held []int
	for i, person := range n.People {
		switch {
		case refused[i] != nil:
			held = append(held, person.ID)
			continue
		case !n.Silent:
			_, err = mail.Enqueue(ctx, tx, mail.New{
				Recipient: person.Email, Template: n.Template, Locale: person.Locale, At: n.At, Arguments: n.Arguments,
			})
			if err != nil {
				return nil, err
			}
		}
		admitted = append(admitted, person)
	}
	bounded.WithLabelValues(kind.Name, string(kind.Beyond)).Add(float64(len(held)))
	return admitted, n.hold(ctx, tx, held)
}

// userKey is the schema's: held notices belong to an account.
const userKey = "held_notice_user_id_fkey"

func (n Notice) hold(ctx context.Context, tx pgx.Tx, users []int) error {
	if len(users) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, holdNotices, users, n.Template, n.At)
	if constraint, _ := postgres.Refused(err); constraint == userKey {
		return postgres.ErrRetry // a recipient deleted their account after they were read
	}
	if err != nil {
		return fmt.Errorf("hold notices: %w", err)
	}
	return nil
}

// Held are the notices of one template that a person did not get.
type Held struct {
	Person
	Template string
	Notices  int
}

// gatherFor is how long notices are gathered before they are counted in a digest, and the most
// digests that one round of the janitor sends.
const (
	gatherFor  = time.Hour
	maxDigests = 500
)

// takeHeld deletes the rows of the users whose first notice was held before $1. Another process
// that does so at the same time waits, and then finds none. Users without a login get no digest.
const takeHeld = `
WITH due AS (
    SELECT user_id
    FROM held_notice
    GROUP BY user_id
    HAVING min(since) <= $1
    ORDER BY min(since)
    LIMIT $2
), taken AS (
    DELETE FROM held_notice
    WHERE user_id IN (SELECT user_id FROM due)
    RETURNING user_id, template, notices
)
SELECT u.id, u.email, u.locale, taken.template, taken.notices
FROM taken
JOIN app_user u ON u.id = taken.user_id AND u.deactivated_at IS NULL
ORDER BY u.id, taken.template`

// TakeHeld removes and returns what was gathered an hour ago, sorted by person.
func TakeHeld(ctx context.Context, tx pgx.Tx, now time.Time) ([]Held, error) {
	rows, _ := tx.Query(ctx, takeHeld, now.Add(-gatherFor), maxDigests) // the error comes with the rows
	held, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h Held, err error) {
		return h, row.Scan(&h.ID, &h.Email, &h.Locale, &h.Template, &h.Notices)
	})
	if err != nil {
		return nil, fmt.Errorf("take held notices: %w", err)
	}
	return held, nil
}
