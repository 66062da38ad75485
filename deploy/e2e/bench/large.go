package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"litfass/deploy/local/stack"
	"litfass/pkg/chassis/index"
	"litfass/pkg/contracts/adminapi"
)

const (
	largeEvents    = 10   // in a row
	largeDates     = 1000 // of each: as many as an event may have
	cancelledDates = 300
	largeMargin    = 2000   // characters of the other texts and tags of an event
	shareOfText    = 100    // a small run has texts of this part of the bound
	publicWithin   = 1000.0 // ms
	wordLetters    = 6
	cancelAfter    = 3 // small edits
	betweenSmall   = 200 * time.Millisecond

	largeEmail, smallEmail = "large@example.org", "small@example.org"
)

// largeRun are the events of the part large.
type largeRun struct {
	*bench
	owner  *organizer
	random *rand.Rand
}

// measureLarge adds the largest events that are allowed, one after the other, and measures how soon
// the small edits of another organization are public meanwhile; then a change of the titles, and
// the cancellation of an event beside them.
func (b *bench) measureLarge(ctx context.Context) error {
	owner, err := b.newOrganizer(ctx, largeEmail)
	if err != nil {
		return err
	}
	other, small, err := b.newEdited(ctx, smallEmail)
	if err != nil {
		return err
	}
	r := &largeRun{bench: b, owner: owner, random: rand.New(rand.NewPCG(1, 2))}
	engine := index.Connect(index.Config{URL: b.stack.MeiliURL(), Key: b.stack.MeiliKey()})
	cancelled, err := r.add(ctx, cancelledDates)
	if err != nil {
		return err
	}
	if err := b.stack.AwaitReady(ctx); err != nil {
		return err
	}
	before, err := engine.Size(ctx)
	if err != nil {
		return err
	}
	var events []string
	for range b.some(largeEvents) {
		event, err := r.add(ctx, largeDates)
		if err != nil {
			return err
		}
		events = append(events, event)
	}
	if err := r.beside(ctx, "new", other, small, ""); err != nil {
		return err
	}
	if err := errors.Join(owner.login(ctx, largeEmail), other.login(ctx, smallEmail)); err != nil { // it took long
		return err
	}
	for i, event := range events {
		if err := owner.retitle(ctx, event, fmt.Sprintf("Noch größer %d", i)); err != nil {
			return err
		}
	}
	if err := r.beside(ctx, "retitled", other, small, cancelled); err != nil {
		return err
	}
	after, err := engine.Size(ctx)
	if err != nil {
		return err
	}
	b.report.add("large events", "the engine's files before", megabytes(before.Whole), "MB")
	b.report.add("large events", "the engine's files after", megabytes(after.Whole), "MB")
	return nil
}

// add adds a released event with as long texts in three languages as so many dates may have, and
// returns its uuid.
func (r *largeRun) add(ctx context.Context, dates int) (string, error) {
	each := min(adminapi.MaxSearched/dates-largeMargin, 3*adminapi.MaxDescription)
	if r.small {
		each /= shareOfText
	}
	list := make([]map[string]any, dates)
	for n := range list {
		list[n] = map[string]any{
			"start_date": time.Now().AddDate(0, 0, 1+n).Format(time.DateOnly), "start_time": "19:30",
		}
	}
	texts := map[string]any{}
	for _, language := range []string{"en", "da"} {
		texts[language] = map[string]any{"description": distinctWords(r.random, each/3)}
	}
	var made created
	err := r.owner.write(ctx, http.MethodPost, "/api/admin/event/create", map[string]any{
		"org_uuid": r.owner.org, "online_link": "https://example.org/", "title": "Größer geht es nicht", "text_language": "de",
		"description": distinctWords(r.random, each/3), "texts": texts, "release_status": "released", "dates": list,
	}, &made)
	return made.UUID, err
}

// distinctWords returns a text of random words, which no other text has.
func distinctWords(random *rand.Rand, characters int) string {
	var text strings.Builder
	for text.Len()+wordLetters < characters {
		for range wordLetters {
			text.WriteByte(byte('a' + random.IntN(26))) //nolint:gosec // below 26
		}
		text.WriteByte(' ')
	}
	return text.String()
}

// beside edits small events of another organization until the large ones are in the index, and
// cancels a large one amid the others, unless it is "".
func (r *largeRun) beside(ctx context.Context, name string, other *organizer, events []string, cancelled string) error {
	began, ready := time.Now(), make(chan error, 1)
	go func() { ready <- r.stack.AwaitReady(ctx) }()
	var public durations
	for n := 0; ; n++ {
		if n == cancelAfter && cancelled != "" {
			if err := r.cancel(ctx, cancelled); err != nil {
				return err
			}
		}
		title, sent := fmt.Sprintf("Klein %s %d", name, n), time.Now()
		if err := other.retitle(ctx, events[n%len(events)], title); err != nil {
			return err
		}
		if err := r.awaitText(ctx, "/api/events?search="+strings.ReplaceAll(title, " ", "+"), title); err != nil {
			return err
		}
		public = append(public, time.Since(sent))
		select {
		case err := <-ready:
			if err != nil {
				return err
			}
		case <-time.After(betweenSmall):
			continue
		}
		break
	}
	r.report.add("large events", name+", until all are in the index", time.Since(began).Seconds(), "s")
	r.report.add("large events", name+", small edits meanwhile", float64(len(public)), "")
	r.report.add("large events", name+", small edit to public, p50", public.percentile(50), "ms")
	r.report.aimed("large events", name+", small edit to public, slowest", public.percentile(100), "ms", atMost(publicWithin))
	peak, err := peakMB(r.stack.Process(stack.Projector).PID())
	r.report.add("large events", name+", memory of the projector, peak", peak, "MB")
	return err
}

// awaitText waits until a public answer has a text.
func (r *largeRun) awaitText(ctx context.Context, path, text string) error {
	for {
		answer, err := r.query.Get(ctx, path)
		if err != nil {
			return err
		}
		if strings.Contains(string(answer.Body), text) {
			return nil
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

// cancel cancels an event and reports when all of its dates are cancelled in public.
func (r *largeRun) cancel(ctx context.Context, event string) error {
	sent := time.Now()
	err := r.owner.write(ctx, http.MethodPut, "/api/admin/event/"+event+"/release-status", map[string]any{"release_status": "cancelled"}, nil)
	if err != nil {
		return err
	}
	answer := "/api/events?total=true&limit=1&release_statuses=cancelled&search=gr%C3%B6%C3%9Fer"
	if err := r.awaitText(ctx, answer, fmt.Sprintf(`"total_event_count":%d`, cancelledDates)); err != nil {
		return err
	}
	r.report.add("large events", fmt.Sprintf("cancellation of %d dates to public, among the others", cancelledDates), float64(time.Since(sent).Milliseconds()), "ms")
	return nil
}
