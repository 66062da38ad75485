package app

import (
	"context"
	"errors"
	"time"

	"litfass/pkg/chassis/run"
	"litfass/pkg/chassis/stream"
	"litfass/pkg/media/blob"
	"litfass/services/admin/internal/people/auth"
	"litfass/services/admin/internal/people/user"
	"litfass/services/admin/internal/platform/postgres"
)

// OpenDatabase opens the database for a command. It reads only DATABASE_URL. Close the database
// when done.
func OpenDatabase(ctx context.Context) (*postgres.DB, error) {
	config, err := run.Config[Database]()
	if err != nil {
		return nil, err
	}
	return postgres.Open(ctx, config.URL)
}

// OpenStream opens the database and connects to the stream, which is created if necessary, within
// wait. It reads the settings of both and of logging. Close both when done.
func OpenStream(ctx context.Context, wait time.Duration) (*postgres.DB, *stream.Stream, error) {
	config, err := run.Config[struct {
		run.Common
		Stream stream.Config
	}]()
	if err != nil {
		return nil, nil, err
	}
	db, err := OpenDatabase(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	changes, err := stream.Connect(ctx, config.Stream, config.Logger("admin"))
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	if err := changes.Ensure(ctx); err != nil {
		changes.Close()
		db.Close()
		return nil, nil, err
	}
	return db, changes, nil
}

// OperatorUsers returns the accounts for the operator's commands: CreateUser, Promote, Deactivate
// and Ownerless. It needs no settings, because these issue no tokens and send no mails.
func OperatorUsers(db *postgres.DB) *user.Service {
	return user.New(user.Options{
		DB: db, Hasher: NewHasher(1), Sessions: auth.NewSessions(nil, time.Now), Now: time.Now,
	})
}

// OperatorKeys returns the signing keys, for rotating them. It reads SIGNING_KEY_SECRETS and the
// lifetimes of tokens: a retired key stays until its last token has expired.
func OperatorKeys(db *postgres.DB) (*auth.Keyring, error) {
	config, err := run.Config[struct {
		Signing Signing
		Tokens  auth.TokenConfig
	}]()
	if err != nil {
		return nil, err
	}
	if config.Tokens.RefreshLifetime <= 0 {
		return nil, errors.New("REFRESH_TOKEN_LIFETIME must be positive")
	}
	return newKeyring(Config{Signing: config.Signing, Tokens: config.Tokens}, db, time.Now), nil
}

// OpenImages opens the store of images for a command, nil without an address. It reads only
// BLOB_URL. Close the store when done.
func OpenImages(ctx context.Context) (*blob.Store, error) {
	config, err := run.Config[Images]()
	if err != nil || config.URL == "" {
		return nil, err
	}
	return blob.Open(ctx, config.URL)
}

// Zone returns the time zone of the calendar. It reads only TIME_ZONE.
func Zone() (*time.Location, error) {
	config, err := run.Config[Calendar]()
	if err != nil {
		return nil, err
	}
	return config.zone()
}

// PublicURL returns the address of the site. It reads only PUBLIC_URL.
func PublicURL() (string, error) {
	config, err := run.Config[Public]()
	return config.URL, err
}
