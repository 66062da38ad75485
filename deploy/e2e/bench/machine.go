package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// machine describes the machine of the measurements.
func machine() map[string]string {
	facts := map[string]string{"cores": strconv.Itoa(runtime.NumCPU()), "os": runtime.GOOS + "/" + runtime.GOARCH, "go": runtime.Version()}
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		facts["cpu"] = name
	}
	if memory := field("/proc/meminfo", "MemTotal"); memory != "" {
		facts["memory"] = memory
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		facts["kernel"] = strings.TrimSpace(string(kernel))
	}
	return facts
}

// field returns the value of the first line "name: value" of a file, or "".
func field(path, name string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// kilobytes reads a field such as "123 kB".
func kilobytes(path, name string) (float64, error) {
	text := field(path, name)
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, " kB"), 64)
	if err != nil {
		return 0, fmt.Errorf("%s of %s is %q", name, path, text)
	}
	return n, nil
}

// peakMB returns the peak resident memory of a process.
func peakMB(pid int) (float64, error) {
	kB, err := kilobytes(fmt.Sprintf("/proc/%d/status", pid), "VmHWM")
	return kB / 1024, err
}

// shareMB returns the present memory of a process, with its proportional share of shared pages.
func shareMB(pid int) (float64, error) {
	kB, err := kilobytes(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss")
	return kB / 1024, err
}

// children returns the process ids whose parent is pid.
func children(pid int) []int {
	var ids []int
	paths, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range paths {
		fields := statFields(path)
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			if id, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// statFields returns the fields of a stat file after the program's name, which may contain spaces:
// state, parent, …
func statFields(path string) []string {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil // it has ended
	}
	return strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:]))
}

// cpuTime returns the CPU time of a process in user and system mode. Linux counts it in hundredths
// of a second.
func cpuTime(pid int) (time.Duration, error) {
	spent, err := ticks(statFields(fmt.Sprintf("/proc/%d/stat", pid)), 11, 13)
	if err != nil {
		return 0, fmt.Errorf("cpu time of process %d: %w", pid, err)
	}
	return spent, nil
}
