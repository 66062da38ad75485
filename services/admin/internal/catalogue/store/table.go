// Package store keeps the rows of the catalogue: regions, organizations, venues, spaces, events and
// value sets. It is the only package that writes their tables. Its caller, package editing, checks
// the rules of the catalogue.
//
// Rows travel to and from SQL as JSON: the keys of the catalogue's types are the names of the
// columns, so that one json_populate_recordset writes a batch of any size in one statement, and one
// row_to_json reads it back.
package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/rules"
	"litfass/services/admin/internal/platform/postgres"
)

// Stored is an entity as stored, with its version: the number of its writes so far.
type Stored[E rules.Entity] struct {
	Version int64
	Entity  E
}

// Found are stored entities by their keys.
type Found[E rules.Entity] = map[string]Stored[E]

// Versions is the version of each written entity by its key: 1 when it was created.
type Versions map[string]int64

// Table reads and writes the rows of one kind of entity.
type Table[E rules.Entity] struct {
	kind   rules.Kind
	read   string // version and JSON of the rows with the keys $1
	upsert string // writes the rows of the JSON $1, gives key and version of each
	remove string // deletes the row with the key $1; "" for a kind that is never deleted
	uses   string // counts the users of the row with the key $1, see Uses; "" for a kind that is not used

	row func(E) any // the row of an entity; nil if the entity is its own row
	// parts queues the statements that write the parts of entities; nil for a kind without parts.
	parts func(batch *pgx.Batch, entities []E, stored Found[E])
}

// Read returns the entities of those keys that exist, normalized.
func (t Table[E]) Read(ctx context.Context, tx pgx.Tx, keys []string) (Found[E], error) {
	found := make(Found[E], len(keys))
	err := eachRow(ctx, tx, func(row Stored[E]) error {
		found[row.Entity.Key()] = row
		return nil
	}, t.read, keys)
	if err != nil {
		return nil, fmt.Errorf("read %ss: %w", t.kind, err)
	}
	return found, nil
}

// eachRow runs a query for version and JSON of entities, and calls fn with each as it arrives.
func eachRow[E rules.Entity](
	ctx context.Context, tx pgx.Tx, fn func(Stored[E]) error, sql string, args ...any,
) error {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row Stored[E]
		if err := rows.Scan(&row.Version, &row.Entity); err != nil {
			return err
		}
		// Values that JSON can write in several ways have one form: moments in UTC, geometries without
		// spaces.
		row.Entity.Normalize()
		if err := fn(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Write creates or changes entities with all their parts. stored holds the entities that already
// exist; the caller has locked their rows. Write returns postgres.ErrRetry when another transaction
// has created one of the other entities since, and a Conflict fault when an event that is taken
// back would become public.
func (t Table[E]) Write(ctx context.Context, tx pgx.Tx, entities []E, stored Found[E]) (Versions, error) {
	batch, versions := &pgx.Batch{}, Versions{}
	batch.Queue(t.upsert, t.rows(entities)).Query(func(written pgx.Rows) error {
		return versions.collect(written, func(key string) bool { _, known := stored[key]; return known })
	})
	if t.parts != nil {
		t.parts(batch, entities, stored)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("write %ss: %w", t.kind, err)
	}
	if t.kind == rules.KindEvent && len(versions) < len(entities) {
		return nil, errTakenBack()
	}
	return versions, nil
}

// collect reads keys and versions of rows that were written. It returns postgres.ErrRetry for a row
// that existed without being known.
func (v Versions) collect(written pgx.Rows, known func(key string) bool) error {
	var key string
	var version int64
	_, err := pgx.ForEachRow(written, []any{&key, &version}, func() error {
		if version > 1 && !known(key) {
			return postgres.ErrRetry
		}
		v[key] = version
		return nil
	})
	return err
}

func (t Table[E]) rows(entities []E) any {
	if t.row == nil {
		return entities
	}
	rows := make([]any, len(entities))
	for i, entity := range entities {
		rows[i] = t.row(entity)
	}
	return rows
}

// Delete deletes an entity that is not in use. The caller has locked its row ForDelete.
func (t Table[E]) Delete(ctx context.Context, tx pgx.Tx, key string) error {
	if _, err := tx.Exec(ctx, t.remove, key); err != nil {
		return fmt.Errorf("delete %s: %w", t.kind, err)
	}
	return nil
}

// Uses is how many entities of each kind refer to an entity.
type Uses struct {
	Organizations, Venues, Events, Portals, Lists, Series int
}

// Uses counts the references to an entity.
func (t Table[E]) Uses(ctx context.Context, tx pgx.Tx, key string) (Uses, error) {
	var uses Uses
	if t.uses == "" {
		return uses, nil
	}
	err := tx.QueryRow(ctx, t.uses, key).Scan(&uses.Organizations, &uses.Venues, &uses.Events, &uses.Portals, &uses.Lists, &uses.Series)
	if err != nil {
		return Uses{}, fmt.Errorf("count uses of %s: %w", t.kind, err)
	}
	return uses, nil
}

// bits returns a mask as stored in its column: the bigint of the same bit pattern.
func bits(mask *value.Mask) *int64 {
	if mask == nil {
		return nil
	}
	pattern := int64(*mask) // bit 63 becomes the sign
	return &pattern
}
