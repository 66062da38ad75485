package outbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/change"
	"litfass/services/admin/internal/platform/postgres"
)

// A form is how a program publishes the entities of a kind: a digest of the fields of their
// snapshots and of the queries that read them. The form that appeared last is the current one. A
// leader whose forms are current republishes the entities that were published in another form
// (republish.go). A leader with an older form publishes edits in it and notes nothing, by which its
// messages are recognized later: republishing in turns is impossible while both run.

const (
	// touchEvery is how often a process records that its forms are in use.
	touchEvery = 30 * time.Second
	// abandoned is how long no process may have used a newer form before an older one becomes current
	// again, as after a rollback. It is longer than a process takes to restart.
	abandoned = 5 * time.Minute
)

// edition is a part of every form. It is empty but in tests, where the linker sets it to build
// another release.
var edition string

// Forms are digests of the forms of this program by kind.
type Forms map[change.Kind]string

// CurrentForms returns the forms in which this program publishes.
func CurrentForms() Forms {
	forms := Forms{}
	for kind, queries := range map[change.Kind][]string{
		change.KindLookup:       {selectLookupSnapshots},
		change.KindRegion:       {selectRegionSnapshots},
		change.KindOrganization: {selectOrganizationSnapshots},
		change.KindVenue:        {selectVenueSnapshots},
		change.KindPortal:       {selectPortalSnapshots},
		change.KindList:         {selectListSnapshots},
		change.KindSeries:       {selectSeriesSnapshots},
		change.KindContributor:  {selectContributorSnapshots},
		change.KindEvent:        {selectEventSnapshots, selectVenuesOfEvents, selectSpacesOfEvents},
	} {
		parts := []string{edition, change.Shape(kind)}
		for _, query := range append(queries, publicIDs[kind]) {
			parts = append(parts, strings.Join(strings.Fields(query), " ")) // layout does not count
		}
		forms[kind] = digest(parts...)
	}
	return forms
}

// Digest returns one digest for all forms.
func (f Forms) Digest() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(f)) {
		parts = append(parts, string(kind), f[kind])
	}
	return digest(parts...)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// columns returns the forms as arrays of kinds and digests.
func (f Forms) columns() (kinds, digests []string) {
	for kind, digest := range f {
		kinds, digests = append(kinds, string(kind)), append(digests, digest)
	}
	return kinds, digests
}

// upsertForms records that forms are in use. A form that is new to a database that has published
// before is yet to be published.
const upsertForms = `
INSERT INTO snapshot_form (kind, digest, after)
SELECT form.kind, form.digest, CASE WHEN (SELECT is_called FROM catalog_revision) THEN '' END
FROM unnest($1::text[], $2::text[]) AS form (kind, digest)
ON CONFLICT (kind, digest) DO UPDATE SET seen_at = now()`

// reviveForms makes forms current again whose successors have been abandoned.
const reviveForms = `
UPDATE snapshot_form AS own
SET number = nextval('snapshot_form_number'), after = ''
FROM unnest($1::text[], $2::text[]) AS form (kind, digest), current_snapshot_form AS current
WHERE own.kind = form.kind AND own.digest = form.digest
    AND current.kind = form.kind AND current.digest <> form.digest AND current.seen_at < now() - $3::interval`

const selectFormsAreCurrent = `
SELECT count(*) = cardinality($1::text[])
FROM unnest($1::text[], $2::text[]) AS form (kind, digest)
JOIN current_snapshot_form USING (kind, digest)`

// touchForms records periodically that the forms of this process are in use, and reports whether
// all of them are current. leads means that this process publishes, and may replace newer forms
// that have been abandoned.
func (r *Relay) touchForms(ctx context.Context, s *session, leads bool) (current bool, err error) {
	if time.Since(r.touched) < r.touchEvery {
		return s.current, nil
	}
	kinds, digests := r.Forms.columns()
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, upsertForms, kinds, digests); err != nil {
			return err
		}
		if leads {
			if _, err := tx.Exec(ctx, reviveForms, kinds, digests, abandoned); err != nil {
				return err
			}
		}
		return tx.QueryRow(ctx, selectFormsAreCurrent, kinds, digests).Scan(&current)
	})
	if err != nil {
		return false, fmt.Errorf("record the forms of snapshots: %w", err)
	}
	r.touched = time.Now()
	return current, nil
}

const selectFormRecord = `
SELECT identity, sequence, coalesce(form_identity, ''), coalesce(form_sequence, 0)
FROM relay_stream`

const restartForms = `
UPDATE snapshot_form AS own
SET after = ''
FROM unnest($1::text[], $2::text[]) AS form (kind, digest)
WHERE own.kind = form.kind AND own.digest = form.digest`

const updateFormRecord = `
UPDATE relay_stream
SET form_identity = identity, form_sequence = sequence`

// enqueueOtherForms enqueues the entities that leaders with other forms have published since a
// leader with the current ones did, and notes that everything after is in the current forms. If the
// stream was replaced in between, everything is published again.
func (r *Relay) enqueueOtherForms(ctx context.Context, s *session) error {
	var identity, known string
	var sequence, from uint64
	if err := s.conn.QueryRow(ctx, selectFormRecord).Scan(&identity, &sequence, &known, &from); err != nil {
		return fmt.Errorf("read what was published in other forms: %w", err)
	}
	if identity == known && sequence == from {
		return nil
	}
	entities := map[change.Kind][]string{}
	if identity == known {
		_, err := r.Stream.WalkFrom(ctx, from+1, func(_ uint64, c change.Change) error {
			entities[c.Kind] = append(entities[c.Kind], c.ID)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		for kind, ids := range entities {
			if err := Enqueue(ctx, tx, kind, ids); err != nil {
				return err
			}
		}
		if identity != known {
			kinds, digests := r.Forms.columns()
			if _, err := tx.Exec(ctx, restartForms, kinds, digests); err != nil {
				return fmt.Errorf("publish in the current forms: %w", err)
			}
		}
		if _, err := tx.Exec(ctx, updateFormRecord); err != nil {
			return fmt.Errorf("record what was published in other forms: %w", err)
		}
		return nil
	})
}

// form returns the digest of the forms if everything up to now is published in them, else "".
func (r *Relay) form(s *session) string {
	if s.current && r.uniform.Load() {
		return r.Forms.Digest()
	}
	return ""
}

const selectUnpublishedForms = `
SELECT kind
FROM current_snapshot_form
WHERE after IS NOT NULL`

// OtherForms returns the kinds of which some entities may still be published in another form.
func OtherForms(ctx context.Context, q postgres.Querier) ([]string, error) {
	return postgres.Collect[string](ctx, q, "forms of snapshots", selectUnpublishedForms)
}
