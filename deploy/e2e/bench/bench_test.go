package main

import (
	"context"
	"os"
	"testing"
	"time"

	"litfass/deploy/e2e/reference"
)

func TestProcessFigures(t *testing.T) {
	pid := os.Getpid()
	peak, err := peakMB(pid)
	if err != nil || peak < 1 {
		t.Errorf("peak is %f MB, %v", peak, err)
	}
	share, err := shareMB(pid)
	if err != nil || share < 1 || share > peak+1 {
		t.Errorf("share is %f MB of a peak of %f, %v", share, peak, err)
	}
	for until := time.Now().Add(time.Minute); ; { // compute until Linux has counted CPU time
		if spent, err := cpuTime(pid); err != nil || time.Now().After(until) {
			t.Fatalf("no cpu time is counted: %v", err)
		} else if spent > 0 {
			break
		}
	}
	if _, err := cpuTime(1 << 30); err == nil {
		t.Error("a process that does not exist has cpu time")
	}
}

func TestBelievable(t *testing.T) {
	now := time.Now()
	for _, full := range []bool{false, true} {
		catalogue, err := believable(1000, now, full)
		if err != nil {
			t.Fatal(err)
		}
		r := reference.New(catalogue, "", now)
		if found := len(r.Dates()); found != 1000 {
			t.Errorf("the catalogue has %d public dates, want 1000", found)
		}
		seen := map[string]bool{}
		for _, d := range r.Dates() {
			if seen[d.Date.UUID] {
				t.Fatalf("two dates are %s", d.Date.UUID)
			}
			seen[d.Date.UUID] = true
		}
	}
}

func TestQuestionsAreDistinctAndFind(t *testing.T) {
	catalogue, err := believable(20_000, time.Now(), false)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{catalogue: catalogue}
	r := reference.New(b.catalogue, "", time.Now())
	seen, found := map[string]bool{}, 0
	const n = 400
	for i := range int64(n) {
		q := b.question(i * 7)
		if text := q.parameters.Encode(); seen[text] {
			t.Fatalf("asked twice: %s", text)
		} else {
			seen[text] = true
		}
		p := reference.Parameters{}
		for name := range q.parameters {
			p[name] = q.parameters.Get(name)
		}
		found += min(1, len(r.Events(p, "").Found))
	}
	if found < n*9/10 {
		t.Errorf("%d of %d questions find something", found, n)
	}
}

func TestPauseEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if pause(ctx, time.Hour) == nil {
		t.Error("the pause did not end")
	}
}
