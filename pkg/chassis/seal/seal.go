// Package seal encrypts with keys from the configuration that can be replaced one after the other.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
)

// secretLength is that of an AES-256 key.
const secretLength = 32

// Secret is a key from the configuration: 32 bytes, written in base64.
type Secret []byte

// UnmarshalText reads a secret; the error never shows it.
func (s *Secret) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil || len(raw) != secretLength {
		return fmt.Errorf("must be %d bytes in base64", secretLength)
	}
	*s = raw
	return nil
}

// String hides the secret from logs.
func (s Secret) String() string { return "(secret)" }

// Sealer encrypts with AES-256-GCM under the first of its secrets and decrypts under any of them,
// so that secrets can be replaced one after the other. Without secrets it does not encrypt.
type Sealer struct{ secrets []Secret }

// New returns a sealer; the newest secret comes first.
func New(secrets ...Secret) Sealer { return Sealer{secrets} }

// Seals reports whether the sealer has a secret.
func (s Sealer) Seals() bool { return len(s.secrets) > 0 }

// Seal returns plain in its stored form; Open needs the same name.
func (s Sealer) Seal(name string, plain []byte) (stored []byte, sealed bool, err error) {
	if !s.Seals() {
		return plain, false, nil
	}
	aead, err := newAEAD(s.secrets[0])
	if err != nil {
		return nil, false, err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce) // it never fails: it ends the program instead
	return aead.Seal(nonce, nonce, plain, []byte(name)), true, nil
}

// Open returns the plain text that was sealed under the name. It fails when no secret decrypts it.
func (s Sealer) Open(name string, stored []byte, sealed bool) ([]byte, error) {
	if !sealed {
		return stored, nil
	}
	for _, secret := range s.secrets {
		aead, err := newAEAD(secret)
		if err != nil {
			return nil, err
		}
		if size := aead.NonceSize(); len(stored) > size {
			if plain, err := aead.Open(nil, stored[:size], stored[size:], []byte(name)); err == nil {
				return plain, nil
			}
		}
	}
	return nil, errors.New("none of the configured secrets opens it")
}

func newAEAD(secret Secret) (cipher.AEAD, error) {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
