package main

import (
	"context"
	"errors"
	"os"
	"slices"
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

func TestPartsAreChosen(t *testing.T) {
	for _, test := range []struct {
		small bool
		asked string
		has   map[string]bool
	}{
		{false, "", map[string]bool{"edits": true, "hooks": false, drillPart: false}},
		{true, "", map[string]bool{"edits": true, "hooks": true, "boxoffice": true, "accounts": true, drillPart: false}},
		{true, "disk," + drillPart, map[string]bool{"edits": false, "disk": true, drillPart: true}},
	} {
		b := &bench{small: test.small}
		if err := b.choose(0, test.asked); err != nil {
			t.Fatal(err)
		}
		for name, want := range test.has {
			if slices.Contains(b.parts, name) != want {
				t.Errorf("small %t, parts %q: %v", test.small, test.asked, b.parts)
			}
		}
		if (b.dates < 100_000) != test.small {
			t.Errorf("small %t: %d dates", test.small, b.dates)
		}
	}
	if new(bench).choose(0, "edits,nothing") == nil {
		t.Error("an unknown part is not refused")
	}
}

// TestOneWrongAnswerFailsARun: a small run without aims fails, too.
func TestOneWrongAnswerFailsARun(t *testing.T) {
	r := report{small: true}
	r.none("edits", "stale answers", 0, nil)
	r.aimed("edits", "p99", 1000, "ms", atMost(10))
	if len(r.wrong) > 0 || r.Figures[1].Met != nil {
		t.Errorf("without a wrong answer: %v, %+v", r.wrong, r.Figures)
	}
	r.none("edits", "stale answers", 1, errors.New("old"))
	r.none("rebuild", "empty reads", 2, nil)
	if len(r.wrong) != 2 {
		t.Errorf("wrong answers are %v", r.wrong)
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
