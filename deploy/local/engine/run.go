package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"litfass/deploy/local/proc"
)

// run runs a command and includes its output in the error when it fails.
func run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return explain(ctx, cmd)
}

// runAs is run as another user; nil means the launcher's own.
func runAs(ctx context.Context, user *proc.User, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	user.RunAs(cmd)
	return explain(ctx, cmd)
}

func explain(ctx context.Context, cmd *exec.Cmd) error {
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, oneLine(output))
	}
	return nil
}

// oneLine shortens a command's output to a readable line.
func oneLine(output []byte) string {
	const longest = 400
	line := strings.Join(strings.Fields(string(bytes.ToValidUTF8(output, nil))), " ")
	if len(line) > longest {
		line = line[:longest] + "..."
	}
	return line
}

// fingerprint returns a digest of a content.
func fingerprint(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])[:12]
}
