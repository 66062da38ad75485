package queue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litfass/services/projector/internal/queue"
)

// item reads "org/key", with "!" for an urgent and "*" for a large one, each of weight 10.
func item(text string, revision int64) queue.Item[string] {
	lane, key, _ := strings.Cut(strings.Trim(text, "!*"), "/")
	return queue.Item[string]{
		Key: key, Lane: lane, Revision: revision, Weight: 10, Held: 1, Payload: fmt.Sprintf("%s%d", key, revision),
		Urgent: strings.Contains(text, "!"), Large: strings.Contains(text, "*"),
	}
}

func fill(texts string) *queue.Queue[string] {
	q := &queue.Queue[string]{}
	revisions := map[string]int64{}
	for text := range strings.FieldsSeq(texts) {
		_, key, _ := strings.Cut(strings.Trim(text, "!*"), "/")
		revisions[key]++
		q.Add(item(text, revisions[key]))
	}
	return q
}

func small(q *queue.Queue[string], limits queue.Limits) string {
	var names []string
	for _, taken := range q.Small(limits) {
		names = append(names, taken.Payload)
	}
	return strings.Join(names, " ")
}

func TestOrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, waiting string
		limits        queue.Limits
		batches       []string
	}{
		{"one organization in its order", "a/x a/y a/z", queue.Limits{Items: 2, Weight: 100}, []string{"x1 y1", "z1", ""}},
		{"an edit behind many others", "a/x a/y a/z b/e", queue.Limits{Items: 2, Weight: 100}, []string{"x1 e1", "y1 z1", ""}},
		{"by weight", "a/x a/y b/e", queue.Limits{Items: 9, Weight: 20}, []string{"x1 e1", "y1", ""}},
		{"one that weighs more than a batch", "a/x b/e", queue.Limits{Items: 9, Weight: 1}, []string{"x1", "e1", ""}},
		{"withdrawals first", "a/x a/y b/e! c/f!", queue.Limits{Items: 3, Weight: 100}, []string{"e1 f1 x1", "y1", ""}},
		{"withdrawals leave room", "a/x b/e! b/f! b/g!", queue.Limits{Items: 2, Weight: 100}, []string{"e1 x1", "f1 g1", ""}},
		{"a newer one in the place of the older", "a/x a/y a/x", queue.Limits{Items: 1, Weight: 100}, []string{"x2", "y1", ""}},
		{"a newer one that is urgent", "a/y a/x a/x!", queue.Limits{Items: 1, Weight: 100}, []string{"x2", "y1", ""}},
		{"a newer one that is large", "a/y a/x a/x*", queue.Limits{Items: 9, Weight: 100}, []string{"y1", ""}},
		{"a newer one of another organization", "a/y a/x b/z b/x", queue.Limits{Items: 9, Weight: 100}, []string{"y1 z1 x2", ""}},
	} {
		q := fill(c.waiting)
		for i, want := range c.batches {
			if got := small(q, c.limits); got != want {
				t.Errorf("%s: batch %d is %q, want %q", c.name, i, got, want)
			}
		}
	}
}

func TestLargeEventsTakeTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, waiting, urgent, others string }{
		{"one of each organization", "a/x* a/y* a/z* b/e*", "", "x1 e1 y1 z1"},
		{"cancellations", "a/x* b/e!* b/f!*", "e1 f1", "x1"},
		{"a newer one in the place of the older", "a/x* b/e* a/x*", "", "x2 e1"},
		{"a cancellation of one that waits", "a/x* b/e* a/x!*", "x2", "e1"},
		{"a newer one that is small", "a/x* a/x", "", ""},
	} {
		q := fill(c.waiting)
		for urgent, want := range map[bool]string{true: c.urgent, false: c.others} {
			var names []string
			for taken, ok := q.Large(urgent); ok; taken, ok = q.Large(urgent) {
				names = append(names, taken.Payload)
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("%s: %q, want %q", c.name, got, want)
			}
		}
	}
}

// TestOthersHaveAShareOfTheSlices: urgent ones without end do not keep the others from their turn.
func TestOthersHaveAShareOfTheSlices(t *testing.T) {
	t.Parallel()
	var share queue.Share
	var order []byte
	for i := range 12 {
		next := byte('-')
		if share.Urgent(i < 10, i > 1) {
			next = 'u'
		}
		order = append(order, next)
	}
	if got := string(order); got != "uuu-uuu-uu--" {
		t.Errorf("%s", got)
	}
}

// TestNothingIsLost: of each entity the newest item is taken, once, and the others are returned.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	q := &queue.Queue[string]{}
	if older := q.Add(item("a/x", 2)); older != nil {
		t.Errorf("the first one supersedes %v", older)
	}
	if older := q.Add(item("a/x", 1)); older == nil || older.Payload != "x1" {
		t.Errorf("an older one that comes late: %v", older)
	}
	if older := q.Add(item("a/x", 2)); older == nil || older.Payload != "x2" || q.Len() != 1 || q.Held() != 1 {
		t.Errorf("the same one again: %v, %d wait and hold %d", older, q.Len(), q.Held())
	}
	q.Park(item("a/y*", 1))
	if _, _, large := q.Waiting(); large > 0 || q.Waits("y") == nil || q.Len() != 2 {
		t.Error("a parked one is to be taken")
	}
	if older := q.Add(item("a/y", 2)); older == nil || older.Payload != "y1" {
		t.Errorf("a parked one is superseded: %v", older)
	}
	if got := small(q, queue.Limits{Items: 9, Weight: 100}); got != "x2 y2" || q.Len() != 0 || q.Held() != 0 {
		t.Errorf("%q, then %d wait and hold %d", got, q.Len(), q.Held())
	}
}

// TestEveryItemIsTaken fills and empties a queue in many orders.
func TestEveryItemIsTaken(t *testing.T) {
	t.Parallel()
	few := queue.Limits{Items: 3, Weight: 25}
	for seed := range 200 {
		q := &queue.Queue[string]{}
		newest := map[string]int64{}
		for i := range 60 {
			kind := []string{"", "!", "*", "!*"}[(i*seed+i/7)%4]
			key := fmt.Sprint((i * (seed + 3)) % 17)
			newest[key]++
			q.Add(item(fmt.Sprintf("%d/%s%s", (i+seed)%3, key, kind), newest[key]))
			if i%11 == seed%11 {
				for _, taken := range q.Small(queue.Limits{Items: 2, Weight: 100}) {
					delete(newest, taken.Key)
				}
			}
		}
		var left []string
		for taken := q.Small(few); len(taken) > 0; taken = q.Small(few) {
			for _, item := range taken {
				left = append(left, item.Payload)
			}
		}
		for i := 0; i < 2; i++ {
			for taken, ok := q.Large(i == 0); ok; taken, ok = q.Large(i == 0) {
				left = append(left, taken.Payload)
			}
		}
		var want []string
		for key, revision := range newest {
			want = append(want, fmt.Sprintf("%s%d", key, revision))
		}
		slices.Sort(left)
		if slices.Sort(want); !slices.Equal(left, want) || q.Len() != 0 || q.Held() != 0 {
			t.Fatalf("seed %d: took %v, want %v; %d wait", seed, left, want, q.Len())
		}
	}
}
