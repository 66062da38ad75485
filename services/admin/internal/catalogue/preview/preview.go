// Package preview shows events that are not public yet to people without an account: by a link that
// editors of the event make and revoke, and that expires. It ends with its maker's right to edit
// the event, and when the event changes its organization (RULES.md, Rights). Only the hash of the
// token in the link is stored. Members see the images of their events without one.
package preview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/permission"
	"litfass/pkg/contracts/project"
	"litfass/pkg/media/variants"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/postgres"
)

// Paths below the public address; a token follows.
const (
	PagePath = "/preview/"     // of the site's page, where links lead
	Path     = "/api/preview/" // of the event of a link as JSON, and of its images
)

// maxLinks is the maximum number of valid links of one event.
const maxLinks = 20

// editRight is the right that the maker of a link needs, in SQL.
const editRight = int64(permission.EditEvent)

// Config is the configuration of previews.
type Config struct {
	Valid time.Duration `env:"PREVIEW_VALID" envDefault:"168h"` // of a link
}

// Options are the dependencies of a Service.
type Options struct {
	DB        *postgres.DB
	Variants  *variants.Service // of the images
	Now       auth.Clock
	PublicURL string         // without a slash at its end
	Zone      *time.Location // of places without a time zone
	Config    Config
}

// Service holds the use cases.
type Service struct {
	Options
	projector project.Projector
}

// New returns the service.
func New(options Options) *Service {
	return &Service{options, project.New(options.PublicURL, options.Zone.String())}
}

// Link is a new link. Its URL cannot be read again later.
type Link struct {
	UUID      string
	URL       string
	ExpiresAt time.Time
}

const (
	lockEvent = `
SELECT taken_back_at IS NOT NULL
FROM event
WHERE uuid = $1
FOR NO KEY UPDATE`

	deleteEnded = `
DELETE FROM preview_link
WHERE event_uuid = $1 AND hash NOT IN (SELECT l.hash ` + fromValid + ` AND l.event_uuid = $1)`

	countLinks = `
SELECT count(*)
FROM preview_link
WHERE event_uuid = $1`

	insertLink = `
INSERT INTO preview_link (hash, event_uuid, created_at, expires_at, uuid, org_uuid, made_by, api_key_uuid)
VALUES (
    $1, $2, $3, $4, $5, $6,
    coalesce(nullif($7, 0), (SELECT created_by FROM api_key WHERE uuid = nullif($8, '')::uuid)), nullif($8, '')::uuid
)`
)

// fromValid begins the query of the links l that show their events e at the time $2. $3 is the
// right that their makers need.
const fromValid = `
FROM preview_link l
JOIN event e ON e.uuid = l.event_uuid AND e.org_uuid = coalesce(l.org_uuid, e.org_uuid)
LEFT JOIN app_user u ON u.id = l.made_by
LEFT JOIN membership m ON m.user_id = u.id AND m.org_uuid = e.org_uuid
LEFT JOIN api_key k ON k.uuid = l.api_key_uuid
WHERE l.expires_at > $2
    AND (
        l.made_by IS NULL
        OR u.activated_at IS NOT NULL AND u.deactivated_at IS NULL AND (u.is_platform_admin OR m.permissions & $3 = $3)
    )
    AND (
        l.api_key_uuid IS NULL
        OR k.revoked_at IS NULL AND coalesce(k.expires_at > $2, true) AND k.permissions & $3 = $3
    )`

// Create makes a link to an event. The faults: NotFound for a stranger, Forbidden without the right
// to edit the event; Conflict when the event has too many valid links, or is taken back.
func (s *Service) Create(ctx context.Context, event string) (Link, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Link{}, err
	}
	who, secret, now := auth.PrincipalOf(ctx), auth.NewSecret(), s.Now()
	link := Link{UUID: id.String(), URL: s.PublicURL + PagePath + secret, ExpiresAt: now.Add(s.Config.Valid)}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, who, event, permission.EditEvent)
		if err != nil {
			return err
		}
		if err := s.makeRoom(ctx, tx, event, now); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, insertLink, auth.Digest(secret), event, now, link.ExpiresAt, link.UUID, org, who.UserID, who.APIKey)
		if err != nil {
			return fmt.Errorf("store preview link: %w", err)
		}
		return s.record(ctx, tx, "event.preview", event, org, nil, map[string]any{"preview_until": link.ExpiresAt})
	})
	return link, err
}

// makeRoom deletes the event's links that have ended and refuses one more than it may have, and any
// of an event that is taken back. The event is locked, so that two requests are not both the last.
func (s *Service) makeRoom(ctx context.Context, tx pgx.Tx, event string, now time.Time) error {
	var takenBack bool
	err := tx.QueryRow(ctx, lockEvent, event).Scan(&takenBack)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // deleted since the right was checked
		return fault.New(fault.NotFound, "event_not_found", "there is no such event")
	case err != nil:
		return fmt.Errorf("lock event: %w", err)
	case takenBack:
		return rules.ErrTakenBack()
	}
	if _, err := tx.Exec(ctx, deleteEnded, event, now, editRight); err != nil {
		return fmt.Errorf("delete preview links that have ended: %w", err)
	}
	var links int
	if err := tx.QueryRow(ctx, countLinks, event).Scan(&links); err != nil {
		return fmt.Errorf("count preview links: %w", err)
	}
	if links >= maxLinks {
		return fault.New(fault.Conflict, "too_many_previews",
			"the event has %d preview links; revoke them to make another one", links)
	}
	return nil
}

const selectLinks = `
SELECT
    l.uuid::text, coalesce(u.display_name, nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email, ''),
    coalesce(k.name, ''), l.created_at, l.expires_at
FROM preview_link l
LEFT JOIN membership m ON m.user_id = l.made_by AND m.org_uuid = l.org_uuid
LEFT JOIN app_user u ON u.id = m.user_id
LEFT JOIN api_key k ON k.uuid = l.api_key_uuid
WHERE l.hash IN (SELECT l.hash ` + fromValid + ` AND l.event_uuid = $1)
ORDER BY l.created_at, l.uuid`

// List returns the valid links of an event, the oldest first. The faults: NotFound for a stranger,
// Forbidden without the right to edit the event.
func (s *Service) List(ctx context.Context, event string) (adminapi.PreviewLinks, error) {
	var shown adminapi.PreviewLinks
	err := s.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		_, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, permission.EditEvent)
		if err != nil {
			return err
		}
		shown.PreviewLinks, err = postgres.List[adminapi.PreviewLinkEntry](ctx, tx, "preview links",
			selectLinks, event, s.Now(), editRight)
		return err
	})
	return shown, err
}

const deleteLinks = `
DELETE FROM preview_link
WHERE event_uuid = $1 AND ($2 = '' OR uuid = nullif($2, '')::uuid)`

// Revoke ends every link to an event and returns how many there were, or the one with the uuid
// link. The faults: NotFound for a stranger, and for a link that the event does not have; Forbidden
// without the right to edit the event.
func (s *Service) Revoke(ctx context.Context, event, link string) (revoked int64, err error) {
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, permission.EditEvent)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, deleteLinks, event, link)
		if err != nil {
			return fmt.Errorf("delete preview links: %w", err)
		}
		if revoked = tag.RowsAffected(); revoked == 0 && link != "" {
			return fault.New(fault.NotFound, "preview_link_not_found", "the event has no such preview link")
		}
		return s.record(ctx, tx, "event.preview_revoke", event, org, map[string]any{"preview_links": revoked}, nil)
	})
	return revoked, err
}

func (s *Service) record(ctx context.Context, tx pgx.Tx, action, event, org string, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "event", EntityID: event, OrgUUID: org, Before: before, After: after,
	})
}
