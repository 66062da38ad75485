package run

import (
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// Set by the linker (-X litfass/pkg/chassis/run.version=…) where the build has no repository to
// read, as in the Dockerfile. They take precedence over Go's build information.
var version, commit, date string

// unknown replaces a value that the build did not record.
const unknown = "unknown"

// Build identifies the program that runs.
type Build struct {
	Version string // a tag or Go's pseudo-version; "devel" outside a repository
	Commit  string // full hash, with "-modified" when the tree had uncommitted changes, or "unknown"
	Date    string // time of the commit, RFC 3339 in UTC, or "unknown"; a linker flag may set another
	Go      string // version of the compiler
}

// ReadBuild returns the build of the running program, from the linker flags or else from Go's build
// information.
func ReadBuild() Build {
	info, _ := debug.ReadBuildInfo() // nil without module support
	b := fromInfo(info)
	for _, linked := range []struct {
		value string
		into  *string
	}{{version, &b.Version}, {commit, &b.Commit}, {date, &b.Date}} {
		if linked.value != "" {
			*linked.into = linked.value
		}
	}
	return b
}

// fromInfo reads Go's build information; info may be nil.
func fromInfo(info *debug.BuildInfo) Build {
	b := Build{Version: "devel", Commit: unknown, Date: unknown, Go: runtime.Version()}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	modified := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		case "vcs.modified":
			modified = setting.Value == "true"
		}
	}
	if modified && b.Commit != unknown {
		b.Commit += "-modified"
	}
	return b
}

// String returns the build in one line, as --version prints it.
func (b Build) String() string {
	return fmt.Sprintf("%s (commit %s, %s, %s)", b.Version, b.Commit, b.Date, b.Go)
}

// LogStart logs the build of the running program. A service calls it before it logs anything else.
func LogStart(log *slog.Logger) {
	b := ReadBuild()
	log.Info("starting", "version", b.Version, "commit", b.Commit, "date", b.Date, "go", b.Go)
}
