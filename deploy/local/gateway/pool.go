package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"
)

// pool balances requests over the instances of one service. It is an http.RoundTripper: it chooses
// the instance and leaves the rest of a request as it is.
//
// Requests go to the instances that are ready according to their /readyz. When there is none, they
// go to instances that were ready before and still answer: a late answer is better than none, but
// an index that was never complete is not.
type pool struct {
	instances []*instance
	transport http.RoundTripper
	turn      atomic.Uint64
	report    func(line string)
	// besides are the checks of /readyz that do not decide whether an instance gets requests.
	besides []string
}

// instance is one process of a service.
type instance struct {
	base  *url.URL
	state atomic.Int32 // a condition
	once  atomic.Bool  // has been ready
	open  atomic.Int64 // requests that are not answered completely
}

// condition is the known state of an instance.
type condition int32

const (
	unknown condition = iota // not asked yet
	ready
	unready // answers, but lacks something
	down    // does not answer
)

func (c condition) String() string { return [...]string{"unknown", "ready", "not ready", "down"}[c] }

// newPool returns a pool of the instances at these addresses.
func newPool(addresses []string, report func(line string)) (*pool, error) {
	p := &pool{report: report, transport: &http.Transport{
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       time.Minute,
		ResponseHeaderTimeout: time.Minute,
		DisableCompression:    true, // client and service negotiate compression themselves
	}}
	for _, address := range addresses {
		base, err := url.Parse(address)
		if err != nil || base.Host == "" {
			return nil, fmt.Errorf("gateway: %q is not an address", address)
		}
		p.instances = append(p.instances, &instance{base: base})
	}
	if len(p.instances) == 0 {
		return nil, errors.New("gateway: a service has no address")
	}
	return p, nil
}

// RoundTrip sends a request to an instance. When that cannot be reached, or breaks the connection
// of a request that may be repeated, it sends the request to another instance, once.
func (p *pool) RoundTrip(request *http.Request) (*http.Response, error) {
	first := p.choose(nil)
	response, err := p.send(request, first)
	if err == nil || request.Context().Err() != nil || isBroken(request.Body) {
		return response, err
	}
	p.change(first, down)
	if second := p.choose(first); second != nil && (unsent(err) || repeatable(request)) {
		return p.send(request, second)
	}
	return nil, err
}

// send sends a request to one instance.
func (p *pool) send(request *http.Request, to *instance) (*http.Response, error) {
	address := *request.URL
	address.Scheme, address.Host = to.base.Scheme, to.base.Host
	sent := *request
	sent.URL = &address // it keeps its Host, by which the site knows portals
	to.open.Add(1)
	response, err := p.transport.RoundTrip(&sent)
	if err != nil {
		to.open.Add(-1)
		return nil, err
	}
	response.Body = &openBody{ReadCloser: response.Body, open: &to.open}
	return response, nil
}

// openBody is the body of an answer, which is open until it is closed.
type openBody struct {
	io.ReadCloser
	open   *atomic.Int64
	closed atomic.Bool
}

// Close closes the body.
func (b *openBody) Close() error {
	if !b.closed.Swap(true) {
		b.open.Add(-1)
	}
	return b.ReadCloser.Close()
}

// unsent reports whether a request failed before any of it was sent.
func unsent(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}

// repeatable reports whether a request that may have arrived can be sent again: it has no body and
// changes nothing.
func repeatable(request *http.Request) bool {
	bodyless := request.Body == nil || request.Body == http.NoBody
	return bodyless && slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, request.Method)
}

// choose returns the usable instance with the fewest open requests, of several the next in turn. It
// returns nil when there is no other instance than not.
func (p *pool) choose(not *instance) *instance {
	var best *instance
	usable := p.usable(not)
	turn := int(p.turn.Add(1) % (1 << 30))
	for i := range usable {
		if one := usable[(turn+i)%len(usable)]; best == nil || one.open.Load() < best.open.Load() {
			best = one
		}
	}
	return best
}

// usable returns the instances that requests may go to; never none, unless not is the only one.
func (p *pool) usable(not *instance) []*instance {
	for _, fits := range []func(one *instance) bool{
		func(one *instance) bool { return one.condition() == ready },
		func(one *instance) bool { return one.once.Load() && one.condition() != down },
		func(one *instance) bool { return one.once.Load() },
		func(*instance) bool { return true },
	} {
		var found []*instance
		for _, one := range p.instances {
			if one != not && fits(one) {
				found = append(found, one)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func (i *instance) condition() condition { return condition(i.state.Load()) }

// change notes the condition of an instance and reports whether it comes or goes.
func (p *pool) change(one *instance, to condition) {
	from := condition(one.state.Swap(int32(to)))
	if to == ready {
		one.once.Store(true)
	}
	if p.report != nil && len(p.instances) > 1 && (from == ready) != (to == ready) {
		p.report(fmt.Sprintf("gateway: %s is %s", one.base, to))
	}
}

const (
	// askEvery is the interval between two questions whether an instance is ready, of which each
	// may take askTimeout.
	askEvery   = 300 * time.Millisecond
	askTimeout = 2 * time.Second
)

// NoticeStop is the time for which a stopping instance should still answer, so that this gateway
// notices it.
const NoticeStop = 3 * askEvery

// watch polls the readiness of every instance until ctx ends. A single instance gets all requests
// in any case.
func (p *pool) watch(ctx context.Context) {
	if len(p.instances) < 2 {
		return
	}
	for _, one := range p.instances {
		go func() {
			for ticker := time.NewTicker(askEvery); ctx.Err() == nil; {
				p.change(one, p.ask(ctx, one.base.String()))
				select {
				case <-ticker.C:
				case <-ctx.Done():
					ticker.Stop()
				}
			}
		}()
	}
}

// ask returns the condition of the instance at an address.
func (p *pool) ask(ctx context.Context, address string) condition {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	response, err := get(ctx, address+"/readyz")
	if err != nil {
		return down
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<16)) // all, so that the connection can be used again
	if err != nil {
		return down
	}
	if response.StatusCode == http.StatusOK || p.lacksOnlyOthers(content) {
		return ready
	}
	return unready
}

// lacksOnlyOthers reports whether an answer of /readyz names nothing that keeps requests away.
func (p *pool) lacksOnlyOthers(content []byte) bool {
	var answer status
	if err := json.Unmarshal(content, &answer); err != nil || len(answer.Checks) == 0 {
		return false
	}
	for name, result := range answer.Checks {
		if result != "ok" && !slices.Contains(p.besides, name) {
			return false
		}
	}
	return true
}
