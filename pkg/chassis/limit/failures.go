package limit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Failures limits how often a client may fail to authenticate. A client that exceeds it is refused
// for a time, before anything is looked up for it. Only failed requests are counted. A nil Failures
// refuses nothing. It is safe for concurrent use.
type Failures struct {
	guard   *guard
	refused *lru.Cache[Client, time.Time] // until when
}

// Failures returns the limit of a row of the table, nil when the row is off. It panics when there
// is no such row.
func (l *Limiter) Failures(operation string) *Failures {
	if l == nil {
		return nil
	}
	at := slices.IndexFunc(l.table, func(row Row) bool { return row.Operation == operation })
	if at < 0 {
		panic(fmt.Sprintf("%s is no row of the table of limits", operation))
	}
	row := l.table[at]
	if row.Max == 0 {
		return nil
	}
	refused, err := lru.New[Client, time.Time](maxCounts)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	status, route, _ := strings.Cut(operation, " ")
	return &Failures{guard: l.newGuard(status, route, row), refused: refused}
}

// Refused returns a TooMany fault while requests of the client are refused.
func (f *Failures) Refused(client Client) error {
	if f == nil {
		return nil
	}
	until, known := f.refused.Get(client)
	left := until.Sub(f.now())
	if !known || left <= 0 {
		return nil
	}
	return f.tooMany(wholeSeconds(left))
}

// Count counts a failed request of the client. It returns a TooMany fault when the limit is
// exceeded: from then on requests of the client are refused.
func (f *Failures) Count(ctx context.Context, client Client) error {
	if f == nil {
		return nil
	}
	count := f.guard.take(ctx, client)
	if !count.refused {
		return nil
	}
	f.refused.Add(client, f.now().Add(time.Duration(count.seconds)*time.Second))
	return f.tooMany(count.seconds)
}

func (f *Failures) now() time.Time { return f.guard.limiter.local.now() }

func (f *Failures) tooMany(seconds int) error {
	row := f.guard.row
	return tooMany(seconds, "more than %d failed requests in %s", row.Max, inWords(row.Window))
}
