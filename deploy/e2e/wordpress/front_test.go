//go:build wordpress

package wordpress

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"testing"
)

// behaviour is how the site answers.
type behaviour int

const (
	well      behaviour = iota
	down                // without an answer
	busy                // 503 with a page of the site
	alien               // a page of something else at its address
	hostile             // a fragment with everything that must not reach a page
	elsewhere           // a redirect to another server
	held                // well, once it is released
)

// front stands between WordPress and the site, notes what is asked, and lets the site fail.
type front struct {
	url, other string // address of the site for WordPress, and of another server

	mu       sync.Mutex
	behaves  behaviour
	asked    []string // addresses in their order
	strayed  []string // addresses that the other server was asked for
	arrived  chan struct{}
	released chan struct{}
}

// hostileFragment begins as fragments do.
const hostileFragment = `<section class="litfass-events litfass-list" lang="en" onclick="bad()" style="position:fixed">` +
	`<script>bad()</script><style>body{display:none}</style><iframe src="http://127.0.0.1/"></iframe><img src="x" onerror="bad()">` +
	`<form action="/"><input name="password"></form><svg onload="bad()"></svg><h2 class="wp-block-cover litfass-heading">Heading</h2>` +
	`<p class="litfass-links"><a class="litfass-more" href="javascript:bad()" target="_top" onmouseover="bad()">Link</a>` +
	`<a class="litfass-more" href="data:text/html,bad()">Data</a></p></section>`

func startFront(t *testing.T, site string) *front {
	t.Helper()
	target, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	f := &front{arrived: make(chan struct{}, 1), released: make(chan struct{})}
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.strayed = append(f.strayed, r.URL.String())
	}))
	t.Cleanup(other.Close)
	f.other = other.URL
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch f.note(r) {
		case down:
			panic(http.ErrAbortHandler)
		case busy:
			http.Error(w, "busy", http.StatusServiceUnavailable)
		case alien:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><h1>Log in to this network</h1>")
		case hostile:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, hostileFragment)
		case elsewhere:
			http.Redirect(w, r, f.other, http.StatusFound)
		case held:
			f.arrived <- struct{}{}
			<-f.released
			proxy.ServeHTTP(w, r)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

// note notes a request, and returns how to answer it.
func (f *front) note(r *http.Request) behaviour {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.URL.String())
	return f.behaves
}

// behave changes how the site answers, and forgets what was asked.
func (f *front) behave(how behaviour) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.behaves, f.asked = how, nil
}

// wasAsked returns the addresses that were asked since the last call of behave.
func (f *front) wasAsked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}
