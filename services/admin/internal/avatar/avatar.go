package avatar

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/fault"
	"litfass/services/admin/internal/audit"
	"litfass/services/admin/internal/auth"
	"litfass/services/admin/internal/picture"
	"litfass/services/admin/internal/picture/blob"
	"litfass/services/admin/internal/postgres"
	"litfass/services/admin/internal/version"
)

// Service is what users do with their avatars.
type Service struct {
	db     *postgres.DB
	store  *Store
	budget *picture.Budget
	now    auth.Clock
	log    *slog.Logger
}

// NewService returns the service of the store, which reads pictures within the budget. Without a store, nil, nothing can be
// stored.
func NewService(db *postgres.DB, store *Store, budget *picture.Budget, now auth.Clock, log *slog.Logger) *Service {
	return &Service{db: db, store: store, budget: budget, now: now, log: log}
}

// Set makes the uploaded file the avatar of the user who is logged in, and returns the version of their profile, which shows
// it. The faults are those of Draw; Stale when the profile's version is not an expected one; Unavailable when there is no
// store.
func (s *Service) Set(ctx context.Context, expected version.Expected, data []byte) (int64, error) {
	if s.store == nil {
		return 0, errNoStore()
	}
	drawn, err := Draw(ctx, s.budget, data)
	if err != nil {
		return 0, err
	}
	id, err := uuid.NewRandom() // nobody guesses where another one lies
	if err != nil {
		return 0, err
	}
	key := "avatars/" + id.String()
	var stored int64
	if err = s.store.Save(ctx, key, drawn); err == nil {
		stored, err = s.replace(ctx, expected, "user.set_avatar", key, drawn.Type)
	}
	if err != nil {
		s.discard(ctx, key)
	}
	return stored, err
}

// Remove takes the avatar of the user who is logged in away, and returns the version of their profile. The faults: Stale
// when that is not an expected one; NotFound without an avatar.
func (s *Service) Remove(ctx context.Context, expected version.Expected) (int64, error) {
	return s.replace(ctx, expected, "user.delete_avatar", "", "")
}

const selectAvatarForUpdate = `
SELECT coalesce(avatar_key, ''), version
FROM app_user
WHERE id = $1
FOR UPDATE`

const updateAvatar = `
UPDATE app_user
SET avatar_key = nullif($2, ''), avatar_type = nullif($3, ''), version = version + 1, updated_at = $4
WHERE id = $1
RETURNING version`

// replace points the user to the new key, "" for none, and deletes what lay under the old one.
func (s *Service) replace(
	ctx context.Context, expected version.Expected, action, key, kind string,
) (stored int64, err error) {
	userID, now := auth.PrincipalOf(ctx).UserID, s.now()
	var old string
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, selectAvatarForUpdate, userID).Scan(&old, &stored); err != nil {
			return fmt.Errorf("read user: %w", err)
		}
		if err := expected.Check("profile", stored); err != nil {
			return err
		}
		if old == "" && key == "" {
			return errNone()
		}
		if err := tx.QueryRow(ctx, updateAvatar, userID, key, kind, now).Scan(&stored); err != nil {
			return fmt.Errorf("store user: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			At: now, Action: action, EntityKind: "user", EntityID: strconv.Itoa(userID),
			Before: map[string]string{"avatar": old}, After: map[string]string{"avatar": key},
		})
	})
	if err == nil && old != "" {
		s.discard(ctx, old)
	}
	return stored, err
}

// discard deletes what nobody points to any more. A failure leaves a few kilobytes behind, nothing else.
func (s *Service) discard(ctx context.Context, key string) {
	if s.store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := s.store.Delete(ctx, key); err != nil {
		s.log.Warn("old avatar stays in the blob store", "key", key, "error", err.Error())
	}
}

const selectAvatar = `
SELECT avatar_key, avatar_type
FROM app_user
WHERE id = $1 AND avatar_key IS NOT NULL AND deactivated_at IS NULL`

// Shown is one size of an avatar. Tag changes when the avatar does.
type Shown struct {
	Type string
	Tag  string
	key  string
	size int
}

// Find tells what the avatar of a user is in a size. The faults: Invalid for a size that is not one of Sizes, NotFound for
// a user without one or who is not there.
func (s *Service) Find(ctx context.Context, userID, size int) (Shown, error) {
	if !slices.Contains(Sizes, size) {
		return Shown{}, fault.New(fault.Invalid, "invalid_size", "the size must be 64, 128, 256 or 512")
	}
	shown := Shown{size: size}
	err := s.db.QueryRow(ctx, selectAvatar, userID).Scan(&shown.key, &shown.Type)
	if errors.Is(err, pgx.ErrNoRows) {
		return Shown{}, errNone()
	}
	if err != nil {
		return Shown{}, fmt.Errorf("read avatar: %w", err)
	}
	shown.Tag = uuid.NewSHA1(uuid.Nil, []byte(name(shown.key, size))).String() // the key itself stays inside
	return shown, nil
}

// Load returns the picture that Find has told of. The fault is NotFound when it was replaced in between.
func (s *Service) Load(ctx context.Context, shown Shown) ([]byte, error) {
	if s.store == nil {
		return nil, errNoStore()
	}
	data, err := s.store.Load(ctx, shown.key, shown.size)
	if errors.Is(err, blob.ErrGone) {
		return nil, errNone()
	}
	return data, err
}

func errNone() error { return fault.New(fault.NotFound, "avatar_not_found", "there is no avatar") }

func errNoStore() error {
	return fault.New(fault.Unavailable, "no_blob_store", "this service has no place for images")
}
