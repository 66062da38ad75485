package source

import (
	"context"
	"net/http"
	"slices"
	"time"

	"litfass/pkg/contracts/adminapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport"
	"litfass/services/admin/internal/platform/postgres"
	"litfass/services/admin/internal/platform/remote"
)

// feed is how far another Litfass was read. It is stored with the result of each reading: one that
// is broken off is repeated from the same position.
type feed struct {
	Position string   `json:"position"` // after which the next changes are
	Base     string   `json:"base"`     // of the addresses of its pages
	Pending  []string `json:"pending"`  // the events that have changed and were not read yet
	Again    []string `json:"again"`    // those that were refused or held, read with the next changes
	Gone     []string `json:"gone"`     // those that have left it
}

const (
	maxRead  = 500                    // events of one reading; the next one does the rest
	maxAgain = adminapi.MaxSourceRows // as many as a report shows
	maxNoted = 5_000                  // that have gone or are pending, after which everything is read again
	// maxReadBytes is how long the events of one reading are together, but for the last one.
	maxReadBytes = 8 << 20
	// previewed is how many events a preview reads.
	previewed = 20
)

// asker asks a server for an organization.
type asker func(ctx context.Context, asked remote.Request) (remote.Answer, error)

func (s *Service) askerOf(org string) asker {
	return func(ctx context.Context, asked remote.Request) (remote.Answer, error) {
		return s.Imports.Ask(ctx, org, asked)
	}
}

// attemptFeed reads what has changed in another Litfass, and imports it. Its events are read one
// after the other, for half of the time at most.
func (s *Service) attemptFeed(ctx context.Context, c claim, how wish) (o outcome, err error) {
	l, err := newLitfass(s.askerOf(c.OrgUUID), c.Address)
	if err != nil {
		return o, err
	}
	f, news, err := s.advance(ctx, l, c)
	if err != nil {
		return o, err
	}
	o.feed = f
	if !news && len(f.Pending) == 0 && !how.whole {
		return o, nil
	}
	wanted := slices.Clone(f.Pending)
	for _, id := range f.Again {
		if !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	given, read, err := readEvents(ctx, l, f, wanted[:min(len(wanted), maxRead)])
	if o.retryAfter = retryAfter(err); err != nil && len(read) == 0 {
		return o, err
	}
	reading := s.reading(c.SourceBody, c.record)
	reading.Events, reading.Gone = given, f.Gone
	report, held, err := s.importAll(ctx, c, how, reading)
	if err != nil {
		return o, err
	}
	o.compared = slices.Concat([]string{""}, f.settle(report, read), f.Gone) // never all
	o.report = reportOf(report, held, c.at)
	o.report.Complete = report.Complete && len(f.Pending) == 0
	return o, nil
}

// advance returns the feed with what has changed since the last reading, or with everything at the
// first one and when the changes are no longer known. news reports whether there is anything.
func (s *Service) advance(ctx context.Context, l litfass, c claim) (f *feed, news bool, err error) {
	if c.feed.leadsOn() {
		f, news, err = c.feed.further(ctx, l)
		if statusOf(err) != http.StatusGone && statusOf(err) != http.StatusBadRequest {
			return f, news, err
		}
	}
	position, header, err := l.begin(ctx)
	if err != nil {
		return nil, false, err
	}
	all, err := l.list(ctx, header, maxEvents)
	if err != nil {
		return nil, false, err
	}
	f = &feed{Position: position, Base: l.root.String()}
	for _, found := range all {
		f.enter(found)
	}
	known, err := s.Imports.Known(ctx, c.OrgUUID, c.record)
	pending := postgres.Set(f.Pending)
	for _, id := range known {
		if !pending[id] {
			f.Gone = append(f.Gone, id)
		}
	}
	return f, true, err
}

// leadsOn reports whether the changes after the feed are asked for: it is known, and short enough.
func (f *feed) leadsOn() bool {
	return f != nil && len(f.Gone) <= maxNoted && len(f.Pending) <= maxNoted
}

// further returns the feed with the changes after its position.
func (f *feed) further(ctx context.Context, l litfass) (next *feed, news bool, err error) {
	next = &feed{f.Position, f.Base, slices.Clone(f.Pending), slices.Clone(f.Again), slices.Clone(f.Gone)}
	for range maxAnswers {
		page, err := l.after(ctx, next.Position)
		if err != nil {
			return nil, false, err
		}
		for _, change := range page.Changes {
			news = true
			if change.Change == "left" {
				next.leave(change.UUID)
				continue
			}
			next.enter(change.Entry)
		}
		next.Position = page.Position
		if !page.More || !next.leadsOn() {
			break
		}
	}
	return next, news, nil
}

// enter notes an event that is to be read.
func (f *feed) enter(found foundEvent) {
	id, valid := value.UUIDv7(found.UUID)
	if !valid {
		return
	}
	if base := found.base(); base != "" {
		f.Base = base
	}
	f.Again, f.Gone = without(f.Again, id), without(f.Gone, id)
	f.Pending = append(without(f.Pending, id), id)
}

// leave notes an event that has gone.
func (f *feed) leave(text string) {
	id, valid := value.UUIDv7(text)
	if !valid {
		return
	}
	f.Pending, f.Again = without(f.Pending, id), without(f.Again, id)
	f.Gone = append(without(f.Gone, id), id)
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(ids, func(other string) bool { return other == id })
}

// readEvents reads events one after the other, and returns them with the uuids that were read: not
// all if the time ends, they are long, or the other Litfass does not answer. One that is there no
// more has gone.
func readEvents(ctx context.Context, l litfass, f *feed, wanted []string) (given []eventimport.Given, read []string, err error) {
	given = []eventimport.Given{}
	deadline, limited := ctx.Deadline()
	half := time.Until(deadline) / 2
	before := *l.read
	for _, id := range wanted {
		if limited && time.Until(deadline) < half || *l.read-before > maxReadBytes {
			return given, read, nil
		}
		event, err := l.event(ctx, id)
		if err != nil {
			return given, read, err
		}
		if read = append(read, id); event == nil {
			f.leave(id)
			continue
		}
		given = append(given, givenOf(event, f.Base, len(given)+1))
	}
	return given, read, nil
}

// settle takes the events that were imported off the feed, and returns those that were read. The
// refused and held ones are read again.
func (f *feed) settle(report adminapi.ImportReport, read []string) (done []string) {
	results := map[string]string{}
	for _, e := range report.Events {
		results[e.ExternalID] = e.Action
	}
	for _, id := range read {
		action, imported := results[id]
		if !imported && !slices.Contains(f.Gone, id) { // there was no time
			continue
		}
		done = append(done, id)
		f.Pending, f.Again = without(f.Pending, id), without(f.Again, id)
		if again := action == adminapi.ImportRefuse || action == adminapi.ImportHeld; again && len(f.Again) < maxAgain {
			f.Again = append(f.Again, id)
		}
	}
	return done
}

// previewFeed reads the first events of another Litfass.
func (s *Service) previewFeed(ctx context.Context, org string, address value.Text) ([]eventimport.Given, error) {
	l, err := newLitfass(s.askerOf(org), address)
	if err != nil {
		return nil, err
	}
	if _, _, err := l.begin(ctx); err != nil {
		return nil, err
	}
	found, err := l.list(ctx, nil, previewed)
	if err != nil {
		return nil, err
	}
	f := &feed{Base: l.root.String()}
	for _, one := range found {
		f.enter(one)
	}
	given, _, err := readEvents(ctx, l, f, f.Pending)
	return given, err
}
