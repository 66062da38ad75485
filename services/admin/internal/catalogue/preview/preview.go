// Package preview shows events that are not public yet to people without an account: by a link that
// the members of the event's organization make and revoke, and that expires. Only the hash of the
// token in the link is stored. Members see the images of their events without one.
package preview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
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

// Config is the configuration of previews.
type Config struct {
	Valid time.Duration `env:"PREVIEW_VALID" envDefault:"168h"` // of a link
}

// Options are the dependencies of a Service.
type Options struct {
	DB        *postgres.DB
	Variants  *variants.Service // of the images
	Now       auth.Clock
	PublicURL string // without a slash at its end
	Config    Config
}

// Service holds the use cases.
type Service struct {
	Options
	projector project.Projector
}

// New returns the service.
func New(options Options) *Service { return &Service{options, project.New(options.PublicURL)} }

// Link is a new link. It cannot be read again later.
type Link struct {
	URL       string
	ExpiresAt time.Time
}

const (
	lockEvent = `
SELECT taken_back_at IS NOT NULL
FROM event
WHERE uuid = $1
FOR NO KEY UPDATE`

	deleteExpired = `
DELETE FROM preview_link
WHERE event_uuid = $1 AND expires_at <= $2`

	countLinks = `
SELECT count(*)
FROM preview_link
WHERE event_uuid = $1`

	insertLink = `
INSERT INTO preview_link (hash, event_uuid, created_at, expires_at)
VALUES ($1, $2, $3, $4)`
)

// Create makes a link to an event that the logged-in user may read. The faults: Forbidden for an
// API key, because a link outlives it; NotFound for a stranger; Conflict when the event has too
// many valid links, or is taken back.
func (s *Service) Create(ctx context.Context, event string) (Link, error) {
	if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
		return Link{}, err
	}
	secret, now := auth.NewSecret(), s.Now()
	link := Link{URL: s.PublicURL + PagePath + secret, ExpiresAt: now.Add(s.Config.Valid)}
	err := s.DB.InTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, 0)
		if err != nil {
			return err
		}
		if err := s.makeRoom(ctx, tx, event, now); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insertLink, auth.Digest(secret), event, now, link.ExpiresAt); err != nil {
			return fmt.Errorf("store preview link: %w", err)
		}
		return s.record(ctx, tx, "event.preview", event, org, nil, map[string]any{"preview_until": link.ExpiresAt})
	})
	return link, err
}

// makeRoom deletes the event's expired links and refuses one more than it may have, and any of an
// event that is taken back. The event is locked, so that two requests are not both the last.
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
	if _, err := tx.Exec(ctx, deleteExpired, event, now); err != nil {
		return fmt.Errorf("delete expired preview links: %w", err)
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

const deleteLinks = `
DELETE FROM preview_link
WHERE event_uuid = $1`

// Revoke ends every link to an event that the logged-in user may read, and returns how many there
// were. The faults: Forbidden for an API key, NotFound for a stranger.
func (s *Service) Revoke(ctx context.Context, event string) (revoked int64, err error) {
	if err := access.RequireLogin(auth.PrincipalOf(ctx)); err != nil {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		org, err := access.RequireEvent(ctx, tx, auth.PrincipalOf(ctx), event, 0)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, deleteLinks, event)
		if err != nil {
			return fmt.Errorf("delete preview links: %w", err)
		}
		revoked = tag.RowsAffected()
		return s.record(ctx, tx, "event.preview_revoke", event, org, map[string]any{"preview_links": revoked}, nil)
	})
	return revoked, err
}

func (s *Service) record(ctx context.Context, tx pgx.Tx, action, event, org string, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{
		At: s.Now(), Action: action, EntityKind: "event", EntityID: event, OrgUUID: org, Before: before, After: after,
	})
}
