package stale

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"litfass/deploy/e2e/client"
	"litfass/deploy/e2e/reference"
)

// Counts are the results of the questions of a checker.
type Counts struct {
	Checked map[string]int // answers compared with the book, by kind, see Kinds
	Stale   int            // of those, answers that did not show an edit up to their position
	Old     map[string]int // the same, by kind
	Unnamed int            // answers without a position, which are not compared
	Failed  int            // questions without an answer, or with a status other than 200 and 404
	First   error          // what was wrong with the first stale answer
	Failure error          // why the first question failed
}

// Kinds are the kinds of answers that Ask compares with the book. AskPage compares "pages".
var Kinds = []string{"events", "groups", "feeds", "summary", "facets", "details", "lists"}

// All returns the number of compared answers.
func (c Counts) All() int {
	all := 0
	for _, n := range c.Checked {
		all += n
	}
	return all
}

// Checker asks the public side and compares the answers with a book. It is safe for concurrent use.
type Checker struct {
	book      *Book
	client    *client.Client
	questions []*question

	mu     sync.Mutex
	draw   *rand.Rand
	counts Counts
}

// NewChecker returns a checker that asks at the base address of a client: the searches, of dates,
// of events and as feeds, their type summaries and facets, what was edited last, and lists.
// Searches that are not in order of start from the first page are left out, and those with a day
// that is a word.
func NewChecker(b *Book, c *client.Client, searches []reference.Parameters) *Checker {
	k := &Checker{book: b, client: c, draw: rand.New(rand.NewPCG(3, 3)), counts: newCounts()}
	for _, p := range searches {
		if canJudge(p) {
			k.questions = append(k.questions, b.newQuestion(p))
		}
	}
	return k
}

func newCounts() Counts { return Counts{Checked: map[string]int{}, Old: map[string]int{}} }

// At returns a checker of the same book that asks with another client.
func (k *Checker) At(c *client.Client) *Checker {
	return &Checker{
		book: k.book, client: c, questions: k.questions,
		draw: rand.New(rand.NewPCG(4, 4)), counts: newCounts(),
	}
}

// Counts returns the counts so far.
func (k *Checker) Counts() Counts {
	k.mu.Lock()
	defer k.mu.Unlock()
	counts := k.counts
	counts.Checked, counts.Old = maps.Clone(counts.Checked), maps.Clone(counts.Old)
	return counts
}

// errFailed marks an answer that cannot be compared.
var errFailed = errors.New("no answer to compare")

// Ask asks one question, of another kind in each turn, and counts its result.
func (k *Checker) Ask(ctx context.Context) {
	k.mu.Lock()
	turn := k.draw.IntN(13)
	events := k.draw.IntN(2) == 0
	q := k.questions[k.draw.IntN(len(k.questions))]
	about, found := k.book.lately(k.draw)
	k.mu.Unlock()
	switch {
	case turn < 5 || !found:
		k.compare(ctx, "events", "/api/events?"+q.query, k.page(q.checkPage))
	case turn < 6 && len(q.words) == 0:
		k.compare(ctx, "summary", "/api/events/type-summary?"+q.query, func(a client.Answer, position uint64) error {
			summary, err := client.Data[client.Summary](a, "get-events-type-summary")
			if err != nil || summary.Total == nil {
				return fmt.Errorf("%w: %w", errFailed, err)
			}
			return q.checkSummary(summary, position)
		})
	case turn < 9:
		k.askAbout(ctx, about)
	case turn < 10 && len(q.words) == 0:
		k.askGroups(ctx, q)
	case turn < 11 && q.canCount():
		k.askFacets(ctx, q, events)
	case turn < 12 && len(q.words) == 0:
		k.askFeed(ctx, q)
	default:
		k.askList(ctx, about)
	}
}

// Fill asks each question of searches in all its forms, so that a service keeps their answers.
func (k *Checker) Fill(ctx context.Context) {
	for _, q := range k.questions {
		k.compare(ctx, "events", "/api/events?"+q.query, k.page(q.checkPage))
		if len(q.words) > 0 {
			continue
		}
		k.askGroups(ctx, q)
		k.askFeed(ctx, q)
		if q.canCount() {
			k.askFacets(ctx, q, false)
			k.askFacets(ctx, q, true)
		}
	}
}

// askGroups asks for the events of a question.
func (k *Checker) askGroups(ctx context.Context, q *question) {
	k.compare(ctx, "groups", "/api/events?"+q.query+grouped, func(a client.Answer, position uint64) error {
		page, err := client.Data[client.Page](a, "get-events")
		if err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return q.checkGroups(page, position)
	})
}

// askFacets asks for the facets of a question, of dates or of events.
func (k *Checker) askFacets(ctx context.Context, q *question, events bool) {
	path := "/api/events/facets?" + q.query + counting
	if events {
		path += "&group=event"
	}
	k.compare(ctx, "facets", path, func(a client.Answer, position uint64) error {
		got, err := client.Data[facets](a, "get-events-facets")
		if err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return q.checkFacets(got, events, position)
	})
}

// lately returns one of the entities edited last; found is false when there is none yet.
func (b *Book) lately(draw *rand.Rand) (one entity, found bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.recent) == 0 {
		return entity{}, false
	}
	return b.recent[draw.IntN(len(b.recent))], true
}

// page returns the comparison of a page of events.
func (k *Checker) page(check func([]client.Entry, uint64) error) func(client.Answer, uint64) error {
	return func(a client.Answer, position uint64) error {
		page, err := client.Data[client.Page](a, "get-events")
		if err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return check(page.Events, position)
	}
}

// askAbout asks for the details of an entity.
func (k *Checker) askAbout(ctx context.Context, e entity) {
	k.compare(ctx, "details", "/api/"+e.kind+"/"+e.uuid, func(a client.Answer, position uint64) error {
		if a.Status == http.StatusNotFound {
			return k.book.checkEntity(e, nil, position)
		}
		got, err := client.Data[client.Entry](a, "get-"+e.kind)
		if err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return k.book.checkEntity(e, got, position)
	})
}

// askList asks for the venues of the organization that an entity belongs to, or for organizations
// by a part of its name.
func (k *Checker) askList(ctx context.Context, e entity) {
	uuid, name := k.book.ownerOf(e)
	if e.kind == organization {
		path := "/api/organizations?limit=" + strconv.Itoa(mostListed) + "&search=" + url.QueryEscape(name)
		k.compare(ctx, "lists", path, func(a client.Answer, position uint64) error {
			list, err := client.Data[struct{ Organizations []client.Entry }](a, "get-organizations")
			if err != nil {
				return fmt.Errorf("%w: %w", errFailed, err)
			}
			return k.book.checkOrganizations(name, list.Organizations, position)
		})
		return
	}
	k.compare(ctx, "lists", "/api/venues?limit="+strconv.Itoa(mostListed)+"&org_uuids="+uuid, func(a client.Answer, position uint64) error {
		list, err := client.Data[struct{ Venues []client.Entry }](a, "get-venues")
		if err != nil {
			return fmt.Errorf("%w: %w", errFailed, err)
		}
		return k.book.checkVenues(uuid, list.Venues, position)
	})
}

// ownerOf returns the organization that an entity belongs to, and its first name.
func (b *Book) ownerOf(e entity) (uuid, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e.kind {
	case organization:
		uuid = e.uuid
	case venue:
		uuid = b.venues[e.uuid].last().OrgUUID
	default:
		uuid = b.events[e.uuid].last().OrgUUID
	}
	return uuid, b.organizations[uuid].versions[0].value.Name
}

// compare requests a path and counts the result of a comparison of the answer.
func (k *Checker) compare(ctx context.Context, kind, path string, check func(client.Answer, uint64) error) {
	answer, err := k.client.Get(ctx, path)
	if ctx.Err() != nil {
		return
	}
	position := client.Position(answer.Header)
	switch {
	case err != nil:
		err = fmt.Errorf("%w: %w", errFailed, err)
	case answer.Status != http.StatusOK && answer.Status != http.StatusNotFound:
		err = fmt.Errorf("%w: %s: %d %.200s", errFailed, path, answer.Status, answer.Body)
	case position > 0:
		if err = check(answer, position); err != nil {
			err = fmt.Errorf("%s at position %d: %w", path, position, err)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.counts.add(kind, position, err)
}

func (c *Counts) add(kind string, position uint64, err error) {
	switch {
	case errors.Is(err, errFailed):
		c.Failed++
		if c.Failure == nil {
			c.Failure = err
		}
	case position == 0:
		c.Unnamed++
	default:
		c.Checked[kind]++
		if err != nil {
			c.Stale++
			c.Old[kind]++
			if c.First == nil {
				c.First = err
			}
		}
	}
}

// AskAboutAll asks for the details of every edited entity while no edit is pending, and returns the
// number of answers that differ from the last edit. The error names the first of them, or is the
// context's.
func (k *Checker) AskAboutAll(ctx context.Context) (wrong int, err error) {
	before := k.Counts()
	for _, e := range k.book.everyEdited() {
		k.askAbout(ctx, e)
	}
	after := k.Counts()
	wrong = after.Stale - before.Stale + after.Failed - before.Failed + after.Unnamed - before.Unnamed
	if wrong > 0 {
		return wrong, fmt.Errorf("%d edits are not shown: %w", wrong, errors.Join(after.First, after.Failure))
	}
	return 0, ctx.Err()
}

// everyEdited returns all entities with an edit.
func (b *Book) everyEdited() []entity {
	b.mu.Lock()
	defer b.mu.Unlock()
	var edited []entity
	for uuid, h := range b.events {
		if len(h.versions) > 1 {
			edited = append(edited, entity{event, uuid})
		}
	}
	for uuid, h := range b.venues {
		if len(h.versions) > 1 {
			edited = append(edited, entity{venue, uuid})
		}
	}
	for uuid, h := range b.organizations {
		if len(h.versions) > 1 {
			edited = append(edited, entity{organization, uuid})
		}
	}
	return edited
}
