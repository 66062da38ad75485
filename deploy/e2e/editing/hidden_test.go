package editing

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"litfass/deploy/e2e/feeds"
	"litfass/deploy/e2e/harness"
	"litfass/deploy/e2e/reference"
)

// secrets are what no public answer may hold while an event is hidden.
type secrets struct {
	words []string               // that occur only in this event
	ids   []string               // of the event and its parts
	known []string               // ids of the entities that it refers to, which are no secrets
	ways  []reference.Parameters // that find the event while it is public
}

// sample chooses one in so many requests of an operation, from an offset on.
type sample struct{ step, offset int }

// everything is no sample.
var everything = sample{step: 1}

// exposures calls public operations with everything that leads to an event, and returns the answers
// that reveal some of it: "GET /api/event/{uuid}" with the request and the part that its answer
// reveals.
func exposures(s *harness.System, t *testing.T, hidden secrets, operations []operation, chosen sample) map[string][]string {
	t.Helper()
	ids := slices.Concat(hidden.ids, hidden.known)
	values := slices.Concat(hidden.words, hidden.ids)
	work := make(chan request)
	found, group := exposed{}, errgroup.Group{}
	for range 4 {
		group.Go(func() (err error) {
			for r := range work { // to the end, also after an error: the channel must be emptied
				if shown, failed := exposure(t.Context(), s, r, hidden); failed != nil {
					err = failed
				} else if shown != "" {
					found.add(r, shown)
				}
			}
			return err
		})
	}
	count := 0
	for _, o := range operations {
		values, ways := values, hidden.ways
		if o.isFeed() && !strings.HasSuffix(o.path, ".json") { // all formats show what one search finds
			values, ways = values[:min(len(values), 2)], ways[:min(len(ways), 3)]
		}
		for i, r := range o.requests(ids, values, ways) {
			if i%chosen.step == chosen.offset {
				work <- r
				count++
			}
		}
	}
	close(work)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d requests to %d public operations", count, len(operations))
	return found.byOperation
}

// exposed collects what several workers find.
type exposed struct {
	harness.Failures // for its mutex
	byOperation      map[string][]string
}

func (e *exposed) add(r request, shown string) {
	e.Mutex.Lock()
	defer e.Mutex.Unlock()
	if e.byOperation == nil {
		e.byOperation = map[string][]string{}
	}
	name := r.operation.method + " " + r.operation.path
	e.byOperation[name] = append(e.byOperation[name], fmt.Sprintf("%s %s %s", r.path, r.body, shown))
}

// exposure sends a request and returns what its answer shows of the event. An error may repeat what
// was asked for; a success may not, nor may there be one at a path with a hidden id. The lists
// below /api/geolist take slugs, and are empty for unknown ones.
func exposure(ctx context.Context, s *harness.System, r request, hidden secrets) (shown string, err error) {
	header := http.Header{}
	if r.body != "" {
		header.Set("Content-Type", "application/json")
	}
	answer, err := s.Client.Do(ctx, r.operation.method, r.path, header, []byte(r.body))
	if err != nil {
		return "", err
	}
	if answer.Status >= http.StatusInternalServerError {
		return "", fmt.Errorf("%s %s %s: %d %.300s", r.operation.method, r.path, r.body, answer.Status, answer.Body)
	}
	success := answer.Status < http.StatusBadRequest
	for _, id := range hidden.ids {
		if success && slices.Contains(r.filled, id) && !strings.HasPrefix(r.path, "/api/geolist/") {
			return fmt.Sprintf("answers %d", answer.Status), nil
		}
	}
	content := strings.ToLower(string(answer.Body) + fmt.Sprint(answer.Header))
	if r.operation.isFeed() {
		content = withoutName(withoutQueries(content))
	}
	asked := strings.ToLower(r.path + r.body)
	for _, secret := range slices.Concat(hidden.words, hidden.ids) {
		secret = strings.ToLower(secret)
		if strings.Contains(content, secret) && (success || !strings.Contains(asked, secret)) {
			return "shows " + secret, nil
		}
	}
	return "", nil
}

// isFeed reports whether an operation answers with a feed.
func (o operation) isFeed() bool {
	return slices.Contains(feeds.All, strings.TrimPrefix(path.Ext(o.path), "."))
}

// queries are the parameters of the addresses in a feed, and foldings where its lines go on.
var queries, foldings = regexp.MustCompile(`(https?://[^\s"<>?]*)\?[^\s"<>]*`), strings.NewReplacer("\r\n ", "")

// withoutQueries returns a feed without the parameters of the addresses in it: it names its own,
// which repeats what was asked for.
func withoutQueries(feed string) string {
	return queries.ReplaceAllString(foldings.Replace(feed), "$1")
}

// feedEntries is where the entries of a feed begin, and feedNames the name that stands before them.
var (
	feedEntries = regexp.MustCompile(`<item>|<entry>|"items":|begin:vevent`)
	feedNames   = regexp.MustCompile(`(?m)^(?:name|x-wr-calname):.*$|<(?:title|description)>[^<]*</|"title":\s*"(?:[^"\\]|\\.)*"`)
)

// withoutName returns a feed in lower case without its name, which repeats what was searched for.
func withoutName(feed string) string {
	head := feed
	if at := feedEntries.FindStringIndex(feed); at != nil {
		head = feed[:at[0]]
	}
	return feedNames.ReplaceAllString(head, "") + feed[len(head):]
}

// mustHide fails the test unless every public operation hides the event, tried with a sample of the
// requests.
func mustHide(s *harness.System, t *testing.T, stage string, hidden secrets, chosen sample) {
	t.Helper()
	for operation, shown := range exposures(s, t, hidden, publicOperations(s, t), chosen) {
		t.Errorf("%s: %s exposes the event %d times: %s", stage, operation, len(shown), shown[0])
	}
}

// mustExpose fails the test unless the operations that show public events do: else mustHide would
// show nothing.
func mustExpose(s *harness.System, t *testing.T, hidden secrets) {
	t.Helper()
	names := []string{
		"GET /api/events", "POST /api/events", "GET /api/event/{uuid}", "GET /api/event/{uuid}/date/{date}",
		"GET /api/image/{uuid}", "GET /api/image/{uuid}/{version}",
	}
	others := func(o operation) bool { return !slices.Contains(names, o.method+" "+o.path) }
	found := exposures(s, t, hidden, slices.DeleteFunc(publicOperations(s, t), others), everything)
	for _, operation := range names {
		if found[operation] == nil {
			t.Errorf("%s does not show the public event", operation)
		}
	}
}
