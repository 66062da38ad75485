package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"litfass/pkg/contracts/adminapi"
	"litfass/services/admin/internal/platform/postgres"
)

const (
	secretMark  = "whsec_"
	secretBytes = 32
	overlap     = 24 * time.Hour // how long the secret before signs, too
)

func newSecret() string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // it never fails: it ends the program instead
	return secretMark + base64.StdEncoding.EncodeToString(random)
}

func sealName(id string) string { return "webhook " + id }

const replaceSecret = `
UPDATE webhook
SET old_secret = secret, old_sealed = sealed, old_until = $4, secret = $2, sealed = $3, updated_at = $5,
    version = version + 1
WHERE uuid = $1`

// Rotate gives a webhook another secret and returns both. The one before signs, too, for a day; the
// one before that no longer does. It returns the faults of Get.
func (s *Service) Rotate(ctx context.Context, id string) (hook adminapi.Webhook, secret string, err error) {
	secret = newSecret()
	err = s.DB.InTx(ctx, func(tx pgx.Tx) error {
		var of owner
		if hook, of, err = s.find(ctx, tx, id, true); err != nil {
			return err
		}
		sealed, isSealed, err := s.Sealer.Seal(sealName(id), []byte(secret))
		if err != nil {
			return fmt.Errorf("seal the secret of a webhook: %w", err)
		}
		now := stored(s.Now())
		until := now.Add(overlap)
		if _, err := tx.Exec(ctx, replaceSecret, id, sealed, isSealed, until, now); err != nil {
			return fmt.Errorf("store the secret of a webhook: %w", err)
		}
		hook.OldSecretUntil, hook.UpdatedAt = &until, now
		hook.Version++
		return s.record(ctx, tx, "rotate_secret", id, of.org, nil, map[string]any{"old_secret_until": until})
	})
	return hook, secret, err
}

// sealedSecret is a secret as it is stored.
type sealedSecret struct {
	Stored []byte
	Sealed bool
}

// sign returns the webhook-signature of a body by each of the secrets.
func (s *Service) sign(
	hook, id string, at time.Time, body []byte, secrets ...sealedSecret,
) (signatures string, err error) {
	for _, secret := range secrets {
		if len(secret.Stored) == 0 {
			continue
		}
		text, err := s.Sealer.Open(sealName(hook), secret.Stored, secret.Sealed)
		if err != nil && signatures != "" {
			continue // the secret before was sealed with a key that is no longer configured
		}
		if err != nil {
			return "", fmt.Errorf("open the secret of a webhook: %w", err)
		}
		signer, err := standardwebhooks.NewWebhook(string(text))
		if err != nil {
			return "", err
		}
		signature, err := signer.Sign(id, at, body)
		if err != nil {
			return "", err
		}
		if signatures != "" {
			signatures += " "
		}
		signatures += signature
	}
	return signatures, nil
}

const (
	selectSecrets = `
SELECT uuid::text, secret, sealed
FROM webhook`

	updateSecret = `
UPDATE webhook
SET secret = $3, sealed = true
WHERE uuid = $1 AND secret = $2`
)

// Reseal seals every current secret with the newest of the configured ones, so that an older one
// can be removed a day later. A process does so when it starts.
func (s *Service) Reseal(ctx context.Context) error {
	if !s.Sealer.Seals() {
		return nil
	}
	hooks, err := postgres.List[struct {
		UUID string
		sealedSecret
	}](ctx, s.DB, "secrets of webhooks", selectSecrets)
	if err != nil {
		return err
	}
	for _, hook := range hooks {
		plain, err := s.Sealer.Open(sealName(hook.UUID), hook.Stored, hook.Sealed)
		if err != nil {
			s.Log.Error("no configured secret opens the secret of a webhook", "webhook", hook.UUID)
			continue
		}
		sealed, _, err := s.Sealer.Seal(sealName(hook.UUID), plain)
		if err != nil {
			return err
		}
		if _, err := s.DB.Exec(ctx, updateSecret, hook.UUID, hook.Stored, sealed); err != nil {
			return fmt.Errorf("seal the secret of a webhook again: %w", err)
		}
	}
	return nil
}
