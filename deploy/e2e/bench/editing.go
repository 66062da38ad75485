package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/local/stack"
)

const (
	distinct = 500                    // different events that are sent again and again
	editRest = 100 * time.Millisecond // between two edits of a person who is quick
)

// measureEditing measures what organizers do over HTTP: they create events, change parts of them,
// and rename a venue that many dates are in.
func (b *bench) measureEditing(ctx context.Context) error {
	o, err := b.newOrganizer(ctx, "editing@example.org")
	if err != nil {
		return err
	}
	var venues [2]string
	for i := range venues {
		if venues[i], err = o.addVenue(ctx, fmt.Sprintf("Bühne %d", i)); err != nil {
			return err
		}
	}
	drafts, err := b.measureCreation(ctx, o, "created as drafts", newEvents(o.org, venues[0], "draft"), atLeast(300))
	if err != nil {
		return err
	}
	public, err := b.measureCreation(ctx, o, "created and released", newEvents(o.org, venues[0], "released"), aim{})
	if err != nil {
		return err
	}
	e := &edits{organizer: o, venues: venues}
	for _, l := range []struct {
		name   string
		events []created
		load
	}{
		{"PUT of drafts, 1 client", drafts, load{clients: 1}},
		{fmt.Sprintf("PUT of drafts, %d clients", editors), drafts, load{clients: editors}},
		{"PUT, 1 client", public, load{clients: 1}},
		{fmt.Sprintf("PUT, %d clients", editors), public, load{clients: editors}},
		{fmt.Sprintf("PUT, %d clients that pause %s", editors, editRest), public, load{clients: editors, rest: editRest}},
	} {
		e.events = l.events
		if err := b.measureEdits(ctx, l.name, l.load, e); err != nil {
			return err
		}
	}
	if err := b.measureRename(ctx, o); err != nil {
		return err
	}
	return b.measurePeaks("editing", map[string]float64{stack.Admin: 150, stack.Projector: 250})
}

// newEvents returns the bodies of new events with texts, types, tags and two dates in a venue.
func newEvents(org, venue, status string) [][]byte {
	m := &maker{Rand: rand.New(rand.NewPCG(3, 4)), today: time.Now()}
	bodies := make([][]byte, distinct)
	for i := range bodies {
		e := m.eventAt(org, venue, "", 2)
		body, err := json.Marshal(map[string]any{
			"org_uuid": org, "venue_uuid": venue, "title": e.Title, "subtitle": e.Subtitle, "summary": e.Summary,
			"description": e.Description, "event_types": e.EventTypes, "tags": e.Tags, "release_status": status,
			"dates": []any{newDate(e.Dates[0]), newDate(e.Dates[1])},
		})
		if err != nil {
			panic(err) // plain values always encode
		}
		bodies[i] = body
	}
	return bodies
}

func newDate(d *reference.Date) map[string]any {
	return map[string]any{"start_date": d.StartDate, "start_time": d.StartTime}
}

// created is what the answer to a new event holds of it.
type created struct {
	UUID  string
	Dates []struct{ UUID string }
}

// measureCreation creates events with several clients, on the same machine as the services, and
// returns them once the public ones are in the index.
func (b *bench) measureCreation(ctx context.Context, o *organizer, name string, bodies [][]byte, least aim) ([]created, error) {
	before, err := b.usage()
	if err != nil {
		return nil, err
	}
	var mutex sync.Mutex
	var events []created
	var sent atomic.Int64
	done, err := repeat(ctx, load{clients: editors, going: lasting(b.span(loadLasting)), work: func(ctx context.Context) error {
		var event created
		body := bodies[int(sent.Add(1))%len(bodies)]
		if err := o.send(ctx, http.MethodPost, "/api/admin/event/create", "application/json", body, &event); err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		events = append(events, event)
		return nil
	}})
	if err != nil {
		return nil, err
	}
	after, err := b.usage()
	if err != nil {
		return nil, err
	}
	b.report.judged("editing", fmt.Sprintf("events %s, %d clients", name, editors), done.perSecond(), "events/s", least)
	b.reportWriteCPU("events "+name, before, after, len(done.took), "ms/event")
	return events, b.stack.AwaitReady(ctx)
}

// reportWriteCPU reports the CPU time of the write side for each of several writes.
func (b *bench) reportWriteCPU(name string, before, after usage, writes int, unit string) {
	for _, process := range []string{stack.Admin, stack.Postgres} {
		spent := after.each[process] - before.each[process]
		b.report.add("editing", "CPU of "+process+", "+name, spent.Seconds()*1000/float64(writes), unit)
	}
}

// edits are changes of events, each of another kind than the one before.
type edits struct {
	*organizer
	events []created
	venues [2]string
	made   atomic.Int64
}

// next returns the path and the body of the next edit, which changes what the ones before have
// left.
func (e *edits) next() (path string, body map[string]any) {
	n := int(e.made.Add(1))
	event := e.events[rand.IntN(len(e.events))]
	path = "/api/admin/event/" + event.UUID
	switch n % 5 {
	case 0:
		return path + "/header", map[string]any{"title": fmt.Sprintf("Konzert %d", n), "subtitle": "im Hafen"}
	case 1:
		text := fmt.Sprintf("Fassung %d: ein Abend mit Musik vom Ostseestrand und Lesung am Kamin. ", n)
		return path + "/description", map[string]any{"description": text + text + text + text + text}
	case 2:
		return path + "/tags", map[string]any{"tags": []string{"jazz", fmt.Sprintf("reihe %d", n)}}
	case 3:
		return path + "/place", map[string]any{
			"venue_uuid": e.venues[n/5%2], "space_uuid": nil, "online_link": fmt.Sprintf("https://example.org/stream/%d", n),
		}
	default:
		start := n / 5
		return path + "/date/" + event.Dates[start%2].UUID, map[string]any{
			"start_time": fmt.Sprintf("%02d:%02d", start%24, start/24%60),
		}
	}
}

// measureEdits reports how long edits take while the relay, the projector and the index are busy
// with the ones before.
func (b *bench) measureEdits(ctx context.Context, name string, l load, e *edits) error {
	before, err := b.usage()
	if err != nil {
		return err
	}
	l.going = lasting(b.span(loadLasting))
	l.work = func(ctx context.Context) error {
		path, body := e.next()
		return e.write(ctx, http.MethodPut, path, body, nil)
	}
	done, err := repeat(ctx, l)
	if err != nil {
		return err
	}
	after, err := b.usage()
	if err != nil {
		return err
	}
	b.reportWriteCPU(name, before, after, len(done.took), "ms/request")
	b.report.add("editing", name, done.perSecond(), "requests/s")
	b.report.aimed("editing", name+", p50", done.took.percentile(50), "ms", atMost(10))
	b.report.aimed("editing", name+", p99", done.took.percentile(99), "ms", atMost(40))
	return b.stack.AwaitReady(ctx)
}

// measurePeaks reports the peak memory of services since their start, with their bounds.
func (b *bench) measurePeaks(after string, bounds map[string]float64) error {
	for _, service := range processes {
		bound, known := bounds[service]
		if !known {
			continue
		}
		peak, err := peakMB(b.stack.Process(service).PID())
		if err != nil {
			return err
		}
		b.report.aimed("memory", service+" after "+after+", peak", peak, "MB", atMost(bound))
	}
	return nil
}
