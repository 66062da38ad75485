package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shiftVariable has the seconds by which programs with the overlay shift the clock. All shifts
// use the same programs, so that programs are compiled once.
const shiftVariable = "CLOCK_SHIFT"

// addition is the source that the overlay adds to the package time.
const addition = `package time

import "syscall"

// clockShift is how many seconds Now is ahead of the machine's clock.
var clockShift = readClockShift()

func readClockShift() int64 {
	text, found := syscall.Getenv("` + shiftVariable + `")
	if !found {
		return 0
	}
	seconds, err := atoi(text)
	if err != nil {
		panic("` + shiftVariable + ` is not a number of seconds: " + text)
	}
	return int64(seconds)
}
`

// Times of a synctest bubble have no monotonic reading: Now returns before this line. Since, Until,
// timers and deadlines go by the monotonic reading, which stays.
const before, after = "\tmono -= startNano\n", "\tmono -= startNano\n\tsec += clockShift\n"

// writeOverlay writes the changed package time into folder, and returns the file for -overlay.
func writeOverlay(ctx context.Context, folder string) (string, error) {
	root, err := setting(ctx, "GOROOT")
	if err != nil {
		return "", err
	}
	source := filepath.Join(root, "src", "time")
	original, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		return "", err
	}
	if strings.Count(string(original), before) != 1 {
		return "", errors.New("time.Now of this Go has another form")
	}
	changed := strings.Replace(string(original), before, after, 1)
	return overlaid(folder, map[string]string{
		filepath.Join(source, "time.go"):       changed,
		filepath.Join(source, "clockshift.go"): addition,
	})
}

// setting returns a setting of the go command.
func setting(ctx context.Context, name string) (string, error) {
	value, err := exec.CommandContext(ctx, "go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("asking go for %s: %w", name, err)
	}
	return strings.TrimSpace(string(value)), nil
}

// overlaid writes the sources into folder and returns the replaced files with their sources.
func overlaid(folder string, sources map[string]string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for original, source := range sources {
		replace[original] = filepath.Join(folder, filepath.Base(original))
		if err := os.WriteFile(replace[original], []byte(source), 0o644); err != nil {
			return "", err
		}
	}
	encoded, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, encoded, 0o644)
}
