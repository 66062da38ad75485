package app

import (
	"slices"
	"testing"
)

// TestOrigins: pages of PUBLIC_URL may call admin unless CORS_ORIGINS names others (see
// deploy/docs/configuration.md).
func TestOrigins(t *testing.T) {
	for _, test := range []struct {
		public, origins string
		want            []string
	}{
		{"", "", []string{"http://127.0.0.1:8080"}},
		{"https://Events.example.org/kiel/", "", []string{"https://events.example.org"}},
		{"https://events.example.org:443", "", []string{"https://events.example.org"}},
		{"http://events.example.org:80", "", []string{"http://events.example.org"}},
		{"https://events.example.org:8443", "", []string{"https://events.example.org:8443"}},
		{"https://events.example.org", "https://app.example.org,https://b.example", []string{"https://app.example.org", "https://b.example"}},
	} {
		t.Setenv("DATABASE_URL", "postgres://127.0.0.1:1/litfass")
		t.Setenv("PUBLIC_URL", test.public)
		t.Setenv("CORS_ORIGINS", test.origins)
		got, err := Load()
		if err != nil || !slices.Equal(got.Origins, test.want) {
			t.Errorf("PUBLIC_URL %q, CORS_ORIGINS %q: got %q, %v, want %q", test.public, test.origins, got.Origins, err, test.want)
		}
	}
	for _, public := range []string{"events.example.org", "ftp://events.example.org", "https://", "http://a b"} {
		t.Setenv("PUBLIC_URL", public)
		if _, err := Load(); err == nil {
			t.Errorf("PUBLIC_URL %q is accepted", public)
		}
	}
}
