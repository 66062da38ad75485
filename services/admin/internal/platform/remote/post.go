package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

// Poster sends requests to addresses that users enter, within the limits of a Reader. It follows no
// redirects: the answer to a redirect is the redirect.
type Poster struct {
	client *http.Client
	guard  guard
}

// NewPoster returns a poster to public addresses, and to others in the networks, on any port. An
// answer may take as long as patience.
func NewPoster(networks []netip.Prefix, patience time.Duration) *Poster {
	return newPoster(guard{allowed: networks}, patience)
}

func newPoster(g guard, patience time.Duration) *Poster {
	client := &http.Client{Transport: g.transport(patience), Timeout: patience}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Poster{client, g}
}

// Reply is the answer to a Post.
type Reply struct {
	Status int
	Header http.Header
	Begin  []byte // of its body
}

// Post sends a body and returns the answer with at most the first bytes of its body. The error is
// one for IsNotPublic, a timeout, or the network's, which may not be shown to users.
func (p *Poster) Post(ctx context.Context, address string, header http.Header, body []byte, first int) (Reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Reply{}, fmt.Errorf("post: %w", err)
	}
	request.Header = header
	response, err := p.client.Do(request)
	if err != nil {
		return Reply{}, fmt.Errorf("post: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	begin, _ := io.ReadAll(io.LimitReader(response.Body, int64(first))) // the status is the answer
	return Reply{response.StatusCode, response.Header, begin}, nil
}

// Check returns what is wrong with an address to post to, as far as it is known before its name is
// looked up; nil if nothing is. An address in clear text must name a host of the networks.
func (p *Poster) Check(address string) *reason.Reason {
	target, err := url.Parse(address)
	if err != nil || len(address) > maxTextLength || target.Fragment != "" || check(target) != nil {
		if err == nil && target.User != nil {
			return reason.URLWithPassword
		}
		return reason.NotURL
	}
	ip, err := netip.ParseAddr(value.Host(target.Hostname()))
	ip = ip.Unmap()
	switch named := err != nil; {
	case !named && within(p.guard.allowed, ip):
		return nil
	case !named && !isPublic(ip):
		return reason.NotPublicAddress
	case target.Scheme != "https":
		return reason.NotHTTPS
	}
	return nil
}

// IsNotPublic reports whether nothing was sent because the address is not a public one.
func IsNotPublic(err error) bool { return errors.Is(err, errNotPublic) }

// transport returns a transport that dials only addresses that pass the guard.
func (g guard) transport(patience time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: patience, Control: g.control, Resolver: g.resolver}
	return &http.Transport{ // without a proxy, which would dial unchecked
		DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
		TLSHandshakeTimeout: patience, ResponseHeaderTimeout: patience, MaxResponseHeaderBytes: headerBytes,
	}
}
