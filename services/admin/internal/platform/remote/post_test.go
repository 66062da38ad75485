package remote

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litfass/pkg/chassis/fault/reason"
)

const (
	soon  = 300 * time.Millisecond // patience of posters whose receivers do not answer
	later = 30 * time.Second       // of all others
)

func post(t *testing.T, p *Poster, address string) (Reply, error) {
	t.Helper()
	return p.Post(t.Context(), address, http.Header{"Webhook-Id": {"1"}}, []byte("body"), 10)
}

func TestPosts(t *testing.T) {
	var got string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.Header.Get("Webhook-Id") + " " + string(body)
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "short and stout")
	}))
	defer site.Close()
	reply, err := post(t, NewPoster(loopback.Networks, later), site.URL)
	if err != nil || reply.Status != http.StatusTeapot || string(reply.Begin) != "short and " || reply.Header.Get("Retry-After") != "7" {
		t.Errorf("%d %q, %v", reply.Status, reply.Begin, err)
	}
	if got != "POST 1 body" {
		t.Errorf("the receiver got %q", got)
	}
}

// TestPostsToPublicAddressesOnly: a server of this machine is not reached under any of its names.
func TestPostsToPublicAddressesOnly(t *testing.T) {
	var asked atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Store(true) }))
	defer site.Close()
	port := site.URL[strings.LastIndex(site.URL, ":"):]
	poster := NewPoster(nil, later)
	for _, host := range []string{
		"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "0.0.0.0", "[::]", "127.0.0.1.",
	} {
		if _, err := post(t, poster, "http://"+host+port); err == nil {
			t.Errorf("%s answers", host)
		}
	}
	for _, address := range []string{
		"http://10.0.0.1/", "http://192.168.0.1/", "http://169.254.169.254/latest/meta-data", "http://[fd00:ec2::254]/",
		"http://100.100.100.200/", "http://168.63.129.16/", "http://[64:ff9b::a9fe:a9fe]/", "http://93.184.215.14:6379/",
	} {
		if _, err := post(t, poster, address); !IsNotPublic(err) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if asked.Load() {
		t.Error("the server was reached")
	}
}

// TestPostFollowsNoRedirect: the redirect is the answer.
func TestPostFollowsNoRedirect(t *testing.T) {
	var asked atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, "/secret", map[string]int{"/302": 302, "/307": 307, "/308": 308}[r.URL.Path])
	}))
	defer site.Close()
	for _, status := range []int{302, 307, 308} {
		reply, err := post(t, NewPoster(loopback.Networks, later), fmt.Sprintf("%s/%d", site.URL, status))
		if err != nil || reply.Status != status {
			t.Errorf("%d: %d, %v", status, reply.Status, err)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("%d requests", asked.Load())
	}
}

// TestNamesAreCheckedWhenTheyAreDialled: a name that led to an allowed address is not trusted when
// it leads to another one.
func TestNamesAreCheckedWhenTheyAreDialled(t *testing.T) {
	var asked [3]atomic.Int32 // by the last part of the address
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		asked[local.IP.To4()[3]].Add(1)
	})
	allowed, port := serve(t, "127.0.0.2:0", handler)
	serve(t, fmt.Sprintf("127.0.0.1:%d", port), handler)
	names := &nameServer{}
	poster := newPoster(guard{allowed: []netip.Prefix{netip.PrefixFrom(allowed, 32)}, resolver: names.start(t)}, later)
	address := fmt.Sprintf("http://receiver.example:%d/", port)
	for _, step := range []struct {
		leads  netip.Addr
		public bool
	}{{allowed, true}, {netip.MustParseAddr("127.0.0.1"), false}, {netip.MustParseAddr("10.0.0.1"), false}, {allowed, true}} {
		names.leads.Store(&step.leads)
		if _, err := post(t, poster, address); IsNotPublic(err) == step.public || step.public && err != nil {
			t.Errorf("to %s: %v", step.leads, err)
		}
	}
	if asked[2].Load() != 2 || asked[1].Load() != 0 {
		t.Errorf("%d requests to the allowed address, %d to the other one", asked[2].Load(), asked[1].Load())
	}
}

// serve serves at an address and returns where.
func serve(t *testing.T, address string, handler http.Handler) (netip.Addr, uint16) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	site := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler}}
	site.Start()
	t.Cleanup(site.Close)
	at := netip.MustParseAddrPort(listener.Addr().String())
	return at.Addr(), at.Port()
}

// nameServer answers every question with the address that all names lead to, for 0 seconds.
type nameServer struct{ leads atomic.Pointer[netip.Addr] }

// start returns a resolver that asks the server.
func (n *nameServer) start(t *testing.T) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		question := make([]byte, 512)
		for {
			size, from, err := socket.ReadFrom(question)
			if err != nil {
				return
			}
			_, _ = socket.WriteTo(n.answer(question[:size]), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}

// answer answers a question for the IPv4 address; others have no answer.
func (n *nameServer) answer(question []byte) []byte {
	const head = 12
	end := head
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5 // the end of the name, type and class
	reply := append([]byte(nil), question[:end]...)
	binary.BigEndian.PutUint16(reply[2:], 0x8180) // a response without an error
	binary.BigEndian.PutUint64(reply[4:], 1<<48)  // one question, nothing else
	if binary.BigEndian.Uint16(question[end-4:]) == 1 {
		reply[7] = 1
		reply = append(reply, 0xc0, head, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		reply = append(reply, n.leads.Load().AsSlice()...)
	}
	return reply
}

// TestPostIsPatientForATime: with a receiver that does not answer, or sends its head or its body
// without an end.
func TestPostIsPatientForATime(t *testing.T) {
	for name, test := range map[string]struct {
		answer func(net.Conn)
		status int // 0: an error
	}{
		"nothing": {func(net.Conn) {}, 0},
		"a slow head": {func(conn net.Conn) {
			_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nX: ")
			for ; err == nil; time.Sleep(time.Millisecond) {
				_, err = io.WriteString(conn, "x")
			}
		}, 0},
		"a slow body": {func(conn net.Conn) { _, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n12345") }, 200},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = listener.Close() }()
			go func() {
				if conn, err := listener.Accept(); err == nil {
					_, _ = conn.Read(make([]byte, 1)) // an answer before the request is no answer to it
					test.answer(conn)
					_, _ = io.Copy(io.Discard, conn)
				}
			}()
			reply, err := post(t, NewPoster(loopback.Networks, soon), "http://"+listener.Addr().String())
			if (test.status == 0) != (err != nil) || reply.Status != test.status { // net/http names a timeout in several ways
				t.Errorf("%d, %v", reply.Status, err)
			}
		})
	}
}

// TestPostReadsTheBeginning: of an answer without an end, which is not read on, and not unpacked.
func TestPostReadsTheBeginning(t *testing.T) {
	ended := make(chan struct{}, 2)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/head" {
			w.Header().Set("X-Long", strings.Repeat("x", 2*headerBytes))
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, strings.Repeat("0123456789", 1000))
		}
		ended <- struct{}{}
	}))
	defer site.Close()
	poster := NewPoster(loopback.Networks, later)
	reply, err := post(t, poster, site.URL)
	if err != nil || reply.Status != http.StatusOK || string(reply.Begin) != "0123456789" {
		t.Errorf("%d %q, %v", reply.Status, reply.Begin, err)
	}
	<-ended // the receiver notices that nothing more is read
	if _, err := post(t, poster, site.URL+"/head"); err == nil {
		t.Error("a head without an end is read")
	}
}

func TestPosterChecksAddresses(t *testing.T) {
	poster := NewPoster([]netip.Prefix{netip.MustParsePrefix("10.20.0.0/16")}, later)
	for address, want := range map[string]*reason.Reason{
		"https://example.org/hook?a=b": nil, "https://example.org:8443/": nil, "http://10.20.0.7:8080/hook": nil,
		"http://example.org/": reason.NotHTTPS, "http://93.184.215.14/": reason.NotHTTPS, "https://93.184.215.14/": nil,
		"https://127.0.0.1/": reason.NotPublicAddress, "https://[::1]/": reason.NotPublicAddress, "https://127.0.0.1./": reason.NotPublicAddress,
		"https://[::ffff:10.0.0.1]/": reason.NotPublicAddress, "http://10.21.0.1/": reason.NotPublicAddress,
		"https://169.254.169.254/": reason.NotPublicAddress, "https://user:secret@example.org/": reason.URLWithPassword,
		"https://example.org/#part": reason.NotURL, "ftp://example.org/": reason.NotURL, "https:///hook": reason.NotURL,
		"example.org": reason.NotURL, "https://example.org/" + strings.Repeat("x", maxTextLength): reason.NotURL,
	} {
		if got := poster.Check(address); got != want {
			t.Errorf("%.60s: %v, want %v", address, got, want)
		}
	}
}
