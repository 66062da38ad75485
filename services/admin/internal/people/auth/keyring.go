package auth

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"litfass/pkg/chassis/seal"
	"litfass/services/admin/internal/platform/postgres"
)

// Clock returns the current time; tests move it.
type Clock func() time.Time

const (
	keysFreshFor   = time.Minute     // how long a node may sign with a key that another node retired
	keysRereadFor  = 5 * time.Second // how soon an unknown key id makes a node read the keys again
	keyAlgorithm   = "EdDSA"
	verifiesBeyond = 10 * time.Minute // added to the longest token lifetime before a retired key is deleted
)

var (
	errUnknownKey = errors.New("unknown signing key")
	errNoKey      = errors.New("there is no active signing key")
)

// Keyring holds the keys that sign and verify tokens. They are stored in the database, so that all
// admin nodes share them; each node caches them for a short time. The next key is stored before it
// signs, and a retired one verifies until the last token that it signed has expired, so that
// rotation ends no session.
type Keyring struct {
	KeyringOptions
	mutex  sync.Mutex
	loaded keySet
}

// KeyringOptions are the dependencies and settings of a keyring.
type KeyringOptions struct {
	DB          *postgres.DB
	Sealer      seal.Sealer
	Now         Clock
	Rotation    time.Duration // how long a key signs
	MaxLifetime time.Duration // of a token
}

// keySet is a node's copy of the keys.
type keySet struct {
	at       time.Time
	kid      string // of the key that signs
	signer   ed25519.PrivateKey
	verifier map[string]ed25519.PublicKey
}

// NewKeyring returns the keyring of the database.
func NewKeyring(options KeyringOptions) *Keyring { return &Keyring{KeyringOptions: options} }

// Signer returns the key that signs now, and its id.
func (k *Keyring) Signer(ctx context.Context) (kid string, key ed25519.PrivateKey, err error) {
	set, err := k.current(ctx, keysFreshFor)
	return set.kid, set.signer, err
}

// Verifier returns the public key with the id, or errUnknownKey.
func (k *Keyring) Verifier(ctx context.Context, kid string) (ed25519.PublicKey, error) {
	for _, fresh := range []time.Duration{keysFreshFor, keysRereadFor} {
		set, err := k.current(ctx, fresh)
		if err != nil {
			return nil, err
		}
		if key, known := set.verifier[kid]; known {
			return key, nil
		}
	}
	return nil, errUnknownKey
}

// current returns the keys, cached for at most fresh. One goroutine at a time reads them.
func (k *Keyring) current(ctx context.Context, fresh time.Duration) (keySet, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if age := k.Now().Sub(k.loaded.at); k.loaded.signer != nil && age >= 0 && age < fresh {
		return k.loaded, nil
	}
	set, err := k.load(ctx)
	if errors.Is(err, errNoKey) { // a new database
		if _, _, err = k.maintain(ctx); err == nil {
			set, err = k.load(ctx)
		}
	}
	if err != nil {
		return keySet{}, fmt.Errorf("read signing keys: %w", err)
	}
	k.loaded = set
	return set, nil
}

const selectKeys = `
SELECT kid::text AS kid, private_key, sealed, public_key, state
FROM signing_key`

type storedKey struct {
	KID        string
	PrivateKey []byte
	Sealed     bool
	PublicKey  []byte
	State      string
}

func (k *Keyring) load(ctx context.Context) (keySet, error) {
	set := keySet{at: k.Now(), verifier: map[string]ed25519.PublicKey{}}
	var keys []storedKey
	err := k.DB.ReadTx(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, selectKeys)
		if err != nil {
			return err
		}
		keys, err = pgx.CollectRows(rows, pgx.RowToStructByName[storedKey])
		return err
	})
	if err != nil {
		return set, err
	}
	for _, key := range keys {
		set.verifier[key.KID] = key.PublicKey
		if key.State != "active" {
			continue
		}
		seed, err := k.Sealer.Open(key.KID, key.PrivateKey, key.Sealed)
		if err != nil {
			return set, fmt.Errorf("signing key %s: %w", key.KID, err)
		}
		set.kid, set.signer = key.KID, ed25519.NewKeyFromSeed(seed)
	}
	if set.signer == nil {
		return set, errNoKey
	}
	return set, nil
}

// forget makes the next use read the keys again.
func (k *Keyring) forget() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.loaded = keySet{}
}
