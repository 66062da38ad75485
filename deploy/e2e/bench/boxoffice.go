package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/document"
	"litfass/pkg/contracts/permission"
)

const (
	runs         = 10 // public events
	performances = 100
	saleLasting  = 15 * time.Second
	engineTurns  = 10
)

// theatreRun is an event with its dates.
type theatreRun struct {
	UUID  string
	Dates []struct{ UUID string }
}

// measureBoxOffice measures what a box office does with a key: it states the places of a date for
// each ticket that it sells. In turns with that, the texts of the same events are edited.
func (b *bench) measureBoxOffice(ctx context.Context) error {
	o, err := b.newOrganizer(ctx, "theatre@example.org")
	if err != nil {
		return err
	}
	all, err := b.addRuns(ctx, o)
	if err != nil {
		return err
	}
	var made struct{ Key string }
	body := map[string]any{"name": "Kasse", "permissions": permission.SetAvailability}
	if err := o.write(ctx, http.MethodPost, "/api/admin/organization/"+o.org+"/api-keys", body, &made); err != nil {
		return err
	}
	texts := &writes{
		editor: &runEditor{runs: all, next: textOfRun}, client: client.New(b.stack.ServiceURL(stack.Admin), editors), token: o.token,
		probe: b.stack.ServiceURL(stack.Query) + "/api/events?start=1999-01-01&end=1999-01-01", waiting: map[*written]bool{},
	}
	tickets := texts.by(&runEditor{runs: all, next: ticketOfRun})
	tickets.token = made.Key
	for _, l := range []struct {
		name   string
		writes *writes
		rate   int
		least  aim
	}{
		{"tickets", tickets, 100, atLeast(99)}, {"tickets", tickets, 10, aim{}}, {"texts", texts, 10, aim{}},
	} {
		if err := b.measureSale(ctx, fmt.Sprintf("%s, %d/s", l.name, l.rate), l.writes, l.rate, l.least); err != nil {
			return err
		}
	}
	return b.measureTicketsInEngine(ctx, all[0].UUID)
}

// addRuns adds the released events.
func (b *bench) addRuns(ctx context.Context, o *organizer) ([]theatreRun, error) {
	venue, err := o.addVenue(ctx, "Großes Haus")
	if err != nil {
		return nil, err
	}
	all := make([]theatreRun, runs)
	for i := range all {
		dates := make([]map[string]any, performances)
		for n := range dates {
			dates[n] = map[string]any{
				"start_date": time.Now().AddDate(0, 0, 1+n).Format(time.DateOnly), "start_time": "19:30", "availability": "available",
			}
		}
		err := o.write(ctx, http.MethodPost, "/api/admin/event/create", map[string]any{
			"org_uuid": o.org, "venue_uuid": venue, "title": fmt.Sprintf("Die Möwe %d", i), "release_status": "released", "dates": dates,
		}, &all[i])
		if err != nil {
			return nil, err
		}
	}
	return all, b.stack.AwaitReady(ctx)
}

// runEditor makes edits of runs. It is safe for concurrent use.
type runEditor struct {
	runs []theatreRun
	made atomic.Int64
	next func(of theatreRun, n int64) stale.Edit
}

// Next returns the next edit, which is about another run than the one before.
func (e *runEditor) Next() stale.Edit {
	n := e.made.Add(1)
	edit := e.next(e.runs[n%runs], n)
	edit.Method, edit.Done = http.MethodPut, func(uint64) {}
	return edit
}

func ticketOfRun(of theatreRun, n int64) stale.Edit {
	date := of.Dates[n/runs%performances].UUID
	return stale.Edit{Path: "/api/admin/date/" + date + "/availability", Body: map[string]any{
		"availability": "available", "remaining_places": 1_000_000 - n,
	}}
}

func textOfRun(of theatreRun, n int64) stale.Edit {
	return stale.Edit{Path: "/api/admin/event/" + of.UUID + "/header", Body: map[string]any{"subtitle": fmt.Sprintf("Fassung %d", n)}}
}

// measureSale makes edits at a rate, and reports the rate that was reached, the CPU time of the
// whole stack and of each part, and the time from an answer until public ones name its position.
func (b *bench) measureSale(ctx context.Context, name string, w *writes, rate int, least aim) error {
	before, err := b.usage()
	if err != nil {
		return err
	}
	sent := w.sent.Load()
	perSecond, err := w.during(ctx, rate, func() error { return pause(ctx, b.span(saleLasting)) })
	if err != nil {
		return err
	}
	if err := b.stack.AwaitReady(ctx); err != nil {
		return err
	}
	after, err := b.usage()
	if err != nil {
		return err
	}
	made, public := float64(w.sent.Load()-sent), w.taken()
	b.report.judged("box office", name, perSecond, "requests/s", least)
	b.report.add("box office", name+", answer to visible, p50", public.percentile(50), "ms")
	b.report.add("box office", name+", answer to visible, p99", public.percentile(99), "ms")
	var all time.Duration
	for _, process := range processes {
		spent := after.each[process] - before.each[process]
		b.report.add("box office", name+", CPU of "+process, spent.Seconds()*1000/made, "ms/request")
		all += spent
	}
	b.report.add("box office", name+", CPU of all", all.Seconds()*1000/made, "ms/request")
	return nil
}

// measureTicketsInEngine compares how long the engine alone takes for the documents of a run with
// another availability, and with another word of the title. In the end the index equals the stream.
func (b *bench) measureTicketsInEngine(ctx context.Context, event string) error {
	engine := index.Connect(index.Config{URL: b.stack.MeiliURL(), Key: b.stack.MeiliKey()})
	var dates, entities []index.Document
	if err := errors.Join(
		engine.Each(ctx, document.Dates, `uuid = "`+event+`"`, nil, keepIn(&dates)),
		engine.ByID(ctx, document.Events, []string{event}, nil, keepIn(&entities)),
	); err != nil {
		return err
	}
	for _, change := range []struct{ name, key, value string }{
		{"another availability", "availability", `"sold_out"`}, {"another word", "title_words", `"zwischenfassung"`},
	} {
		was := dates[0][change.key]
		var took durations
		for range b.some(engineTurns) {
			for _, value := range []json.RawMessage{json.RawMessage(change.value), was} {
				once, err := engineWrites(ctx, engine, dates, entities, change.key, value)
				if err != nil {
					return err
				}
				took = append(took, once)
			}
		}
		b.report.add("box office", fmt.Sprintf("the engine alone, %d dates with %s, p50", len(dates), change.name), took.percentile(50), "ms")
	}
	return nil
}
