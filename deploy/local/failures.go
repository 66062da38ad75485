package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
)

const (
	maxFailures     = 30  // tests that the summary names
	maxFailureLines = 6   // of the output of each
	maxFailureWidth = 300 // bytes of a line
)

// failures passes the output of go test on and collects the failed tests from it, with the first
// lines of their output: a CI shows the end of a log, and a failure may be far above it.
type failures struct {
	to     io.Writer
	line   []byte // not complete yet
	found  [][]string
	inside bool // the latest of found goes on
}

var (
	failureStart = regexp.MustCompile(`^\s*--- FAIL: |^panic: |^fatal error: |^FAIL\t.*\[|^# litfass/|^WARNING: DATA RACE`)
	failureEnd   = regexp.MustCompile(`^\s*(--- |=== )|^(ok|FAIL|PASS|\?)\b`)
)

// Write implements io.Writer.
func (f *failures) Write(output []byte) (int, error) {
	f.line = append(f.line, output...)
	for {
		line, rest, whole := bytes.Cut(f.line, []byte("\n"))
		if !whole {
			return f.to.Write(output)
		}
		f.read(string(line))
		f.line = rest
	}
}

func (f *failures) read(line string) {
	line = line[:min(len(line), maxFailureWidth)]
	switch {
	case failureStart.MatchString(line):
		f.found, f.inside = append(f.found, []string{line}), true
	case failureEnd.MatchString(line):
		f.inside = false
	case f.inside && len(f.found[len(f.found)-1]) <= maxFailureLines:
		f.found[len(f.found)-1] = append(f.found[len(f.found)-1], line)
	}
}

// summarize writes the failed tests, or nothing without any.
func (f *failures) summarize() {
	if len(f.found) == 0 {
		return
	}
	fmt.Fprintf(f.to, "\nThe failures, in short:\n")
	for i, failure := range f.found {
		if i == maxFailures {
			fmt.Fprintf(f.to, "and %d more\n", len(f.found)-i)
			return
		}
		fmt.Fprintln(f.to, strings.Join(failure, "\n"))
	}
}
