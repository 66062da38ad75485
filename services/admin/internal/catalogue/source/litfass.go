package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/publicapi"
	"litfass/pkg/contracts/value"
	"litfass/services/admin/internal/catalogue/eventimport/eventfile"
	"litfass/services/admin/internal/platform/remote"
)

// The public API of a Litfass.
const (
	changesPath    = "/api/changes"
	searchPath     = "/api/events"
	eventPath      = "/event/"
	headerPosition = "Litfass-Position"
)

// isFeed reports whether an address is that of a change feed.
func isFeed(address *url.URL) bool {
	return strings.HasSuffix(strings.TrimSuffix(address.Path, "/"), changesPath)
}

// feedOf returns the address of the change feed with the filters of a search, of a feed, or of the
// first page of a site.
func feedOf(address *url.URL) *url.URL {
	feed := *address
	feed.RawPath = ""
	feed.Path = strings.TrimSuffix(feed.Path, "/")
	for _, known := range []string{changesPath, searchPath} {
		feed.Path = strings.TrimSuffix(feed.Path, known)
	}
	feed.Path += changesPath
	return &feed
}

// litfass asks another Litfass.
type litfass struct {
	ask    asker
	root   url.URL
	filter url.Values
	read   *int // counts the bytes of all answers
}

func newLitfass(ask asker, address value.Text) (litfass, error) {
	feed, err := remote.Parse(string(address))
	if err != nil {
		return litfass{}, err
	}
	l := litfass{ask: ask, root: *feed, filter: feed.Query(), read: new(int)}
	l.root.Path, l.root.RawPath, l.root.RawQuery = strings.TrimSuffix(feed.Path, changesPath), "", ""
	for _, own := range []string{"kind", "after", "wait", "limit"} {
		l.filter.Del(own)
	}
	if !slices.ContainsFunc([]string{"start", "end", "on", "starts_before", "not_over"}, l.filter.Has) {
		l.filter.Set("not_over", "true")
	}
	return l, nil
}

// maxObjects is the maximum number of objects in an answer: an event of a thousand dates has a
// tenth. They take many times the memory of their bytes.
const maxObjects = 50_000

// isSmall counts the objects of an answer before it is decoded.
func isSmall(data []byte) bool { return bytes.Count(data, []byte("{")) <= maxObjects }

// get reads the data of an answer. header is of the request, and may be nil.
func (l litfass) get(ctx context.Context, path string, query url.Values, header http.Header, into any) (http.Header, error) {
	at := l.root
	at.Path += path
	at.RawQuery = query.Encode()
	asked := http.Header{"Accept": {"application/json"}}
	for name, values := range header {
		asked[name] = values
	}
	answer, err := l.ask(ctx, remote.Request{Address: at.String(), Header: asked})
	if err != nil {
		return nil, err
	}
	enveloped := struct {
		Data any `json:"data"`
	}{into}
	if !isSmall(answer.Data) || json.Unmarshal(answer.Data, &enveloped) != nil {
		return nil, errNotLitfass()
	}
	*l.read += len(answer.Data)
	return answer.Header, nil
}

func errNotLitfass() error {
	var bad fault.Violations
	bad.Add("address", reason.NotLitfass)
	return bad.Err("not_litfass", "there is no Litfass at the address")
}

// statusOf returns the status of an answer that was none, 0 for another error.
func statusOf(err error) int {
	var status *remote.StatusError
	if !errors.As(err, &status) {
		return 0
	}
	return status.Status
}

// with returns the filter with further parameters.
func (l litfass) with(further ...string) url.Values {
	query := url.Values{}
	for name, values := range l.filter {
		query[name] = values
	}
	for i := 0; i < len(further); i += 2 {
		query.Set(further[i], further[i+1])
	}
	return query
}

// foundEvent is an event as a search or a feed shows it.
type foundEvent struct {
	UUID    string `json:"uuid"`
	PageURL string `json:"page_url"`
}

// base returns the address before the paths of the pages, "" if the event does not have it.
func (f foundEvent) base() string {
	before, _, found := strings.Cut(f.PageURL, eventPath+f.UUID)
	if !found || !isPage(f.PageURL) || len(before) > maxBase {
		return ""
	}
	return before
}

const (
	maxBase   = 1_000 // characters
	maxEvents = eventfile.MaxRows
	perPage   = 200
	perAnswer = 1_000 // changes
	// maxAnswers bounds the answers of a feed that one reading takes; the next one goes on.
	maxAnswers = 20
)

// begin returns the position from which the changes after a reading of everything are, and the
// header for that reading.
func (l litfass) begin(ctx context.Context) (position string, header http.Header, err error) {
	var data struct {
		Position string `json:"position"`
	}
	answer, err := l.get(ctx, changesPath, l.with("kind", "events"), nil, &data)
	if err == nil && (data.Position == "" || len(data.Position) > 100) {
		err = errNotLitfass()
	}
	if err != nil {
		return "", nil, err
	}
	if number := answer.Get(headerPosition); number != "" {
		header = http.Header{headerPosition: {number}}
	}
	return data.Position, header, nil
}

// list returns the events of the search, at most so many. The fault is TooLarge if there are more
// than a source may have.
func (l litfass) list(ctx context.Context, header http.Header, most int) (found []foundEvent, err error) {
	cursor := []string{"group", "event", "limit", strconv.Itoa(min(most, perPage))}
	query := l.with(cursor...)
	for {
		var page struct {
			Events []struct {
				foundEvent
			} `json:"events"`
			LastDate  value.Text `json:"last_event_date_uuid"`
			LastStart value.Text `json:"last_event_start_at"`
		}
		if _, err := l.get(ctx, searchPath+"/", query, header, &page); err != nil {
			return nil, err
		}
		if len(page.Events) > perPage {
			return nil, errNotLitfass()
		}
		for _, e := range page.Events {
			found = append(found, e.foundEvent)
		}
		switch {
		case len(page.Events) == 0 || page.LastDate == "" || len(found) >= most && most < maxEvents:
			return found, nil
		case len(found) > maxEvents:
			f := fault.New(fault.TooLarge, "import_too_large", "the source has more than %d events", maxEvents)
			f.Violations = fault.Violations{fault.Violate("address", reason.FileTooLarge(maxEvents, reason.WordEvents))}
			return nil, f
		}
		query = l.with(append(cursor, "last_event_date_uuid", string(page.LastDate), "last_event_start_at", string(page.LastStart))...)
	}
}

// changed is an answer of the feed.
type changed struct {
	Changes []struct {
		Change string     `json:"change"`
		UUID   string     `json:"uuid"`
		Entry  foundEvent `json:"entry"`
	} `json:"changes"`
	Position string `json:"position"`
	More     bool   `json:"more"`
}

// after returns the changes after a position.
func (l litfass) after(ctx context.Context, position string) (page changed, err error) {
	_, err = l.get(ctx, changesPath, l.with("kind", "events", "after", position, "limit", strconv.Itoa(perAnswer)), nil, &page)
	if err == nil && (page.Position == "" || len(page.Position) > 100 || len(page.Changes) > perAnswer) {
		err = errNotLitfass()
	}
	return page, err
}

// event returns an event, nil if it is no longer public.
func (l litfass) event(ctx context.Context, id string) (*publicapi.Event, error) {
	var event publicapi.Event
	switch _, err := l.get(ctx, "/api"+eventPath+id, nil, nil, &event); {
	case statusOf(err) == http.StatusNotFound, statusOf(err) == http.StatusGone:
		return nil, nil //nolint:nilnil // there is none
	case err != nil:
		return nil, err
	case event.UUID != id:
		return nil, errNotLitfass()
	}
	return &event, nil
}

// originOf returns the address at which an event first was. The origin is public, so what is no
// address of a page does not count.
func originOf(event *publicapi.Event, base string) string {
	if origin := string(event.Origin); isPage(origin) {
		return origin
	}
	return base + eventPath + event.UUID
}

// isPage reports whether a text is an address that a link may lead to.
func isPage(text string) bool {
	_, err := remote.Parse(text)
	return err == nil && webPage.MatchString(text)
}

// webPage is how the addresses of pages are written: remote.Parse also takes others, as people
// enter them.
var webPage = regexp.MustCompile(`^https?://[^\x00-\x20]+$`)
