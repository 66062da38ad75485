package app

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

// configured reads the configuration from these variables and the ones that every service requires.
func configured(t *testing.T, variables map[string]string) (Config, error) {
	t.Helper()
	t.Setenv("DATABASE_URL", "postgres://127.0.0.1:1/none")
	t.Setenv("NATS_URL", "nats://127.0.0.1:1")
	for name, value := range variables {
		t.Setenv(name, value)
	}
	return Load()
}

func TestConfigDefaults(t *testing.T) {
	config, err := configured(t, map[string]string{"PUBLIC_URL": "https://litfass.example/"})
	if err != nil {
		t.Fatal(err)
	}
	if config.Accounts.AppURL != "https://litfass.example/console" || config.PasswordHashes < 1 || len(config.Accounts.TrustedProxies) != 0 {
		t.Errorf("%+v", config)
	}
	// RULES.md, Accounts
	if a := config.Accounts; a.LoginAttempts != 5 || a.LoginWindow != 5*time.Minute || a.SignupAttempts != 10 || a.SignupWindow != 10*time.Minute {
		t.Errorf("limits %+v", a)
	}
	if k := config.Tokens; k.AccessLifetime != 15*time.Minute || k.RefreshLifetime != 30*24*time.Hour {
		t.Errorf("tokens %+v", k)
	}
}

func TestConfigIsRead(t *testing.T) {
	secret := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32)))
	config, err := configured(t, map[string]string{
		"APP_URL": "https://app.litfass.example/", "SIGNING_KEY_SECRETS": secret + "," + secret,
		"TRUSTED_PROXIES": "10.0.0.0/8,::1/128", "MAIL_URL": "smtp://mail.example", "BLOB_URL": "s3://litfass",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(config.Signing.Secrets) != 2 || string(config.Signing.Secrets[1]) != strings.Repeat("k", 32) {
		t.Errorf("%d secrets", len(config.Signing.Secrets))
	}
	if proxies := config.Accounts.TrustedProxies; len(proxies) != 2 || proxies[1].String() != "::1/128" {
		t.Errorf("proxies %v", proxies)
	}
	if config.Accounts.AppURL != "https://app.litfass.example" || config.Mail.URL != "smtp://mail.example" || config.Images.URL != "s3://litfass" {
		t.Errorf("%+v", config)
	}
}

func TestConfigMistakes(t *testing.T) {
	for name, value := range map[string]string{
		"APP_URL": "litfass.example", "SIGNING_KEY_SECRETS": "hunter2hunter2", "TRUSTED_PROXIES": "10.0.0.0/99",
		"TIME_ZONE": "Mars/Olympus", "LOGIN_ATTEMPTS": "0", "INVITATION_VALID": "1h", "LOGIN_WINDOW": "-1s", "PASSWORD_HASHES": "-1", "REFRESH_TOKEN_LIFETIME": "soon",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := configured(t, map[string]string{name: value})
			if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v", err)
			}
		})
	}
}
