package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/services/admin/internal/catalogue/notice"
	"litfass/services/admin/internal/platform/mail"
)

// claimTime is how long a source is claimed, longer than a reading. If this process dies, another
// one reads the source after that time.
const claimTime = 2 * readTime

// claim is a source that this process reads.
type claim struct {
	adminapi.Source
	record             string
	answersFor         int // 0: the member has left
	etag, lastModified string
	content            []byte // the digest of the file that was last imported
	feed               *feed  // nil: to be read from the beginning, or no other Litfass
	importedAt         *time.Time
	version            int64
	at, until          time.Time
}

// isFresh reports whether the file was imported not long ago.
func (c claim) isFresh(now time.Time) bool {
	return c.importedAt != nil && now.Sub(*c.importedAt) < fresh
}

// claims serialises the claims of all processes, each of which takes a few milliseconds.
const claims = `SELECT pg_advisory_xact_lock(7105654, 0)`

const (
	claimOne = `
UPDATE event_source
SET claimed_until = $2
WHERE uuid = (
    SELECT s.uuid
    FROM event_source s
    WHERE `

	due = `NOT s.paused AND s.next_read_at <= $1`

	named = `s.uuid = $3 AND s.org_uuid = $4`

	free = `
        AND NOT EXISTS (
            SELECT
            FROM event_source other
            WHERE other.org_uuid = s.org_uuid AND other.claimed_until > $1
        )
    ORDER BY s.next_read_at, s.uuid
    LIMIT 1
)
RETURNING uuid::text, org_uuid::text, name, address, interval_minutes, settings, record, coalesce(answers_for, 0),
    coalesce(etag, ''), coalesce(last_modified, ''), content, feed, imported_at, version`
)

// claim claims a source by the condition due or named. some is false when there is none that is
// free.
func (s *Service) claim(ctx context.Context, condition string, named ...any) (c claim, some bool, err error) {
	c.at = s.Now().Truncate(time.Microsecond)
	c.until = c.at.Add(claimTime)
	var set settings
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, claims); err != nil {
			return fmt.Errorf("wait to claim a source: %w", err)
		}
		err := tx.QueryRow(ctx, claimOne+condition+free, append([]any{c.at, c.until}, named...)...).
			Scan(&c.UUID, &c.OrgUUID, &c.Name, (*string)(&c.Address), &c.IntervalMinutes, &set, &c.record, &c.answersFor,
				&c.etag, &c.lastModified, &c.content, &c.feed, &c.importedAt, &c.version)
		some = err == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return c, false, fmt.Errorf("claim source: %w", err)
	}
	set.to(&c.SourceBody)
	return c, some, nil
}

// A source that was changed during a reading is due at once.
const (
	releaseSource = `
UPDATE event_source
SET claimed_until = NULL, next_read_at = CASE WHEN version = $3 THEN $4 ELSE next_read_at END
WHERE uuid = $1 AND claimed_until = $2`

	succeedSource = `
UPDATE event_source
SET claimed_until = NULL, read_at = $5, succeeded_at = $5, failures = 0, failing_since = NULL, failure = NULL, warned_at = NULL,
    next_read_at = CASE WHEN version = $3 THEN $4 ELSE next_read_at END,
    etag = CASE WHEN version = $3 THEN nullif($6, '') END,
    last_modified = CASE WHEN version = $3 THEN nullif($7, '') END,
    content = CASE WHEN version = $3 THEN $8::bytea END,
    imported_at = CASE WHEN $9::jsonb IS NULL THEN imported_at ELSE $5 END,
    report = coalesce($9, report),
    feed = CASE WHEN version = $3 THEN $10::jsonb END
WHERE uuid = $1 AND claimed_until = $2`

	failSource = `
UPDATE event_source
SET claimed_until = NULL, read_at = $5, failures = failures + 1, failing_since = coalesce(failing_since, $5), failure = $6,
    next_read_at = CASE WHEN version = $3 THEN $4 ELSE next_read_at END,
    warned_at = CASE WHEN failures + 1 >= $7 THEN coalesce(warned_at, $5) END
WHERE uuid = $1 AND claimed_until = $2
RETURNING coalesce(warned_at = $5 AND failures = $7, false)`

	forgetDuplicates = `
DELETE FROM source_duplicate
WHERE source_uuid = $1 AND decision IS NULL AND seen_at <> $2 AND ($3::text[] IS NULL OR external_id = ANY($3))`
)

// warnAfter is the number of failures in a row after which those who answer for a source get a
// mail.
const warnAfter = 3

// release ends a claim without a result.
func (s *Service) release(ctx context.Context, c claim) error {
	if _, err := s.DB.Exec(ctx, releaseSource, c.UUID, c.until, c.version, s.Now().Add(tryAgain)); err != nil {
		return fmt.Errorf("release source: %w", err)
	}
	return nil
}

// succeed ends a claim with a success.
func (s *Service) succeed(ctx context.Context, c claim, o outcome) error {
	interval := time.Duration(c.IntervalMinutes) * time.Minute
	next := c.at.Add(max(interval, o.retryAfter) + s.Jitter(interval))
	known, content := o.answer.Validators, o.content
	complete := o.report != nil && o.report.Complete
	if o.report != nil && !complete {
		next, known.ETag, known.LastModified, content = c.at.Add(max(tryAgain, o.retryAfter)), "", "", nil
	}
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, succeedSource, c.UUID, c.until, c.version, next, c.at, known.ETag, known.LastModified, content, o.report, o.feed)
		if err == nil && complete && done.RowsAffected() == 1 {
			_, err = tx.Exec(ctx, forgetDuplicates, c.UUID, c.at, o.compared)
		}
		if err != nil {
			return fmt.Errorf("record reading of source: %w", err)
		}
		return nil
	})
}

// fail ends a claim with a failure of the source. The third one in a row is a mail. A busy server
// is not asked before the time that it wants.
func (s *Service) fail(ctx context.Context, c claim, failure fault.Violation, retryAfter time.Duration) error {
	pause := max(min(time.Duration(c.IntervalMinutes)*time.Minute, afterFault), retryAfter)
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		warn := false
		next := c.at.Add(pause + s.Jitter(pause))
		err := tx.QueryRow(ctx, failSource, c.UUID, c.until, c.version, next, c.at, failure, warnAfter).Scan(&warn)
		switch {
		case errors.Is(err, pgx.ErrNoRows): // it was deleted
			return nil
		case err != nil:
			return fmt.Errorf("record failure of source: %w", err)
		case !warn:
			return nil
		}
		return s.warn(ctx, tx, c)
	})
}

const (
	selectAnswering = `
SELECT u.id, u.email, u.locale
FROM app_user u
WHERE u.id = $1 AND u.deactivated_at IS NULL
    AND (u.is_platform_admin OR EXISTS (SELECT FROM membership m WHERE m.user_id = u.id AND m.org_uuid = $2))`

	selectOrganizationName = `
SELECT name
FROM organization
WHERE uuid = $1`
)

// warn notifies the member who answers for a source, or those who manage the team if that one has
// left.
func (s *Service) warn(ctx context.Context, tx pgx.Tx, c claim) error {
	people, err := notice.People(ctx, tx, selectAnswering, c.answersFor, c.OrgUUID)
	if err == nil && len(people) == 0 {
		people, err = notice.People(ctx, tx, notice.Team, c.OrgUUID, int64(permission.ManageTeam))
	}
	if err != nil {
		return err
	}
	var name string
	if err := tx.QueryRow(ctx, selectOrganizationName, c.OrgUUID).Scan(&name); err != nil {
		return fmt.Errorf("read organization of source: %w", err)
	}
	return notice.Send(ctx, tx, notice.Notice{
		Template: mail.TemplateSourceFails, Org: c.OrgUUID, Name: name, Event: c.Name, Recipients: people, At: c.at,
	})
}
