package engine

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"litfass/deploy/local/proc"
)

// Version is the leading part of a program's version; Patch is 0 where the
// engine has none (PostgreSQL counts major and minor only).
type Version struct{ Major, Minor, Patch int }

func (v Version) String() string {
	if v.Patch == 0 && v.Major >= 10 {
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// fit returns why a version cannot be used, or nil.
type fit func(Version) error

// fitPostgres accepts PostgreSQL 15 and newer, and only the major version of existing data.
func fitPostgres(dataMajor int) fit {
	return func(v Version) error {
		if dataMajor != 0 && v.Major != dataMajor {
			return fmt.Errorf("it is PostgreSQL %s, the data was written by %d (name its folder in POSTGRES_BIN, or start afresh with make clean)", v, dataMajor)
		}
		if v.Major < 15 {
			return fmt.Errorf("it is PostgreSQL %s, 15 or newer is needed", v)
		}
		return nil
	}
}

// fitMeili accepts only Meilisearch 1.21: its data format and filter language change with minor
// versions.
func fitMeili(v Version) error {
	if v.Major != 1 || v.Minor != 21 {
		return fmt.Errorf("it is Meilisearch %s, 1.21 is needed", v)
	}
	return nil
}

// fitNATS accepts 2.10 and newer of the second generation.
func fitNATS(v Version) error {
	if v.Major != 2 || v.Minor < 10 {
		return fmt.Errorf("it is nats-server %s, 2.10 or newer is needed", v)
	}
	return nil
}

var versionPattern = regexp.MustCompile(`(\d+)(?:\.(\d+))?(?:\.(\d+))?`)

// parseVersion reads the first number of a program's version output, for example "postgres
// (PostgreSQL) 18.4" or "nats-server: v2.15.2".
func parseVersion(text string) (Version, error) {
	parts := versionPattern.FindStringSubmatch(text)
	if parts == nil {
		return Version{}, fmt.Errorf("no version in %q", text)
	}
	var v Version
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch} {
		if parts[i+1] != "" {
			n, err := strconv.Atoi(parts[i+1])
			if err != nil {
				return Version{}, fmt.Errorf("no version in %q", text)
			}
			*field = n
		}
	}
	return v, nil
}

// checked runs a program with --version, as the user who will run it, and checks the result.
func checked(ctx context.Context, path string, user *proc.User, fits fit) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir = "/"
	user.RunAs(cmd)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return Version{}, fmt.Errorf("%s --version: %w %s", path, err, strings.TrimSpace(string(output)))
	}
	version, err := parseVersion(string(output))
	if err != nil {
		return Version{}, fmt.Errorf("%s --version: %w", path, err)
	}
	if err := fits(version); err != nil {
		return Version{}, fmt.Errorf("%s: %w", path, err)
	}
	return version, nil
}
