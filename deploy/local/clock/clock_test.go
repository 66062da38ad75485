package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	today := time.Date(2026, 11, 28, 12, 0, 0, 400, time.UTC)
	for _, test := range []struct {
		shift, now string
		want       time.Duration
	}{
		{"40d", "", 960 * time.Hour},
		{"-365d", "", -8760 * time.Hour},
		{"-90m", "", -90 * time.Minute},
		{"", "2026-11-29T01:30:00+01:00", 12*time.Hour + 30*time.Minute},
		{"", "2026-11-28T11:59:00Z", -time.Minute},
	} {
		if got, err := parse(test.shift, test.now, today); got != test.want || err != nil {
			t.Errorf("%q, %q: %v %v, want %v", test.shift, test.now, got, err, test.want)
		}
	}
	for _, wrong := range [][2]string{{}, {"40d", "2026-11-28T11:59:00Z"}, {"40", ""}, {"d", ""}, {"1.5d", ""}, {"", "2026-11-28"}, {"", "2026-11-28T11:59:00"}} {
		if got, err := parse(wrong[0], wrong[1], today); err == nil {
			t.Errorf("%q was taken as %v", wrong, got)
		}
	}
}

// hands is a program that prints the clock, durations and timers. The shift moves only the clock.
const hands = `package main

import (
	"context"
	"fmt"
	"time"
)

func main() {
	began := time.Now()
	fmt.Println(began.UTC().Format(time.RFC3339))
	until, stop := context.WithDeadline(context.Background(), began.Add(10*time.Millisecond))
	defer stop()
	<-until.Done()
	<-time.After(time.Until(began.Add(20 * time.Millisecond)))
	passed := time.Since(began)
	fmt.Println(passed >= 20*time.Millisecond, passed < time.Hour)
}
`

// TestShift: a program that Go builds with the overlay shows the shifted time, and measures
// durations as others do.
func TestShift(t *testing.T) {
	folder := t.TempDir()
	overlay, err := writeOverlay(t.Context(), filepath.Join(folder, "a folder"))
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(folder, "hands.go")
	if err := os.WriteFile(source, []byte(hands), 0o644); err != nil {
		t.Fatal(err)
	}
	began, machine := time.Now(), shown(t, source, overlay, 0) // the test may have a shifted clock itself
	for _, by := range []time.Duration{400 * 24 * time.Hour, -365 * 24 * time.Hour} {
		got, passed := shown(t, source, overlay, by).Sub(machine), time.Since(began)
		if got < by || got > by+passed+time.Second {
			t.Errorf("after %v the clock is %v ahead, want %v", passed, got, by)
		}
	}
}

// shown returns what the clock of hands shows.
func shown(t *testing.T, source, overlay string, by time.Duration) time.Time {
	t.Helper()
	environment, err := environ(t.Context(), overlay, "nats-server", "date.mjs", by)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", source)
	cmd.Env = environment
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	at, rest, _ := strings.Cut(string(output), "\n")
	if rest != "true true\n" {
		t.Errorf("%v: durations: %s", by, rest)
	}
	moment, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return moment
}

// TestVariablesReplaceEarlierOnes: make exports GOFLAGS, and the command gets no second one.
func TestVariablesReplaceEarlierOnes(t *testing.T) {
	for _, name := range []string{"GOFLAGS", shiftVariable, "NATS_BIN", "NODE_OPTIONS"} {
		t.Setenv(name, "-trimpath")
	}
	environment, err := environ(t.Context(), "/overlay.json", "/nats-server", "/a folder/date.mjs", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, variable := range environment {
		name, value, _ := strings.Cut(variable, "=")
		values[name] = append(values[name], value)
	}
	for name, want := range map[string]string{
		"GOFLAGS": "-trimpath '-overlay=/overlay.json' -count=1", shiftVariable: "60", "NATS_BIN": "/nats-server",
		"NODE_OPTIONS": "-trimpath --import=file:///a%20folder/date.mjs",
	} {
		if got := values[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q alone", name, got, want)
		}
	}
}

// TestNode: a program of Node.js shows the shifted time, in each way of asking for the time.
func TestNode(t *testing.T) {
	script := filepath.Join(t.TempDir(), "date.mjs")
	if err := os.WriteFile(script, []byte(shiftedDate), 0o644); err != nil {
		t.Fatal(err)
	}
	const asks = `const minutes = [Date.now(), new Date().getTime(), Date.parse(Date())].map((at) => Math.round((at - process.argv[1]) / 60_000));
		console.log(minutes.join(), new Date(0).toISOString(), new Date() instanceof Date, Date.UTC(1970))`
	machine := nodeTime(t)
	cmd := exec.CommandContext(t.Context(), "node", "--import=file://"+script, "-e", asks, machine)
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=", shiftVariable+"=864000")
	output, err := cmd.CombinedOutput()
	if want := "14400,14400,14400 1970-01-01T00:00:00.000Z true 0\n"; err != nil || string(output) != want {
		t.Errorf("%s, %v, want %s", output, err, want)
	}
}

// nodeTime returns the machine's time in milliseconds.
func nodeTime(t *testing.T) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", "-p", "Date.now()")
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=")
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(output))
}
