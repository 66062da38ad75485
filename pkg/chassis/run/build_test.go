package run

import (
	"bytes"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func recorded(version string, settings ...string) *debug.BuildInfo {
	info := &debug.BuildInfo{Main: debug.Module{Version: version}}
	for i := 0; i < len(settings); i += 2 {
		info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return info
}

func TestBuildFromInfo(t *testing.T) {
	const at = "2026-11-20T19:30:00Z"
	for _, test := range []struct {
		name string
		info *debug.BuildInfo
		want Build
	}{
		{"nothing recorded", nil, Build{Version: "devel", Commit: "unknown", Date: "unknown"}},
		{"outside a repository", recorded("(devel)"), Build{Version: "devel", Commit: "unknown", Date: "unknown"}},
		{
			"clean tree", recorded("v1.4.0", "vcs.revision", "abc123", "vcs.time", at, "vcs.modified", "false"),
			Build{Version: "v1.4.0", Commit: "abc123", Date: at},
		},
		{
			"changed tree", recorded("v1.4.0+dirty", "vcs.modified", "true", "vcs.revision", "abc123", "vcs.time", at),
			Build{Version: "v1.4.0+dirty", Commit: "abc123-modified", Date: at},
		},
		{"no revision", recorded("", "vcs.modified", "true"), Build{Version: "devel", Commit: "unknown", Date: "unknown"}},
	} {
		test.want.Go = runtime.Version()
		if got := fromInfo(test.info); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestLinkerFlagsTakePrecedence(t *testing.T) {
	version, commit, date = "v2.0.0", "def456", "2026-11-21T08:00:00Z"
	t.Cleanup(func() { version, commit, date = "", "", "" })
	want := "v2.0.0 (commit def456, 2026-11-21T08:00:00Z, " + runtime.Version() + ")"
	if got := ReadBuild().String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogStartNamesTheBuild(t *testing.T) {
	version, commit, date = "v2.0.0", "def456", "2026-11-21T08:00:00Z"
	t.Cleanup(func() { version, commit, date = "", "", "" })
	var out bytes.Buffer
	LogStart(slog.New(slog.NewTextHandler(&out, nil)))
	if want := "msg=starting version=v2.0.0 commit=def456 date=2026-11-21T08:00:00Z go="; !strings.Contains(out.String(), want) {
		t.Errorf("logged %q, want %q in it", out.String(), want)
	}
}
