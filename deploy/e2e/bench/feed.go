package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"litfass/deploy/local/stack"
)

const (
	// idleStreams are the streams that no edit matters to, and manyStreams how many the query service
	// must have room for.
	idleStreams, manyStreams = 1_000, 5_000
	// idleTime is how long CPU time is measured without edits.
	idleTime = 20 * time.Second
	// editRate are the edits of a second while streams are open.
	editRate = 20
)

// measureFeed makes edits as measureFreshness does while streams of the change feed are open, and
// measures the time from the commit until a search finds the new title, and until a stream without
// a filter has it. It also measures what idle streams take.
func (b *bench) measureFeed(ctx context.Context) error {
	f := &feed{titles: map[string]chan time.Time{}}
	defer f.close()
	address, err := url.Parse(b.stack.ServiceURL(stack.Query))
	if err != nil {
		return err
	}
	pid := b.stack.Process(stack.Query).PID()
	without, err := shareMB(pid)
	if err != nil {
		return err
	}
	if err := b.measureCatchUp(ctx, pid, f, address.Host); err != nil {
		return err
	}
	if err := f.open(ctx, address.Host, "", 1); err != nil {
		return err
	}
	if err := f.open(ctx, address.Host, "&city=Nirgendwo", idleStreams); err != nil {
		return err
	}
	if err := b.idle(ctx, pid, "the query service with 1,000 idle streams"); err != nil {
		return err
	}
	if err := b.followFeed(ctx, f); err != nil {
		return err
	}
	if err := b.feedUnderEdits(ctx, pid, f, address.Host); err != nil {
		return err
	}
	if err := f.open(ctx, address.Host, "&city=Nirgendwo", manyStreams-2*idleStreams-catchingUp-1); err != nil {
		return err
	}
	with, err := shareMB(pid)
	if err != nil {
		return err
	}
	b.report.add("feed", "memory of 5,000 open streams", with-without, "MB")
	return b.idle(ctx, pid, "the query service with 5,000 idle streams")
}

// idle measures the CPU time of a process while nothing is edited.
func (b *bench) idle(ctx context.Context, pid int, what string) error {
	return b.share(pid, what, func() error { return pause(ctx, b.span(idleTime)) })
}

// share measures the CPU time of a process during some work.
func (b *bench) share(pid int, what string, work func() error) error {
	before, err := cpuTime(pid)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := work(); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := cpuTime(pid)
	if err != nil {
		return err
	}
	b.report.add("feed", what, 100*(after-before).Seconds()/took.Seconds(), "% of a core")
	return nil
}

// feedUnderEdits measures the query service while events are edited: with the open streams, of
// which one has a filter that finds them, and with as many more that all have one.
func (b *bench) feedUnderEdits(ctx context.Context, pid int, f *feed, host string) error {
	o, events, err := b.newEdited(ctx, "feed@example.org")
	if err != nil {
		return err
	}
	edits := func() error {
		count := int(editRate * b.span(idleTime).Seconds())
		ticker, began := time.NewTicker(time.Second/editRate), time.Now()
		defer ticker.Stop()
		defer func() {
			b.report.add("feed", "edits that were made", float64(count)/time.Since(began).Seconds(), "per s")
		}()
		for n := range count {
			if err := o.retitle(ctx, events[n%len(events)], fmt.Sprintf("Neu %d", n)); err != nil {
				return err
			}
			<-ticker.C
		}
		return nil
	}
	if err := b.share(pid, "the query service under 20 edits/s, 1,000 streams that find none of them", edits); err != nil {
		return err
	}
	if err := f.open(ctx, host, "&org_uuids="+o.org, idleStreams); err != nil {
		return err
	}
	return b.share(pid, "the query service under 20 edits/s, 1,000 more streams that find all of them", edits)
}

// followFeed follows edits from their commit to a search and to a stream.
func (b *bench) followFeed(ctx context.Context, f *feed) error {
	commits, err := b.watchCommits(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(context.WithoutCancel(ctx))
	var searched, streamed durations
	for n := range b.some(b.edits) {
		event := b.edited(n)
		title := fmt.Sprintf("Neuigkeit zqxf%dvwk", n)
		arrived := f.expect(title)
		committed, found, err := b.follow(ctx, commits, event, title)
		if err != nil {
			return fmt.Errorf("edit %d: %w", n, err)
		}
		select {
		case at := <-arrived:
			searched, streamed = append(searched, found.Sub(committed)), append(streamed, at.Sub(committed))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for name, took := range map[string]durations{"search": searched, "subscriber": streamed} {
		b.report.add("feed", "commit to "+name+", p50", took.percentile(50), "ms")
		b.report.add("feed", "commit to "+name+", p99", took.percentile(99), "ms")
	}
	return nil
}

// feed are open streams of the change feed.
type feed struct {
	mu     sync.Mutex
	conns  []net.Conn
	titles map[string]chan time.Time // when a stream had them, once
}

// expect returns a channel that gets the time when a stream has a title.
func (f *feed) expect(title string) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.titles[title] = make(chan time.Time, 1)
	return f.titles[title]
}

// open opens streams with a filter.
func (f *feed) open(ctx context.Context, host, filter string, count int) error {
	for range count {
		lines, err := f.stream(ctx, host, filter)
		if err != nil {
			return err
		}
		go f.read(lines)
	}
	return nil
}

// catchUp opens a stream with a filter that finds nothing. It has caught up at this position.
func (f *feed) catchUp(ctx context.Context, host, filter, position string) (done <-chan struct{}, err error) {
	lines, err := f.stream(ctx, host, filter)
	if err != nil {
		return nil, err
	}
	caughtUp := make(chan struct{})
	go func() {
		defer close(caughtUp)
		for lines.Scan() && lines.Text() != "id: "+position {
			continue
		}
	}()
	return caughtUp, nil
}

// stream opens a stream and reads the first line of its head.
func (f *feed) stream(ctx context.Context, host, filter string) (*bufio.Scanner, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.conns = append(f.conns, conn)
	f.mu.Unlock()
	if _, err := fmt.Fprintf(conn, "GET /api/changes?lang=de%s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n", filter, host); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, 4<<10), 16<<20)
	if !lines.Scan() || !strings.Contains(lines.Text(), " 200 ") {
		return nil, errors.New("a stream is refused: " + lines.Text())
	}
	return lines, nil
}

// read reads a stream to its end.
func (f *feed) read(lines *bufio.Scanner) {
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found {
			continue
		}
		now := time.Now()
		f.mu.Lock()
		for title, arrived := range f.titles {
			if strings.Contains(data, title) {
				arrived <- now
				delete(f.titles, title)
			}
		}
		f.mu.Unlock()
	}
}

func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, conn := range f.conns {
		_ = conn.Close()
	}
}
