package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"litfass/deploy/local/stack"
)

// processes are those whose CPU time is reported separately.
var processes = []string{stack.Postgres, stack.Admin, stack.NATS, stack.Projector, stack.Meili, stack.Query, stack.Site, stack.Console}

// usage is the CPU time up to a moment.
type usage struct {
	at      time.Time
	machine time.Duration            // all processes of the machine
	each    map[string]time.Duration // each of the stack, with its own processes
	here    time.Duration            // this process and the commands it has run
}

// usage reads the present CPU times.
func (b *bench) usage() (usage, error) {
	u := usage{at: time.Now(), each: map[string]time.Duration{}}
	var err error
	if u.machine, err = machineTime(); err != nil {
		return u, err
	}
	for _, name := range processes {
		if u.each[name], err = familyTime(b.stack.Process(name).PID()); err != nil {
			return u, err
		}
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var spent syscall.Rusage
		if err := syscall.Getrusage(who, &spent); err != nil {
			return u, err
		}
		u.here += time.Duration(spent.Utime.Nano() + spent.Stime.Nano())
	}
	return u, nil
}

// neighbours returns the average number of cores that other processes of the machine used since
// before.
func (u usage) neighbours(before usage) float64 {
	ours := u.here - before.here
	for name := range u.each {
		ours += u.each[name] - before.each[name]
	}
	return max(0, (u.machine-before.machine-ours).Seconds()/u.at.Sub(before.at).Seconds())
}

// familyTime is cpuTime including the process's children, also children that have exited.
func familyTime(pid int) (time.Duration, error) {
	fields := statFields(fmt.Sprintf("/proc/%d/stat", pid))
	sum, err := ticks(fields, 11, 15)
	if err != nil {
		return 0, fmt.Errorf("cpu time of process %d: %w", pid, err)
	}
	for _, child := range children(pid) {
		if spent, err := cpuTime(child); err == nil { // else it has ended meanwhile
			sum += spent
		}
	}
	return sum, nil
}

// machineTime returns the CPU time of all processes of the machine: the first line of /proc/stat
// without idle and iowait.
func machineTime() (time.Duration, error) {
	content, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	line, _, _ := bytes.Cut(content, []byte("\n"))
	fields := strings.Fields(string(line)) // cpu user nice system idle …
	return ticks(fields, 1, 4)
}

// ticks adds up the fields from..to, in hundredths of a second.
func ticks(fields []string, from, to int) (time.Duration, error) {
	if len(fields) < to {
		return 0, fmt.Errorf("only %d fields: it has ended", len(fields))
	}
	var sum int64
	for _, text := range fields[from:to] {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond, nil
}
