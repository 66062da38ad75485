package natsusers

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files that have the users")

const origin = "# Written by make golden from deploy/natsusers.\n"

// TestGoldenUsers compares the files of Compose and of Kubernetes with the description.
func TestGoldenUsers(t *testing.T) {
	t.Parallel()
	users := origin + "include nats.conf\n" + Config()
	manifest := origin + `apiVersion: v1
kind: ConfigMap
metadata: {name: nats-users, labels: {app.kubernetes.io/part-of: litfass}}
data:
  nats-users.conf: |
    ` + strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(users, origin), "\n"), "\n", "\n    ") + "\n"
	for path, want := range map[string]string{
		"../compose/nats-users.conf":    users,
		"../kubernetes/nats-users.yaml": manifest,
	} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, []byte(want)) {
			t.Errorf("%s is not as described: make golden writes it", path)
		}
	}
}
