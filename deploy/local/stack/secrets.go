package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"litfass/deploy/natsusers"
)

// secrets protect the local engines from other users of the machine. They are created once for each
// data folder, because PostgreSQL and Meilisearch store them too.
type secrets struct {
	PostgresPassword string `json:"postgres_password"`
	MeiliMasterKey   string `json:"meili_master_key"`
	SigningKeySecret string `json:"signing_key_secret"` // seals admin's signing keys: 32 bytes in base64
	SiteKey          string `json:"site_key"`           // API key of site and console
	ConsoleSecret    string `json:"console_secret"`     // seals the console's sessions: 32 bytes in base64
	// NATSPasswords are those of the users of NATS, by name.
	NATSPasswords map[string]string `json:"nats_passwords"`
}

// loadSecrets reads the secrets of a data folder, or creates them on first use.
func loadSecrets(data string) (secrets, error) {
	path := filepath.Join(data, "secrets.json")
	var s secrets
	content, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(content, &s); err != nil {
			return s, fmt.Errorf("%s: %w", path, err)
		}
		return s.complete(path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s = secrets{
		PostgresPassword: hex.EncodeToString(randomBytes(16)),
		MeiliMasterKey:   hex.EncodeToString(randomBytes(16)),
		SigningKeySecret: base64.StdEncoding.EncodeToString(randomBytes(32)),
	}
	return s.complete(path)
}

// complete adds the secrets that older versions did not have, if they are missing, and stores all.
func (s secrets) complete(path string) (secrets, error) {
	if s.SiteKey != "" && s.ConsoleSecret != "" && len(s.NATSPasswords) == len(natsusers.All) {
		return s, nil
	}
	if s.SiteKey == "" {
		s.SiteKey = hex.EncodeToString(randomBytes(32))
	}
	if s.ConsoleSecret == "" {
		s.ConsoleSecret = base64.StdEncoding.EncodeToString(randomBytes(32))
	}
	s.NATSPasswords = map[string]string{}
	for _, user := range natsusers.All {
		s.NATSPasswords[user] = "p" + hex.EncodeToString(randomBytes(16)) // the server reads digits as a number
	}
	return s, writeJSON(path, s)
}

func randomBytes(n int) []byte {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes) // never fails
	return bytes
}

// writeJSON writes a file that only its owner can read, atomically.
func writeJSON(path string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", append(content, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
