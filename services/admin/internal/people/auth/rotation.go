package auth

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// lockKeys lets one transaction at a time change the keys; readers do not wait.
const lockKeys = `LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE`

const selectActiveKey = `
SELECT kid::text, activated_at
FROM signing_key
WHERE state = 'active'`

// Maintain makes a signing key if there is none, and retires one that has reached the age of
// rotation. It returns the id of the active key, and whether that is new. Every node may call it at
// any time.
func (k *Keyring) Maintain(ctx context.Context) (kid string, rotated bool, err error) {
	kid, rotated, err = k.maintain(ctx)
	k.forget()
	return kid, rotated, err
}

func (k *Keyring) maintain(ctx context.Context) (kid string, rotated bool, err error) {
	err = k.change(ctx, func(tx pgx.Tx) error {
		var activated time.Time
		rotated = false
		err := tx.QueryRow(ctx, selectActiveKey).Scan(&kid, &activated)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
		case err != nil:
			return err
		case k.Now().Sub(activated) < k.Rotation:
			return k.deleteOldKeys(ctx, tx)
		}
		rotated = true
		kid, err = k.rotate(ctx, tx)
		return err
	})
	return kid, rotated, err
}

// Rotate retires the active key regardless of its age, and returns the id of the new active one.
func (k *Keyring) Rotate(ctx context.Context) (kid string, err error) {
	err = k.change(ctx, func(tx pgx.Tx) error {
		kid, err = k.rotate(ctx, tx)
		return err
	})
	k.forget()
	return kid, err
}

func (k *Keyring) change(ctx context.Context, fn func(tx pgx.Tx) error) error {
	err := k.DB.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockKeys); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		return fmt.Errorf("change signing keys: %w", err)
	}
	return nil
}

const retireKey = `
UPDATE signing_key
SET state = 'retired', retired_at = $1
WHERE state = 'active'`

const activateKey = `
UPDATE signing_key
SET state = 'active', activated_at = $1
WHERE state = 'next'
RETURNING kid::text`

// rotate advances every key by one state and makes a new next one.
func (k *Keyring) rotate(ctx context.Context, tx pgx.Tx) (kid string, err error) {
	now := k.Now()
	if _, err = tx.Exec(ctx, retireKey, now); err != nil {
		return "", err
	}
	err = tx.QueryRow(ctx, activateKey, now).Scan(&kid)
	if errors.Is(err, pgx.ErrNoRows) { // the very first key
		kid, err = k.insertKey(ctx, tx, "active", &now)
	}
	if err != nil {
		return "", err
	}
	if _, err = k.insertKey(ctx, tx, "next", nil); err != nil {
		return "", err
	}
	return kid, k.deleteOldKeys(ctx, tx)
}

const insertKey = `
INSERT INTO signing_key (
    kid, algorithm, private_key, sealed, public_key, state, created_at, activated_at
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`

func (k *Keyring) insertKey(
	ctx context.Context, tx pgx.Tx, state string, activated *time.Time,
) (kid string, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	seed := randomBytes(ed25519.SeedSize)
	stored, sealed, err := k.Sealer.Seal(id.String(), seed)
	if err != nil {
		return "", err
	}
	public := []byte(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
	_, err = tx.Exec(ctx, insertKey, id.String(), keyAlgorithm, stored, sealed, public, state, k.Now(), activated)
	return id.String(), err
}

const deleteOldKeys = `
DELETE FROM signing_key
WHERE state = 'retired' AND retired_at < $1`

// deleteOldKeys deletes the keys whose last token has expired, including tokens that a node signed
// with cached keys.
func (k *Keyring) deleteOldKeys(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, deleteOldKeys, k.Now().Add(-k.MaxLifetime-verifiesBeyond))
	return err
}
