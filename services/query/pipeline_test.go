package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"litfass/pkg/chassis/web"
)

// TestRequestsInOnePieceAreAllAnswered sends more than one request before it reads. The buffers
// that the server gives back between two requests must take neither a request nor an answer with
// them.
func TestRequestsInOnePieceAreAllAnswered(t *testing.T) {
	const first, second, third = "request-1", "request-2", "request-3"
	request := func(id string) string {
		return "GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id + "\r\n\r\n"
	}
	half := len(request(second)) / 2
	address := serveApp(t)
	for name, steps := range map[string][]struct {
		sent     string
		answered []string
	}{
		"three at once": {{request(first) + request(second) + request(third), []string{first, second, third}}},
		"one and a half": {
			{request(first) + request(second)[:half], []string{first}},
			{request(second)[half:], []string{second}},
		},
		"an empty line too many": {{request(first) + "\r\n", []string{first}}, {request(second), []string{second}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = connection.Close() }()
			if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			answers := bufio.NewReader(connection)
			for _, step := range steps {
				if _, err := io.WriteString(connection, step.sent); err != nil {
					t.Fatal(err)
				}
				for _, id := range step.answered {
					wantAnswerTo(t, answers, id)
				}
			}
		})
	}
}

// wantAnswerTo reads one answer, which must be that to the request with this id.
func wantAnswerTo(t *testing.T, answers *bufio.Reader, id string) {
	t.Helper()
	response, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatalf("no answer to %s: %v", id, err)
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	if got := response.Header.Get("X-Request-Id"); response.StatusCode != http.StatusOK || got != id {
		t.Errorf("an answer %d to %q instead of one to %s", response.StatusCode, got, id)
	}
}

// serveApp serves the configured app without operations, until the test ends.
func serveApp(t *testing.T) (address string) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- web.ServeOn(ctx, newApp(config{}, nil, log, web.NewMetrics(), nil), listener, patience, log)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}
