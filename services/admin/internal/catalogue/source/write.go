package source

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/people/access"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/platform/quota"
	"litfass/services/admin/internal/platform/version"
	"litfass/services/admin/internal/publish/outbox"
)

// enter locks the organization and checks the rights of a member who saves a source, and who
// answers for it from then on. The faults: Forbidden, for an API key, too; NotFound for a stranger.
func enter(ctx context.Context, tx pgx.Tx, org string) error {
	who := auth.PrincipalOf(ctx)
	if err := access.RequireLogin(who); err != nil {
		return err
	}
	if err := access.Lock(ctx, tx, org); err != nil {
		return err
	}
	_, err := access.Require(ctx, tx, who, org, managing)
	return err
}

// requireFor checks the rights that the body of a source needs.
func requireFor(ctx context.Context, tx pgx.Tx, org string, body adminapi.SourceBody) error {
	_, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, neededFor(body))
	return err
}

const findSource = `
SELECT EXISTS (
    SELECT
    FROM event_source
    WHERE org_uuid = $1 AND uuid <> $3 AND (record = $2 OR address = $2)
)`

// refuseKnown returns a Conflict fault if the organization has another source with the address, or
// with the record of one.
func refuseKnown(ctx context.Context, tx pgx.Tx, org, id string, body adminapi.SourceBody) error {
	var known bool
	if err := tx.QueryRow(ctx, findSource, org, string(body.Address), id).Scan(&known); err != nil {
		return fmt.Errorf("find a source: %w", err)
	}
	if known {
		return fault.New(fault.Conflict, "source_known", "the organization has a source with this address")
	}
	return nil
}

const insertSource = `
INSERT INTO event_source (
    uuid, org_uuid, name, address, record, interval_minutes, paused, settings, answers_for, created_at, updated_at, next_read_at
)
VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $9, $9)`

// Create adds a source, which is due at once. refused is a fault of its body that is known already,
// nil for none. The faults: NotFound for a stranger; Forbidden, for an API key, too; Invalid,
// naming every bad field; Conflict with the code source_known when the organization has one with
// that address, and too_many_sources.
func (s *Service) Create(
	ctx context.Context, org string, body adminapi.SourceBody, refused error,
) (source adminapi.Source, version int64, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return source, 0, err
	}
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := enter(ctx, tx, org); err != nil {
			return err
		}
		body, err := checked(ctx, tx, org, body, refused)
		if err != nil {
			return err
		}
		if err := refuseKnown(ctx, tx, org, id.String(), body); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, insertSource, id.String(), org, body.Name, string(body.Address), body.IntervalMinutes, body.Paused,
			settingsOf(body), auth.PrincipalOf(ctx).UserID, s.Now())
		if err != nil {
			return fmt.Errorf("store source: %w", err)
		}
		if err := quota.Add(ctx, tx, quota.Sources, org, 1); err != nil {
			return err
		}
		made, err := readOne(ctx, tx, selectSource, org, id.String())
		if err != nil {
			return err
		}
		source, version = made.Source, made.version
		if err := outbox.EnqueueEventsOfSource(ctx, tx, org, made.record); err != nil { // of earlier imports
			return err
		}
		return s.audit(ctx, tx, "create", org, source.UUID, nil, made.recorded())
	})
	return source, version, err
}

// checked returns a normalized body. The faults are those of Create.
func checked(ctx context.Context, tx pgx.Tx, org string, body adminapi.SourceBody, refused error) (adminapi.SourceBody, error) {
	if refused != nil {
		return body, refused
	}
	if err := clean(&body); err != nil {
		return body, err
	}
	return body, requireFor(ctx, tx, org, body)
}

// updateSource makes the source due at once, and forgets what the server knows of its file: other
// settings read it differently.
const updateSource = `
UPDATE event_source
SET name = $3, address = $4, interval_minutes = $5, paused = $6, settings = $7, answers_for = $8, updated_at = $9,
    version = version + 1, next_read_at = $9, etag = NULL, last_modified = NULL, content = NULL, feed = NULL
WHERE org_uuid = $1 AND uuid = $2`

// Update changes a source by edit, whose error is returned after the rights are checked. The events
// that it has brought stay its own, even if it has another address from then on. The faults are
// those of Create, and NotFound; Stale.
func (s *Service) Update(
	ctx context.Context, org, id string, expected version.Expected, edit func(*adminapi.SourceBody) error,
) (source adminapi.Source, version int64, err error) {
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := enter(ctx, tx, org); err != nil {
			return err
		}
		before, err := readOne(ctx, tx, lockSource, org, id)
		if err != nil {
			return err
		}
		if err := expected.Check("source", before.version); err != nil {
			return err
		}
		body := before.SourceBody
		refused := edit(&body)
		body, err = checked(ctx, tx, org, body, refused)
		if err != nil {
			return err
		}
		source, version, err = s.save(ctx, tx, before, body)
		return err
	})
	return source, version, err
}

// save writes a changed source. One that is the same, and of the same member, stays as it is.
func (s *Service) save(ctx context.Context, tx pgx.Tx, before stored, body adminapi.SourceBody) (adminapi.Source, int64, error) {
	org, id, person := before.OrgUUID, before.UUID, auth.PrincipalOf(ctx).UserID
	if before.person == person && same(before.SourceBody, body) {
		return before.Source, before.version, nil
	}
	if err := refuseKnown(ctx, tx, org, id, body); err != nil {
		return adminapi.Source{}, 0, err
	}
	_, err := tx.Exec(ctx, updateSource, org, id, body.Name, string(body.Address), body.IntervalMinutes, body.Paused,
		settingsOf(body), person, s.Now())
	if err != nil {
		return adminapi.Source{}, 0, fmt.Errorf("change source: %w", err)
	}
	changed, err := readOne(ctx, tx, selectSource, org, id)
	if err == nil && changed.Name != before.Name {
		err = outbox.EnqueueEventsOfSource(ctx, tx, org, changed.record)
	}
	if err != nil {
		return adminapi.Source{}, 0, err
	}
	return changed.Source, changed.version, s.audit(ctx, tx, "update", org, id, before.recorded(), changed.recorded())
}

// same reports whether two bodies say the same.
func same(a, b adminapi.SourceBody) bool {
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	other, err := json.Marshal(b)
	return err == nil && bytes.Equal(one, other)
}

const deleteSource = `
DELETE FROM event_source
WHERE org_uuid = $1 AND uuid = $2`

// Delete deletes a source. Its events stay, and are found again by a later source or import of the
// same address. The faults are those of List, and NotFound.
func (s *Service) Delete(ctx context.Context, org, id string) error {
	return s.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := access.Require(ctx, tx, auth.PrincipalOf(ctx), org, managing); err != nil {
			return err
		}
		before, err := readOne(ctx, tx, lockSource, org, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, deleteSource, org, id); err != nil {
			return fmt.Errorf("delete source: %w", err)
		}
		if err := outbox.EnqueueEventsOfSource(ctx, tx, org, before.record); err != nil {
			return err
		}
		return s.audit(ctx, tx, "delete", org, id, before.recorded(), nil)
	})
}

// recorded is the part of a source that the audit has. Of the address, which may be secret, that is
// the server.
func (s stored) recorded() map[string]any {
	server, body := "", s.SourceBody
	if address, err := url.Parse(string(body.Address)); err == nil {
		server = address.Scheme + "://" + address.Host
	}
	return map[string]any{
		"name": body.Name, "server": server, "interval_minutes": body.IntervalMinutes, "paused": body.Paused,
		"release_status": body.Defaults.ReleaseStatus, "missing": body.Missing,
	}
}

func (s *Service) audit(ctx context.Context, tx pgx.Tx, verb, org, id string, before, after map[string]any) error {
	entry := audit.Entry{At: s.Now().Truncate(time.Microsecond), Action: "source." + verb, EntityKind: "source", EntityID: id, OrgUUID: org}
	if before != nil {
		entry.Before = before
	}
	if after != nil {
		entry.After = after
	}
	return audit.Record(ctx, tx, entry)
}
