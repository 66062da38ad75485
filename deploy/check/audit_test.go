package check

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestAuditOfPackages: the audit of npm's packages distinguishes vulnerable ones from a registry
// that answers no audit.
func TestAuditOfPackages(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "npm"), []byte("#!/bin/sh\necho \"$ANSWER\"\nexit $STATUS\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	for _, test := range []struct {
		answer, status string
		want           int
	}{
		{`{"auditReportVersion": 2, "vulnerabilities": {}}`, "0", 0},
		{`{"auditReportVersion": 2, "vulnerabilities": {"a": {}}}`, "1", 3},
		{`{"message": "405 Method Not Allowed"}`, "1", 4},
		{"", "127", 4},
	} {
		audit := exec.CommandContext(t.Context(), "sh", "../tools/npmaudit.sh", filepath.Join(folder, "package-lock.json"))
		audit.Env = []string{"PATH=" + folder + ":/bin:/usr/bin", "ANSWER=" + test.answer, "STATUS=" + test.status}
		said, err := audit.CombinedOutput()
		got := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if got != test.want {
			t.Errorf("npm answers %q: exit code %d, want %d\n%s", test.answer, got, test.want, said)
		}
	}
}
