package remote

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"litfass/pkg/chassis/fault"
)

// loopback lets the tests' own servers be read.
var loopback = Config{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func wantRefused(t *testing.T, what string, err error, reason string) {
	t.Helper()
	if !fault.Is(err, fault.Invalid) || fault.Of(err).Violations[0].Field != "address" ||
		!strings.Contains(fault.Of(err).Violations[0].Reason, reason) {
		t.Errorf("%s: got %v, want %q", what, err, reason)
	}
}

func TestReadsFiles(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var hops int
		if _, err := fmt.Sscanf(r.URL.Path, "/hops/%d", &hops); err == nil && hops > 0 {
			http.Redirect(w, r, fmt.Sprintf("/hops/%d", hops-1), http.StatusFound)
			return
		}
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("file"))
	}))
	defer site.Close()
	reader := New(loopback)
	for _, path := range []string{"/", "/hops/3", "/#part"} {
		if data, err := reader.Read(t.Context(), site.URL+path, 4); err != nil || string(data) != "file" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := reader.Read(t.Context(), site.URL, 3); !fault.Is(err, fault.TooLarge) {
		t.Errorf("too large: %v", err)
	}
	for path, reason := range map[string]string{
		"/missing": "status 404", "/hops/4": "redirects",
		"/?to=" + url.QueryEscape("file:///etc/passwd"):           "redirects",
		"/?to=" + url.QueryEscape("http://user:x@127.0.0.1/"):     "redirects",
		"/?to=" + url.QueryEscape("http://169.254.169.254/"):      "not public",
		"/?to=" + url.QueryEscape("http://[::ffff:10.0.0.1]:80/"): "not public",
	} {
		_, err := reader.Read(t.Context(), site.URL+path, 10)
		wantRefused(t, path, err, reason)
	}
}

// TestReadsWhatHasChanged: by the validators of the last answer, if the server has some.
func TestReadsWhatHasChanged(t *testing.T) {
	etag, modified := `"1"`, "Fri, 20 Nov 2026 08:00:00 GMT"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			w.Header().Set("ETag", strings.Repeat("x", maxValidator+1))
		}
		if r.URL.Path == "/" {
			w.Header().Set("ETag", etag)
			w.Header().Set("Last-Modified", modified)
		}
		if r.Header.Get("If-None-Match") == etag && r.Header.Get("If-Modified-Since") == modified || r.URL.Path == "/never" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte("file"))
	}))
	defer site.Close()
	reader := New(loopback)
	first, err := reader.ReadChanged(t.Context(), site.URL+"/", Validators{}, 10)
	if err != nil || first.Unchanged || string(first.Data) != "file" || first.Validators != (Validators{etag, modified}) {
		t.Fatalf("first: %+v, %v", first, err)
	}
	again, err := reader.ReadChanged(t.Context(), site.URL+"/", first.Validators, 10)
	if err != nil || !again.Unchanged || again.Data != nil || again.Validators != first.Validators {
		t.Errorf("again: %+v, %v", again, err)
	}
	etag = `"2"`
	changed, err := reader.ReadChanged(t.Context(), site.URL+"/", first.Validators, 10)
	if err != nil || changed.Unchanged || string(changed.Data) != "file" || changed.Validators.ETag != etag {
		t.Errorf("changed: %+v, %v", changed, err)
	}
	if long, err := reader.ReadChanged(t.Context(), site.URL+"/long", Validators{}, 10); err != nil || long.Validators != (Validators{}) {
		t.Errorf("a long validator: %+v, %v", long, err)
	}
	_, err = reader.Read(t.Context(), site.URL+"/never", 10)
	wantRefused(t, "unchanged, without a validator", err, "status 304")
}

// TestBusyServers: the wait that they ask for, in seconds or until a moment.
func TestBusyServers(t *testing.T) {
	answer := func(status int, wait string) *http.Response {
		return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {wait}}}
	}
	now := time.Date(2027, 3, 1, 6, 0, 0, 0, time.UTC)
	for wait, want := range map[string]time.Duration{
		"120": 2 * time.Minute, "Mon, 01 Mar 2027 07:00:00 GMT": time.Hour, "Mon, 01 Mar 2027 05:00:00 GMT": 0,
		"": 0, "-5": 0, "soon": 0, "4294967295": maxRetryAfter, "99999999999999999999": 0,
	} {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			if got := statusError(answer(status, wait), now).RetryAfter; got != want {
				t.Errorf("%d, %q: %s, want %s", status, wait, got, want)
			}
		}
	}
	if got := statusError(answer(http.StatusNotFound, "120"), now).RetryAfter; got != 0 {
		t.Errorf("not found: %s", got)
	}
}

// TestHostileBodies: one that is packed stays packed, and one without an end is not read to it.
func TestHostileBodies(t *testing.T) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	left := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					break
				}
			}
			close(left)
		case "/slow":
			_, _ = w.Write([]byte("BEGIN"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}))
	defer site.Close()
	reader := New(loopback)
	if data, err := reader.Read(t.Context(), site.URL+"/bomb", 1<<20); err != nil || !bytes.Equal(data, packed.Bytes()) {
		t.Errorf("packed: %d bytes, %v", len(data), err)
	}
	if _, err := reader.Read(t.Context(), site.URL+"/endless", 1<<20); !fault.Is(err, fault.TooLarge) {
		t.Errorf("endless: %v", err)
	}
	<-left
	reader.client.Timeout = 50 * time.Millisecond
	_, err := reader.Read(t.Context(), site.URL+"/slow", 1<<20)
	wantRefused(t, "slow", err, "breaks off")
}

// TestDialsPublicAddressesAlone: a server of this machine is not reached under any of its names.
func TestDialsPublicAddressesAlone(t *testing.T) {
	asked := false
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer site.Close()
	port := site.URL[strings.LastIndex(site.URL, ":"):]
	for _, address := range []string{
		site.URL, "http://localhost" + port, "http://2130706433" + port, "http://0x7f.1" + port, "http://127.1" + port,
		"http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port, "http://[::]" + port,
		"webcal://127.0.0.1" + port,
	} {
		if _, err := New(Config{}).Read(t.Context(), address, 10); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if asked {
		t.Error("the server was reached")
	}
}

func TestControl(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1:80", "10.1.2.3:80", "172.16.0.1:443", "192.168.1.1:80", "169.254.169.254:80", "100.64.0.1:80",
		"100.100.100.200:80", "0.0.0.0:80", "224.0.0.1:80", "255.255.255.255:80", "168.63.129.16:80", "198.18.0.1:80",
		"[::1]:80", "[::]:80", "[fe80::1]:80", "[fe80::1%eth0]:80", "[fc00::1]:443", "[fd00:ec2::254]:80", "[ff02::1]:80",
		"[::ffff:127.0.0.1]:80", "[::ffff:169.254.169.254]:80", "[64:ff9b::a00:1]:80", "[2002:7f00:1::]:80", "[2001:db8::1]:80",
		"[2001::1]:80", "93.184.215.14:22", "93.184.215.14:8080", "nonsense",
	} {
		if err := (guard{}).control("tcp", address, nil); !errors.Is(err, errNotPublic) {
			t.Errorf("%s is dialled: %v", address, err)
		}
	}
	for _, address := range []string{"93.184.215.14:80", "93.184.215.14:443", "[2606:2800:21f::1]:443", "[::ffff:93.184.215.14]:80"} {
		if err := (guard{}).control("tcp", address, nil); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := (guard{allowed: loopback.Networks}).control("tcp", "127.0.0.1:4711", nil); err != nil {
		t.Errorf("an allowed network: %v", err)
	}
	if err := (guard{}).control("udp", "93.184.215.14:80", nil); err == nil {
		t.Error("UDP is dialled")
	}
}

func TestParse(t *testing.T) {
	for address, want := range map[string]string{
		"webcal://example.org/a.ics": "https://example.org/a.ics", "http://example.org/a?b=c#d": "http://example.org/a?b=c",
		"https://Example.org./": "https://example.org/", "https://example.org.:8443/A": "https://example.org:8443/A", "http://[2001:DB8::1]:80/": "http://[2001:db8::1]:80/",
	} {
		if got, err := Parse(address); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v", address, got, err)
		}
	}
	for _, address := range []string{
		"", "example.org", "ftp://example.org/", "file:///etc/passwd", "http://", "http://u@example.org/", "http://u:p@example.org/",
		"gopher://example.org", "http://./", "http://example.org/\r\nHost: x", "https://example.org/" + strings.Repeat("x", 2048),
	} {
		_, err := Parse(address)
		wantRefused(t, address, err, "")
	}
}
