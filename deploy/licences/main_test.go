package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/licenseclassifier/v2/assets"
)

func TestPermits(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		"MIT": true, "Apache-2.0 AND MIT": true, "(GPL-3.0 OR MIT)": true, "AGPL-3.0": false, "MIT AND GPL-2.0": false, "": false, "SEE LICENSE IN x": false,
	} {
		if got := permits(expression); got != want {
			t.Errorf("%q: %v", expression, got)
		}
	}
}

// TestLicencesAreRecognised: the licence of this tree is named, and a text without a licence is
// none.
func TestLicencesAreRecognised(t *testing.T) {
	t.Parallel()
	known, err := assets.DefaultClassifier()
	if err != nil {
		t.Fatal(err)
	}
	if own, err := licenceIn(known, "../.."); err != nil || own != "MIT" {
		t.Errorf("the licence of Litfass is %q, %v", own, err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "LICENSE.txt"), []byte("All rights reserved."), 0o600); err != nil {
		t.Fatal(err)
	}
	if none, err := licenceIn(known, folder); err != nil || none != "" {
		t.Errorf("no licence is recognised as %q, %v", none, err)
	}
}

func TestPackagesOfALockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "package-lock.json")
	lock := `{"packages": {"": {"license": "MIT"}, "node_modules/a/node_modules/@b/c": {"version": "1.2.3", "license": "ISC"}}}`
	if err := os.WriteFile(path, []byte(lock), 0o600); err != nil {
		t.Fatal(err)
	}
	parts, err := packagesOf(path)
	if err != nil || len(parts) != 1 || parts[0] != (part{"npm @b/c@1.2.3", "ISC"}) {
		t.Errorf("got %v, %v", parts, err)
	}
}
