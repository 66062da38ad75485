package avatar_test

import (
	"os"
	"path/filepath"
	"testing"

	"litfass/services/admin/internal/avatar"
)

func TestStoreThatCannotBeOpened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"", "gopher://x", "file://" + file} {
		if _, err := avatar.OpenStore(t.Context(), address); err == nil {
			t.Errorf("%q was opened", address)
		}
	}
}
