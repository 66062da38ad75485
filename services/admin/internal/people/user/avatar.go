package user

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/media/blob"
	"litfass/pkg/media/imaging"
	"litfass/services/admin/internal/people/audit"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/avatar"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/version"
)

// AvatarOptions are the dependencies of Avatars.
type AvatarOptions struct {
	DB     *postgres.DB
	Store  *avatar.Store // nil: uploading and loading return Unavailable
	Budget *imaging.Budget
	Now    auth.Clock
	Log    *slog.Logger
}

// Avatars holds the use cases of avatars: the image is in a blob store, its key in the user's row.
type Avatars struct{ AvatarOptions }

// NewAvatars returns the use cases of avatars.
func NewAvatars(options AvatarOptions) *Avatars { return &Avatars{options} }

// Set makes the uploaded file the avatar of the logged-in user, and returns the version of their
// profile, which shows it. It returns the faults of avatar.Draw; Stale when the profile's version
// is not an expected one; Unavailable without a store.
func (a *Avatars) Set(ctx context.Context, expected version.Expected, data []byte) (int64, error) {
	if a.Store == nil {
		return 0, errNoStore()
	}
	drawn, err := avatar.Draw(ctx, a.Budget, data)
	if err != nil {
		return 0, err
	}
	id, err := uuid.NewRandom() // not guessable
	if err != nil {
		return 0, err
	}
	key := path.Join(avatar.Folder, id.String())
	var stored int64
	if err = a.Store.Save(ctx, key, drawn); err == nil {
		stored, err = a.replace(ctx, expected, "user.set_avatar", key, drawn.Type)
	}
	if err != nil {
		a.discard(ctx, key)
	}
	return stored, err
}

// Remove removes the avatar of the logged-in user, and returns the version of their profile. The
// faults: Stale when the stored version is not an expected one; NotFound without an avatar.
func (a *Avatars) Remove(ctx context.Context, expected version.Expected) (int64, error) {
	return a.replace(ctx, expected, "user.delete_avatar", "", "")
}

const selectAvatarForUpdate = `
SELECT coalesce(avatar_key, ''), version
FROM app_user
WHERE id = $1
FOR UPDATE`

const updateAvatar = `
UPDATE app_user
SET
    avatar_key = nullif($2, ''), avatar_type = nullif($3, ''), updated_at = $4, version = version + 1
WHERE id = $1
RETURNING version`

// replace stores the new key, "" for none, and deletes the old image.
func (a *Avatars) replace(
	ctx context.Context, expected version.Expected, action, key, kind string,
) (stored int64, err error) {
	userID, now := auth.PrincipalOf(ctx).UserID, a.Now()
	var old string
	err = a.DB.InTx(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, selectAvatarForUpdate, userID).Scan(&old, &stored); err != nil {
			return fmt.Errorf("read user: %w", err)
		}
		if err := expected.Check("profile", stored); err != nil {
			return err
		}
		if old == "" && key == "" {
			return errNoAvatar()
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
		a.discard(ctx, old)
	}
	return stored, err
}

// discard deletes an image that is no longer in use. After a failure the sweeper deletes it later.
func (a *Avatars) discard(ctx context.Context, key string) {
	if a.Store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := a.Store.Delete(ctx, key); err != nil {
		a.Log.WarnContext(ctx, "old avatar stays in the blob store", "key", key, "error", err.Error())
	}
}

const selectAvatar = `
SELECT avatar_key, avatar_type
FROM app_user
WHERE id = $1 AND avatar_key IS NOT NULL AND deactivated_at IS NULL`

// ShownAvatar is one size of an avatar. Tag changes when the avatar does.
type ShownAvatar struct {
	Type string
	Tag  string
	key  string
	size int
}

// Find returns the avatar of a user in a size, without the image. The faults: Invalid for a size
// that is not one of avatar.Sizes, NotFound for an unknown user and one without an avatar.
func (a *Avatars) Find(ctx context.Context, userID, size int) (ShownAvatar, error) {
	if !slices.Contains(avatar.Sizes, size) {
		return ShownAvatar{}, fault.New(fault.Invalid, "invalid_size", "the size must be 64, 128, 256 or 512")
	}
	shown := ShownAvatar{size: size}
	err := a.DB.QueryRow(ctx, selectAvatar, userID).Scan(&shown.key, &shown.Type)
	if errors.Is(err, pgx.ErrNoRows) {
		return ShownAvatar{}, errNoAvatar()
	}
	if err != nil {
		return ShownAvatar{}, fmt.Errorf("read avatar: %w", err)
	}
	// a tag must not reveal the key
	shown.Tag = uuid.NewSHA1(uuid.Nil, []byte(path.Join(shown.key, strconv.Itoa(size)))).String()
	return shown, nil
}

// Load returns the image of an avatar from Find. The fault is NotFound when it was replaced since.
func (a *Avatars) Load(ctx context.Context, shown ShownAvatar) ([]byte, error) {
	if a.Store == nil {
		return nil, errNoStore()
	}
	data, err := a.Store.Load(ctx, shown.key, shown.size)
	if errors.Is(err, blob.ErrGone) {
		return nil, errNoAvatar()
	}
	return data, err
}

const selectLiveAvatars = `
SELECT avatar_key
FROM app_user
WHERE avatar_key IS NOT NULL`

// Live returns the names, below avatar.Folder, of the avatars in use.
func (a *Avatars) Live(ctx context.Context) (map[string]bool, error) {
	live := map[string]bool{}
	err := a.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		keys, err := postgres.Collect[string](ctx, tx, "avatars", selectLiveAvatars)
		for _, key := range keys {
			live[path.Base(key)] = true
		}
		return err
	})
	return live, err
}

func errNoAvatar() error {
	return fault.New(fault.NotFound, "avatar_not_found", "there is no avatar")
}

func errNoStore() error {
	return fault.New(fault.Unavailable, "no_blob_store", "this service has no place for images")
}
