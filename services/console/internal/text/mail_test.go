package text

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryMailHasAName: administrators read which mails could not be delivered.
func TestEveryMailHasAName(t *testing.T) {
	templates, err := filepath.Glob("../../../admin/internal/platform/mail/templates/*.en.txt")
	if err != nil || len(templates) == 0 {
		t.Fatalf("%d templates: %v", len(templates), err)
	}
	english := Of("en")
	for _, path := range templates {
		if name := strings.TrimSuffix(filepath.Base(path), ".en.txt"); !english.Has("moderation.mail." + name) {
			t.Errorf("the mail %s has no name", name)
		}
	}
}
