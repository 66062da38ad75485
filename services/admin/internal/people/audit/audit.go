// Package audit records every write with its actor, time and origin, and lists the entries to the
// managers of an organization. An entry is written in the transaction of the write that it records:
// neither exists without the other.
package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/services/admin/internal/people/auth"
)

// Entry describes a write. Actor and origin are taken from the context: auth.PrincipalOf and
// auth.OriginOf.
type Entry struct {
	At         time.Time
	Action     string // entity.verb: "member.invite"
	EntityKind string // "membership"
	EntityID   string
	OrgUUID    string // whose managers may read the entry; "" when it concerns only a user
	ActorID    int    // the user when the context has no principal yet: at a login
	Before     any    // the entity before, as a struct or map; nil when it is new
	After      any    // the entity after; nil when it is deleted
}

const insertEntry = `
INSERT INTO audit_entry (
    at, actor_user_id, actor_api_key, org_uuid, action, entity_kind, entity_id, address, request_id, before, after
)
VALUES ($1, nullif($2, 0), nullif($3, '')::uuid, nullif($4, '')::uuid, $5, $6, $7, $8, nullif($9, ''), $10, $11)`

// Record stores the entry, with only those fields of Before and After that differ, shortened, and
// without secrets.
func Record(ctx context.Context, tx pgx.Tx, entry Entry) error {
	before, after, err := changed(entry.Before, entry.After)
	if err != nil {
		return fmt.Errorf("audit %s: %w", entry.Action, err)
	}
	who, origin := auth.PrincipalOf(ctx), auth.OriginOf(ctx)
	if entry.ActorID == 0 {
		entry.ActorID = who.UserID
	}
	var address *netip.Addr
	if origin.Address.IsValid() {
		address = &origin.Address
	}
	_, err = tx.Exec(ctx, insertEntry, entry.At, entry.ActorID, who.APIKey, entry.OrgUUID, entry.Action,
		entry.EntityKind, entry.EntityID, address, origin.RequestID, before, after)
	if err != nil {
		return fmt.Errorf("audit %s: %w", entry.Action, err)
	}
	return nil
}

const selectRecorded = `
SELECT EXISTS (
    SELECT
    FROM audit_entry
    WHERE entity_kind = $1 AND entity_id = $2 AND action = $3 AND at > $4
        AND actor_user_id IS NOT DISTINCT FROM nullif($5, 0) AND actor_api_key IS NOT DISTINCT FROM nullif($6, '')::uuid
)`

// RecordSeldom is Record, but stores no entry if there is one of the same action, entity and actor
// that is not older than window. It is for what machines do many times a second.
func RecordSeldom(ctx context.Context, tx pgx.Tx, window time.Duration, entry Entry) error {
	who := auth.PrincipalOf(ctx)
	var recorded bool
	err := tx.QueryRow(ctx, selectRecorded, entry.EntityKind, entry.EntityID, entry.Action, entry.At.Add(-window),
		who.UserID, who.APIKey).Scan(&recorded)
	if err != nil {
		return fmt.Errorf("audit %s: %w", entry.Action, err)
	}
	if recorded {
		return nil
	}
	return Record(ctx, tx, entry)
}

type fields map[string]json.RawMessage

// changed returns the fields that differ as JSON objects, with their values before and after; nil
// for an object without fields.
func changed(before, after any) (wasJSON, isJSON []byte, err error) {
	was, err := fieldsOf(before)
	if err != nil {
		return nil, nil, err
	}
	is, err := fieldsOf(after)
	if err != nil {
		return nil, nil, err
	}
	for name, value := range was {
		if other, both := is[name]; both && bytes.Equal(value, other) {
			delete(was, name)
			delete(is, name)
		}
	}
	shorten(was, is)
	return encode(was), encode(is), nil
}

func fieldsOf(entity any) (fields, error) {
	if entity == nil {
		return nil, nil
	}
	data, err := json.Marshal(entity)
	if err != nil {
		return nil, err
	}
	var f fields
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%T is not an object: %w", entity, err)
	}
	for name := range f {
		if secret(name) {
			delete(f, name)
		}
	}
	return f, nil
}

// secret reports whether a field of this name must not be recorded.
func secret(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"password", "secret", "token", "hash", "private"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func encode(f fields) []byte {
	if len(f) == 0 {
		return nil
	}
	data, _ := json.Marshal(f) // decoded JSON can be encoded
	return data
}
