package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Read identifies an answer that a page was made from.
type Read struct {
	Target   string
	Tag      string
	Position uint64
	Expires  time.Time // when its answer may change with the clock; zero for never
}

// Reads reads for one page and remembers what was read, so that it can be asked later whether the
// page still holds. It is safe for concurrent use.
type Reads struct {
	client   *Client
	position uint64 // that the answers must be complete up to
	portal   string // whose dates are read; "" for all
	language string // of the texts of events; "" for that of the original

	mu       sync.Mutex
	sources  []Read
	failures []uint64 // the positions of the answers that were no success
}

// Reads begins the reads for a page whose answers must be complete up to position; 0 asks for
// none.
func (c *Client) Reads(position uint64) *Reads { return &Reads{client: c, position: position} }

// In narrows the reads of dates to those of a portal; "" is none.
func (r *Reads) In(portal string) *Reads {
	r.portal = portal
	return r
}

// Speaking asks for events with texts in a language.
func (r *Reads) Speaking(language string) *Reads {
	r.language = language
	return r
}

// Sources returns the reads, in the order of their answers.
func (r *Reads) Sources() []Read {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sources
}

// Position returns the position up to which all answers are complete; 0 when that is not known.
func (r *Reads) Position() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	positions := slices.Clone(r.failures)
	for _, read := range r.sources {
		positions = append(positions, read.Position)
	}
	if len(positions) == 0 {
		return 0
	}
	return slices.Min(positions)
}

// Data reads an operation with an envelope, and decodes its data into data. A parameter without a
// value is not sent. The errors are the faults of the API, and an Unavailable one when it does not
// answer.
func (r *Reads) Data(ctx context.Context, path string, parameters url.Values, data any) error {
	target, answer, err := r.get(ctx, path, parameters)
	if err != nil {
		return err
	}
	envelope := struct {
		Data any `json:"data"`
	}{data}
	return decode(target, answer.Body, &envelope)
}

// List reads an operation without an envelope, such as a choosable list, into list. It returns the
// errors of Data.
func (r *Reads) List(ctx context.Context, path string, parameters url.Values, list any) error {
	target, answer, err := r.get(ctx, path, parameters)
	if err != nil {
		return err
	}
	return decode(target, answer.Body, list)
}

// Text reads a feed or a document as it is. It returns the errors of Data.
func (r *Reads) Text(ctx context.Context, path string, parameters url.Values) ([]byte, error) {
	_, answer, err := r.get(ctx, path, parameters)
	return answer.Body, err
}

func (r *Reads) get(ctx context.Context, path string, parameters url.Values) (target string, answer Answer, err error) {
	target = Target(path, r.completed(path, parameters))
	answer, err = r.client.Do(ctx, target, "", r.position)
	if err != nil {
		return target, answer, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer.Status != http.StatusOK {
		r.failures = append(r.failures, answer.Position)
		return target, answer, failure(target, answer)
	}
	r.sources = append(r.sources, Read{Target: target, Tag: answer.Tag, Position: answer.Position, Expires: answer.Expires})
	return target, answer, nil
}

// completed returns the parameters of a read with the portal and the language of the page.
func (r *Reads) completed(path string, parameters url.Values) url.Values {
	all := url.Values{}
	ofSeries := strings.HasPrefix(path, "/api/series/")
	linked := ofSeries && strings.HasSuffix(path, ".jsonld")
	if r.language != "" && (ofSeries || path == "/api/events" || strings.HasPrefix(path, "/api/event/")) {
		all.Set("lang", r.language)
	}
	maps.Copy(all, parameters)
	if r.portal != "" && (linked || strings.HasPrefix(path, "/api/events") || strings.HasPrefix(path, "/api/venues")) {
		all.Set("portal", r.portal)
	}
	return all
}

// Target returns a path with its query, in which parameters without a value are left out.
func Target(path string, parameters url.Values) string {
	present := url.Values{}
	for name, values := range parameters {
		for _, value := range values {
			if value != "" {
				present.Add(name, value)
			}
		}
	}
	if len(present) == 0 {
		return path
	}
	return path + "?" + present.Encode()
}

func decode(target string, body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode the answer of %s: %w", target, err)
	}
	return nil
}
