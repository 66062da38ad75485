// Package presence shows members of an organization who else has an event open, and whether the
// event has changed (RULES.md, Rights). All processes of the service share the signs of presence in
// the database, and use its clock.
package presence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// keep is how long a sign is stored. It counts for a shorter time; see selectPresence.
const keep = time.Minute

// Service holds the use cases.
type Service struct{ db *postgres.DB }

// New returns the service.
func New(db *postgres.DB) *Service { return &Service{db} }

// selectPresence names the members who have given a sign within 15 seconds, except the caller, and
// reports whether the caller's own sign is recent.
const selectPresence = `
SELECT
    e.version,
    coalesce(bool_or(m.user_id = $2 AND p.seen_at > now() - interval '6 seconds'), false),
    coalesce(
        array_agg(coalesce(u.display_name, concat_ws(' ', u.first_name, u.last_name), '') ORDER BY u.id)
            FILTER (WHERE m.user_id <> $2 AND u.deactivated_at IS NULL),
        '{}'
    )
FROM event e
LEFT JOIN event_presence p ON p.event_uuid = e.uuid AND p.seen_at > now() - interval '15 seconds'
LEFT JOIN membership m ON m.org_uuid = e.org_uuid AND m.user_id = p.user_id
LEFT JOIN app_user u ON u.id = m.user_id
WHERE e.uuid = $1
GROUP BY e.version`

// Show returns the version of an event and the other members who have it open. open is a sign that
// the caller has it open: only logged-in members give one, so no operator and no API key is named.
// A stranger's event is a NotFound fault.
func (s *Service) Show(ctx context.Context, event string, open bool) (adminapi.Presence, error) {
	who := auth.PrincipalOf(ctx)
	if _, err := access.RequireEvent(ctx, s.db, who, event, 0); err != nil {
		return adminapi.Presence{}, err
	}
	var stored int64
	var recent bool
	var names []string
	err := s.db.QueryRow(ctx, selectPresence, event, who.UserID).Scan(&stored, &recent, &names)
	if errors.Is(err, pgx.ErrNoRows) { // deleted since the right was checked
		return adminapi.Presence{}, fault.New(fault.NotFound, "event_not_found", "there is no such event")
	}
	if err != nil {
		return adminapi.Presence{}, fmt.Errorf("read presence: %w", err)
	}
	if open && !recent && who.LoggedIn() {
		if err := s.sign(ctx, event, who.UserID); err != nil {
			return adminapi.Presence{}, err
		}
	}
	shown := adminapi.Presence{ETag: version.Tag(stored), People: make([]adminapi.PresentPerson, len(names))}
	for i, name := range names {
		shown.People[i].Name = value.Text(name)
	}
	return shown, nil
}

const insertSign = `
INSERT INTO event_presence (event_uuid, user_id, seen_at)
SELECT e.uuid, m.user_id, now()
FROM event e
JOIN membership m ON m.org_uuid = e.org_uuid
WHERE e.uuid = $1 AND m.user_id = $2
ON CONFLICT (event_uuid, user_id) DO UPDATE
SET seen_at = excluded.seen_at`

func (s *Service) sign(ctx context.Context, event string, userID int) error {
	if _, err := s.db.Exec(ctx, insertSign, event, userID); err != nil {
		return fmt.Errorf("store presence: %w", err)
	}
	return nil
}

const deleteOld = `
DELETE FROM event_presence
WHERE seen_at < now() - make_interval(secs => $1)`

// Prune deletes the signs that no longer count.
func Prune(ctx context.Context, tx pgx.Tx, _ time.Time) error {
	if _, err := tx.Exec(ctx, deleteOld, keep.Seconds()); err != nil {
		return fmt.Errorf("delete old presence: %w", err)
	}
	return nil
}
