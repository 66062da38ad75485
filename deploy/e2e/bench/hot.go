package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// hot is a load of repeated requests, drawn by Zipf: few are sent often, and many seldom. Its
// client is cheap, since it shares the machine with what it measures.
type hot struct {
	base        string
	requests    []hotRequest
	connections int
	lasting     time.Duration
	encoding    string // Accept-Encoding; "" for none
	conditional bool   // sends If-None-Match with the last ETag

	// Options of a slow load that runs during another one:
	rest     time.Duration // of a connection between two requests
	refusals bool          // 503 is counted, and does not fail the load
	over     *atomic.Bool  // ends the load before its time; nil: nothing does
}

// hotRequest is one of the requests.
type hotRequest struct {
	method, uri, key string
	body             []byte
	tag              *atomic.Pointer[string] // the last ETag
}

// hotRound is what came of a load.
type hotRound struct {
	took        durations
	elapsed     time.Duration
	unchanged   int // answers 304
	compressed  int // answers with a Content-Encoding
	refused     int // answers 503
	bodies      int64
	connections int
}

func (r *hotRound) add(other hotRound) {
	r.took = append(r.took, other.took...)
	r.elapsed += other.elapsed
	r.unchanged += other.unchanged
	r.compressed += other.compressed
	r.refused += other.refused
	r.bodies += other.bodies
}

func (r hotRound) perSecond() float64 { return float64(len(r.took)) / r.elapsed.Seconds() }

func (r hotRound) share(of int) float64 { return float64(of) / float64(max(1, len(r.took))) }

// zipf is how unequally often the requests are drawn: the first about every seventh time.
const zipf = 1.1

// run sends requests for the given time. It fails at the first answer that is neither 200 nor 304.
func (h hot) run() (hotRound, error) {
	client := h.client()
	defer client.CloseIdleConnections()
	rounds := make([]hotRound, h.connections)
	var first failure
	started := time.Now()
	atOnce(h.connections, func(n int) {
		if err := h.work(client, &rounds[n], uint64(n), started, &first); err != nil {
			first.note(err)
		}
	})
	sum := hotRound{elapsed: time.Since(started), connections: h.connections}
	for _, r := range rounds {
		sum.add(r)
	}
	return sum, first.err()
}

func (h hot) client() *fasthttp.HostClient {
	host := strings.TrimPrefix(h.base, "http://")
	return &fasthttp.HostClient{Addr: host, MaxConns: h.connections, ReadTimeout: 30 * time.Second}
}

// once sends each request one time.
func (h hot) once() error {
	h.connections = max(h.connections, connections)
	client := h.client()
	defer client.CloseIdleConnections()
	var next atomic.Int64
	var first failure
	atOnce(connections, func(int) {
		request, response := &fasthttp.Request{}, &fasthttp.Response{}
		for n := next.Add(1); int(n) <= len(h.requests) && !first.happened(); n = next.Add(1) {
			one := &h.requests[n-1]
			h.prepare(request, one)
			err := client.Do(request, response)
			if err == nil {
				err = new(hotRound).note(one, response)
			}
			if err != nil {
				first.note(err)
			}
		}
	})
	return first.err()
}

// work is one connection of the load.
func (h hot) work(client *fasthttp.HostClient, r *hotRound, seed uint64, started time.Time, first *failure) error {
	draw := rand.NewZipf(rand.New(rand.NewPCG(11, seed)), zipf, 1, uint64(len(h.requests)-1))
	request, response := &fasthttp.Request{}, &fasthttp.Response{}
	r.took = make(durations, 0, 1<<16)
	for time.Since(started) < h.lasting && !first.happened() && (h.over == nil || !h.over.Load()) {
		one := &h.requests[draw.Uint64()]
		h.prepare(request, one)
		begun := time.Now()
		if err := client.Do(request, response); err != nil {
			return err
		}
		r.took = append(r.took, time.Since(begun))
		if h.refusals && response.StatusCode() == fasthttp.StatusServiceUnavailable {
			r.refused++
		} else if err := r.note(one, response); err != nil {
			return err
		}
		if h.rest > 0 {
			time.Sleep(h.rest)
		}
	}
	return nil
}

func (h hot) prepare(request *fasthttp.Request, one *hotRequest) {
	request.Reset()
	request.Header.SetMethod(one.method)
	request.SetRequestURI(h.base + one.uri)
	if one.key != "" {
		request.Header.Set("Authorization", "Bearer "+one.key)
		request.Header.SetContentType("application/json")
		request.SetBodyRaw(one.body)
	}
	if h.encoding != "" {
		request.Header.Set("Accept-Encoding", h.encoding)
	}
	if tag := one.tag.Load(); h.conditional && tag != nil {
		request.Header.Set("If-None-Match", *tag)
	}
}

// note counts an answer and keeps its ETag.
func (r *hotRound) note(one *hotRequest, response *fasthttp.Response) error {
	switch response.StatusCode() {
	case fasthttp.StatusOK:
		if tag := string(response.Header.Peek("ETag")); tag != "" {
			one.tag.Store(&tag)
		}
	case fasthttp.StatusNotModified:
		r.unchanged++
	default:
		return fmt.Errorf("%s %s: %d: %.300s", one.method, one.uri, response.StatusCode(), response.Body())
	}
	if len(response.Header.ContentEncoding()) > 0 {
		r.compressed++
	}
	r.bodies += int64(len(response.Body()))
	return nil
}

// hotRequests returns requests of the query service for the questions.
func hotRequests(questions []question, path string) []hotRequest {
	requests := make([]hotRequest, len(questions))
	for i, q := range questions {
		requests[i] = hotRequest{method: "GET", uri: path + "?" + q.parameters.Encode(), tag: new(atomic.Pointer[string])}
	}
	return requests
}

// rawRequests returns the same questions for the engine.
func (b *bench) rawRequests(questions []question) []hotRequest {
	requests := make([]hotRequest, len(questions))
	for i, q := range questions {
		raw := q.ofEngine(b.stack)
		requests[i] = hotRequest{
			method: raw.method, uri: raw.url[len(b.stack.MeiliURL()):], key: raw.key, body: raw.body, tag: new(atomic.Pointer[string]),
		}
	}
	return requests
}

// few returns the n-th part of a list, for what need not be done with all of it.
func few[T any](list []T, every int) []T {
	var some []T
	for chunk := range slices.Chunk(list, every) {
		some = append(some, chunk[0])
	}
	return some
}
