package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"litfass/deploy/e2e/reference"
	"litfass/deploy/e2e/stale"
	"litfass/deploy/local/stack"
)

// mix makes all kinds of edits: of ten, six change a text, one moves a date, one releases or
// cancels an event, one edits an organization or a venue, and one adds an event. The book of the
// stale checker does not know the moves and the new events, so no answer is checked meanwhile.
type mix struct {
	*stale.Editor
	events []*reference.Event
	added  [][]byte // bodies of new events

	mu   sync.Mutex
	draw *rand.Rand
}

// Next returns an edit. It is safe for concurrent use.
func (m *mix) Next() stale.Edit {
	switch kind := m.next(10); {
	case kind < 6:
		return m.Text()
	case kind == 6:
		return m.move()
	case kind == 7:
		return m.Status()
	case kind == 8:
		return m.Record()
	default:
		return m.add()
	}
}

func (m *mix) next(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.draw.IntN(n)
}

// move moves a date to another day, as the catalogue spreads them.
func (m *mix) move() stale.Edit {
	event := m.events[m.next(len(m.events))]
	date := event.Dates[m.next(len(event.Dates))]
	day := time.Now().AddDate(0, 0, m.next(730)-180)
	return stale.Edit{
		Method: http.MethodPut, Path: "/api/admin/event/" + event.UUID + "/date/" + date.UUID,
		Body: map[string]any{"start_date": day.Format(time.DateOnly)}, Done: func(uint64) {},
	}
}

// add adds a released event with two dates.
func (m *mix) add() stale.Edit {
	var body map[string]any
	if err := json.Unmarshal(m.added[m.next(len(m.added))], &body); err != nil {
		panic(err) // it was encoded here
	}
	return stale.Edit{Method: http.MethodPost, Path: "/api/admin/event/create", Body: body, Done: func(uint64) {}}
}

// newMix returns writes of all kinds, by an organizer who may edit everything.
func (r *reading) newMix(ctx context.Context) (*writes, error) {
	o, err := r.newOrganizer(ctx, "mixing@example.org", "--admin")
	if err != nil {
		return nil, err
	}
	venue, err := o.addVenue(ctx, "Bühne am Markt")
	if err != nil {
		return nil, err
	}
	editor, err := r.editor()
	if err != nil {
		return nil, err
	}
	mixed := r.writes.by(&mix{
		Editor: editor, events: r.catalogue.Events, added: newEvents(o.org, venue, "released"), draw: rand.New(rand.NewPCG(5, 6)),
	})
	mixed.token = o.token
	return mixed, nil
}

// mixedLoads repeats searches beside edits of all kinds, in turns with none.
func (r *reading) mixedLoads(ctx context.Context) error {
	mixed, err := r.newMix(ctx)
	if err != nil {
		return err
	}
	h := hot{base: r.stack.ServiceURL(stack.Query), requests: hotRequests(r.questions, "/api/events"), connections: connections}
	for range hotTurns {
		for _, rate := range []int{0, hotEdits[len(hotEdits)-1]} {
			if err := r.measure(ctx, mixedName(rate), rate, mixed, h); err != nil {
				return err
			}
		}
	}
	return r.stack.AwaitReady(ctx)
}

func mixedName(rate int) string { return fmt.Sprintf("%d mixed edits/s", rate) }
