package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"litfass/deploy/local/stack"
)

const (
	slowHeads    = 200 // clients that send their head letter by letter
	halfBodies   = 60  // clients that send half of a body and wait
	halfBody     = 1_500_000
	hugeHeads    = 60 // clients that send a head that does not end
	hugeHead     = 200 << 10
	slowLasting  = 10 * time.Second
	slowDialling = 5 * time.Second
)

// measureSlowClients measures kept answers and the memory of the query service while clients hold
// connections without finishing their requests.
func (b *bench) measureSlowClients(ctx context.Context) error {
	const part = "slow clients"
	before, err := b.hotBeside(func() error { return pause(ctx, b.span(slowLasting)/2) })
	if err != nil {
		return err
	}
	still, err := shareMB(b.stack.Process(stack.Query).PID())
	if err != nil {
		return err
	}
	b.report.add(part, "memory of query before", still, "MB")
	b.report.add(part, "kept answers before, p99", before.took.percentile(99), "ms")
	for _, kind := range []struct {
		name    string
		clients int
		client  func(context.Context, net.Conn) error
	}{
		{fmt.Sprintf("%d heads sent letter by letter", slowHeads), slowHeads, sendSlowHead},
		{fmt.Sprintf("%d half-sent bodies of 1.5 MB", halfBodies), halfBodies, sendHalfBody},
		{fmt.Sprintf("%d heads of 200 KB without an end", hugeHeads), hugeHeads, sendHugeHead},
	} {
		watching, stop := context.WithCancel(ctx)
		peak := b.watchMemory(watching)
		meanwhile, err := b.hotBeside(func() error { return b.slowly(ctx, kind.clients, kind.client) })
		stop()
		most := <-peak
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		b.report.add(part, kind.name+", kept answers, p99", meanwhile.took.percentile(99), "ms")
		b.report.add(part, kind.name+", kept answers refused", float64(meanwhile.refused), "")
		b.report.add(part, kind.name+", memory of query, most", most, "MB")
	}
	return nil
}

// slowly runs clients of a kind for a while. A client whose connection the service ends has got
// what it deserves.
func (b *bench) slowly(ctx context.Context, clients int, client func(context.Context, net.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, b.span(slowLasting))
	defer cancel()
	address := strings.TrimPrefix(b.stack.ServiceURL(stack.Query), "http://")
	var group sync.WaitGroup
	var first failure
	for range clients {
		group.Go(func() {
			dialer := net.Dialer{Timeout: slowDialling}
			connection, err := dialer.DialContext(ctx, "tcp", address)
			if err != nil {
				if ctx.Err() == nil {
					first.note(err)
				}
				return
			}
			defer connection.Close()
			_ = client(ctx, connection) // an ended connection
			<-ctx.Done()
		})
	}
	group.Wait()
	return first.err()
}

func sendSlowHead(ctx context.Context, connection net.Conn) error {
	head := "GET /api/events?limit=1 HTTP/1.1\r\nHost: example.org\r\nX-Slow: " + strings.Repeat("s", 100)
	for i := range len(head) {
		if _, err := connection.Write([]byte{head[i]}); err != nil {
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func sendHalfBody(_ context.Context, connection net.Conn) error {
	head := fmt.Sprintf("POST /api/events HTTP/1.1\r\nHost: example.org\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", halfBody+halfBody/5)
	_, err := connection.Write([]byte(head + `{"search": "` + strings.Repeat("a", halfBody)))
	return err
}

func sendHugeHead(_ context.Context, connection net.Conn) error {
	_, err := connection.Write([]byte("GET /api/events HTTP/1.1\r\nHost: example.org\r\nX-Huge: " + strings.Repeat("h", hugeHead)))
	return err
}
