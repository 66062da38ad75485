// Package remote reads files from addresses that users enter, and posts to such addresses, without
// giving access to the internal network: it connects only to public addresses. The resolved address
// is checked when it is dialled, so that neither a redirect nor a second answer of the name server
// circumvents the check.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"litfass/pkg/chassis/fault"
	"litfass/pkg/chassis/fault/reason"
	"litfass/pkg/contracts/value"
)

// Config is the configuration of readers.
type Config struct {
	Networks []netip.Prefix `env:"IMPORT_NETWORKS"` // from which files are read although they are not public, on any port
}

const (
	timeout       = 10 * time.Second
	maxHops       = 3
	maxTextLength = 2_048 // characters of an address
	headerBytes   = 64 << 10
	fieldAddress  = "address"
)

// The codes of the faults.
const (
	codeAddress     = "address_invalid"
	codeNotPublic   = "address_not_public"
	codeRedirects   = "address_redirects"
	codeStatus      = "address_status"
	codeBroken      = "address_breaks_off"
	codeUnreachable = "address_unreachable"
)

// Reader reads files from addresses.
type Reader struct{ client *http.Client }

// New returns a reader.
func New(config Config) *Reader {
	transport := guard{allowed: config.Networks}.transport(timeout)
	return &Reader{&http.Client{Transport: transport, Timeout: timeout, CheckRedirect: checkRedirect}}
}

// errNotPublic is the error of an address that is not dialled.
var errNotPublic = errors.New("the address is not a public one")

// errRedirect is the error of a redirect that is not followed.
var errRedirect = errors.New("the redirect is not followed")

// Validators are those of an answer, by which a server says that a file has not changed since.
type Validators struct{ ETag, LastModified string }

// maxValidator is the maximum length of a validator that is kept, in bytes.
const maxValidator = 500

// Request asks for a file.
type Request struct {
	Address string
	Header  http.Header // of its own; nil for none
	Known   Validators  // of the last answer
	Most    int         // bytes
}

// Answer is a file, or that it has not changed.
type Answer struct {
	Data       []byte
	Unchanged  bool // since the answer with the validators of the request; Data is then nil
	Validators Validators
	Header     http.Header
	Address    string // from which the file came in the end, after redirects
}

// StatusError is the cause of the fault of an answer that is no file.
type StatusError struct {
	Status     int
	RetryAfter time.Duration // that a busy server asks for; 0 without
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d", e.Status) }

// maxRetryAfter is the longest wait that is taken from a server.
const maxRetryAfter = 24 * time.Hour

// statusError returns the cause for an answer at a time.
func statusError(response *http.Response, now time.Time) *StatusError {
	e := &StatusError{Status: response.StatusCode}
	if e.Status != http.StatusTooManyRequests && e.Status != http.StatusServiceUnavailable {
		return e
	}
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		e.RetryAfter = max(0, at.Sub(now))
	}
	e.RetryAfter = min(e.RetryAfter, maxRetryAfter)
	return e
}

// Read returns the file at an address (http, https, or webcal for https). The fault is Invalid,
// naming address; TooLarge for a longer file. It reveals nothing about a server at an address that
// is not public.
func (r *Reader) Read(ctx context.Context, address string, most int) ([]byte, error) {
	answer, err := r.ReadChanged(ctx, address, Validators{}, most)
	return answer.Data, err
}

// ReadChanged is Read for a file that was read before, with the validators of that answer.
func (r *Reader) ReadChanged(ctx context.Context, address string, known Validators, most int) (Answer, error) {
	return r.Ask(ctx, Request{Address: address, Known: known, Most: most})
}

// Ask is Read with all that a request may have and an answer has. The fault for another status than
// 200 has a StatusError as its cause.
func (r *Reader) Ask(ctx context.Context, asked Request) (Answer, error) {
	target, err := Parse(asked.Address)
	if err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return Answer{}, refuse(codeAddress, reason.NotAddress)
	}
	request.Header.Set("User-Agent", "Litfass")
	request.Header.Set("Accept", "text/calendar, text/csv, application/ld+json, text/html;q=0.9, text/plain;q=0.9, */*;q=0.5")
	for name, validator := range map[string]string{"If-None-Match": asked.Known.ETag, "If-Modified-Since": asked.Known.LastModified} {
		if validator != "" {
			request.Header.Set(name, validator)
		}
	}
	for name, values := range asked.Header {
		request.Header[name] = values
	}
	response, err := r.client.Do(request)
	if err != nil {
		return Answer{}, reasonOf(err)
	}
	defer func() { _ = response.Body.Close() }()
	switch {
	case response.StatusCode == http.StatusNotModified && asked.Known != Validators{}:
		return Answer{Unchanged: true, Validators: asked.Known}, nil
	case response.StatusCode != http.StatusOK:
		return Answer{}, refuseStatus(statusError(response, time.Now()))
	}
	data, err := readBody(response.Body, asked.Most)
	return Answer{
		Data: data, Validators: validatorsOf(response.Header), Header: response.Header, Address: response.Request.URL.String(),
	}, err
}

func readBody(body io.Reader, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	switch {
	case errors.Is(err, context.Canceled): // by us
		return nil, err
	case err != nil:
		return nil, refuse(codeBroken, reason.BreaksOff)
	case len(data) > most:
		f := fault.New(fault.TooLarge, "import_too_large", "the file has more than %d MiB", most>>20)
		f.Violations = fault.Violations{fault.Violate(fieldAddress, reason.FileTooLarge(most>>20, reason.WordMiB))}
		return nil, f
	}
	return data, nil
}

func validatorsOf(header http.Header) Validators {
	short := func(text string) string {
		if len(text) > maxValidator || !utf8.ValidString(text) {
			return ""
		}
		return text
	}
	return Validators{short(header.Get("ETag")), short(header.Get("Last-Modified"))}
}

// Parse normalizes an address. The fault is Invalid, naming address.
func Parse(address string) (*url.URL, error) {
	target, err := url.Parse(strings.TrimSpace(address))
	if err != nil || len(address) > maxTextLength {
		return nil, refuse(codeAddress, reason.NotAddress)
	}
	if target.Scheme == "webcal" || target.Scheme == "webcals" {
		target.Scheme = "https"
	}
	target.Fragment, target.Host = "", value.Host(target.Host)
	return target, check(target)
}

// check refuses an address without a host, with a login, or with another scheme than http and
// https.
func check(target *url.URL) error {
	switch {
	case target.Scheme != "http" && target.Scheme != "https", target.Hostname() == "":
		return refuse(codeAddress, reason.NotAddress)
	case target.User != nil:
		return refuse(codeAddress, reason.URLWithPassword)
	}
	return nil
}

func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) > maxHops || check(request.URL) != nil {
		return errRedirect
	}
	return nil
}

// reasonOf returns the fault of a failed request, without the error of the network.
func reasonOf(err error) error {
	switch {
	case errors.Is(err, errNotPublic):
		return refuse(codeNotPublic, reason.NotPublicAddress)
	case errors.Is(err, errRedirect):
		return refuse(codeRedirects, reason.Redirects(maxHops))
	case errors.Is(err, context.Canceled):
		return err
	}
	return refuse(codeUnreachable, reason.Unreachable)
}

func refuse(code string, problem *reason.Reason) error {
	var bad fault.Violations
	bad.Add(fieldAddress, problem)
	return bad.Err(code, "the file cannot be read from its address")
}

func refuseStatus(cause *StatusError) error {
	f := fault.Wrap(cause, fault.Invalid, codeStatus, "the file cannot be read from its address")
	f.Violations = fault.Violations{fault.Violate(fieldAddress, reason.HTTPStatus(cause.Status))}
	return f
}

// guard checks the addresses that are dialled.
type guard struct {
	allowed  []netip.Prefix
	resolver *net.Resolver // nil: the system's
}

// control is a net.Dialer.Control that refuses an address before the connection.
func (g guard) control(network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") {
		return fmt.Errorf("%w: %s", errNotPublic, address)
	}
	ip := at.Addr().Unmap()
	if within(g.allowed, ip) {
		return nil
	}
	if port := at.Port(); port != 80 && port != 443 || !isPublic(ip) {
		return fmt.Errorf("%w: %s", errNotPublic, address)
	}
	return nil
}
