package main

import (
	"bufio"
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// echo runs a server that sends back what it gets, and returns its address.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				_, _ = bufio.NewReader(connection).WriteTo(connection)
			}()
		}
	}()
	return listener.Addr().String()
}

// says sends a line and returns whether it comes back within a time.
func says(t *testing.T, connection net.Conn, within time.Duration) error {
	t.Helper()
	if err := connection.SetDeadline(time.Now().Add(within)); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Write([]byte("line\n")); err != nil {
		return err
	}
	_, err := bufio.NewReader(connection).ReadString('\n')
	return err
}

func TestALineIsCutAndMended(t *testing.T) {
	const long, brief = 30 * time.Second, 50 * time.Millisecond
	c, err := newCutter(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.close() })
	dial := func() net.Conn {
		t.Helper()
		connection, err := net.Dial("tcp", c.address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		return connection
	}
	first := dial()
	if err := says(t, first, long); err != nil {
		t.Fatalf("the line: %v", err)
	}
	c.hush()
	if err := says(t, first, brief); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the line cut silently: %v", err)
	}
	c.mend()
	if err := says(t, first, long); err != nil {
		t.Errorf("the same connection afterwards: %v", err)
	}
	c.cut()
	for what, connection := range map[string]net.Conn{"the old connection": first, "a new one": dial()} {
		if err := says(t, connection, long); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s of a cut line: %v", what, err)
		}
	}
	c.mend()
	if err := says(t, dial(), long); err != nil {
		t.Errorf("a new connection afterwards: %v", err)
	}
}

func TestKeptAnswersAreCountedOverAllLabels(t *testing.T) {
	hits, misses := sumCacheAnswers(`# HELP litfass_query_cache_answers_total Questions.
litfass_query_cache_answers_total{kind="events",result="hit"} 10
litfass_query_cache_answers_total{result="hit",kind="summary"} 5
litfass_query_cache_answers_total{kind="events",result="miss"} 1.5e+01
litfass_query_cache_bytes 77
`)
	if hits != 15 || misses != 15 {
		t.Errorf("%g hits and %g misses", hits, misses)
	}
}

func TestOverloadAsksNothingTwice(t *testing.T) {
	b := &bench{}
	seen := map[string]bool{}
	for n := range int64(300_000) {
		if n%50 > 1 && n < 118_700 { // some of the first, all around their repetition
			continue
		}
		path := b.distinct(n)
		if seen[path] {
			t.Fatalf("%d is asked twice: %s", n, path)
		}
		seen[path] = true
	}
}
