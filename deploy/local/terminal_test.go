package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

const orphanVariable = "LOCAL_TEST_ORPHAN"

// TestRepeatedHangupsAreOneRequest: when a terminal is closed, the launcher receives a signal from
// the terminal and one for the death of make. A second request to stop would abort the orderly
// stop.
func TestRepeatedHangupsAreOneRequest(t *testing.T) {
	if os.Getenv(orphanVariable) != "" {
		orphan()
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), orphanVariable+"=1", "MAKELEVEL=")
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() && lines.Text() != "listening" {
		continue // what the testing package writes
	}
	for _, hangup := range []os.Signal{syscall.SIGPIPE, syscall.SIGHUP, orphaned} {
		if err := child.Process.Signal(hangup); err != nil {
			t.Fatal(err)
		}
	}
	for lines.Scan() && lines.Text() != "asked to stop" {
		continue
	}
	input.Close()
	rest, err := io.ReadAll(output)
	for lines.Scan() {
		rest = append(rest, lines.Text()+"\n"...)
	}
	if err != nil || child.Wait() != nil || strings.Contains(string(rest), "again") {
		t.Errorf("%q, %v", rest, err)
	}
}

// orphan acts as the launcher: it reports every request to stop until its standard input ends.
func orphan() {
	requests := make(chan os.Signal, 4)
	signal.Notify(requests, syscall.SIGTERM)
	endWithTerminal()
	fmt.Println("listening")
	<-requests
	fmt.Println("asked to stop")
	_, _ = io.ReadAll(os.Stdin)
	select {
	case <-requests:
		fmt.Println("asked again")
	default:
	}
}
