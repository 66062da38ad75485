package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"litfass/deploy/local/stack"
)

const (
	// followed are the changes that answers are read of, and catchingUp the streams that begin before
	// them at the same time.
	followed, catchingUp = 2_000, 30
	// besideFeed are the searches that are measured without and during that.
	besideFeed = 200
)

// changesAnswer is an answer of the change feed.
type changesAnswer struct {
	Position string `json:"position"`
	More     bool   `json:"more"`
}

// measureCatchUp measures answers of the change feed that find nothing, first of changes that were
// not read before, and searches while streams catch up.
func (b *bench) measureCatchUp(ctx context.Context, pid int, f *feed, host string) error {
	now, err := b.changesAfter(ctx, "")
	if err != nil {
		return err
	}
	stream, text, _ := strings.Cut(now.Position, "-")
	sequence, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	since := fmt.Sprintf("&after=%s-%d", stream, sequence-min(followed, sequence/2))
	for _, one := range []struct{ name, city string }{
		{"an answer that finds nothing", "Nirgendwo"}, {"an answer of what others have read", "Nirgends"},
	} {
		if err := b.readChanges(ctx, pid, one.name, "&city="+one.city, since); err != nil {
			return err
		}
	}
	alone, err := b.searches(ctx, 0, func(n int) bool { return n < b.some(besideFeed) })
	if err != nil {
		return err
	}
	var caughtUp sync.WaitGroup
	began, over := time.Now(), make(chan struct{})
	var first failure
	for n := range catchingUp {
		caughtUp.Go(func() {
			done, err := f.catchUp(ctx, host, fmt.Sprintf("&city=Nirgendwo%d&after=%s-1", n, stream), now.Position)
			if first.note(err); err == nil {
				<-done
			}
		})
	}
	go func() { caughtUp.Wait(); close(over) }()
	beside, err := b.searches(ctx, besideFeed, func(int) bool {
		select {
		case <-over:
			return false
		default:
			return true
		}
	})
	if err := errors.Join(err, first.err()); err != nil {
		return err
	}
	b.report.add("feed", "30 streams catch up, each in", time.Since(began).Seconds(), "s")
	b.report.add("feed", "a search without them, p50", alone.percentile(50), "ms")
	b.report.aimed("feed", "a search during that, p50", beside.percentile(50), "ms", atMost(2*alone.percentile(50)))
	return nil
}

// readChanges reads all answers after a position, and reports the CPU time of one.
func (b *bench) readChanges(ctx context.Context, pid int, name, filter, since string) error {
	before, err := cpuTime(pid)
	if err != nil {
		return err
	}
	answers := 0
	for more := true; more; answers++ {
		answer, err := b.changesAfter(ctx, filter+since)
		if err != nil {
			return err
		}
		since, more = "&after="+answer.Position, answer.More
	}
	after, err := cpuTime(pid)
	if err != nil {
		return err
	}
	spent := (after - before).Seconds() * 1000
	b.report.add("feed", name+", answers for 2,000 changes", float64(answers), "")
	b.report.aimed("feed", name+", CPU time", spent/float64(answers), "ms", atMost(50))
	return nil
}

// changesAfter reads one answer of the change feed.
func (b *bench) changesAfter(ctx context.Context, query string) (answer changesAnswer, err error) {
	message, err := http.NewRequestWithContext(ctx, http.MethodGet, b.stack.ServiceURL(stack.Query)+"/api/changes?lang=de"+query, http.NoBody)
	if err != nil {
		return answer, err
	}
	response, err := b.query.HTTP.Do(message)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("%s: %s", query, response.Status)
	}
	var envelope struct {
		Data changesAnswer `json:"data"`
	}
	err = json.NewDecoder(response.Body).Decode(&envelope)
	return envelope.Data, err
}

// searches sends different searches one after the other while they are to go on.
func (b *bench) searches(ctx context.Context, first int, goOn func(n int) bool) (took durations, err error) {
	for n := 0; goOn(n); n++ {
		began := time.Now()
		target := b.stack.ServiceURL(stack.Query) + b.distinct(int64(first+n))
		if err := b.send(ctx, request{method: http.MethodGet, url: target}); err != nil {
			return took, err
		}
		took = append(took, time.Since(began))
	}
	return took, nil
}
