// Package client sends requests to the services: to admin, and to query for the visitors' view.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"litfass/pkg/chassis/web"
)

const (
	// connections is how many connections to a service are open at once.
	connections = 256
	// maxIdle is the time after which a connection without requests is closed: before the services
	// close it.
	maxIdle = 10 * time.Second
	// maxAnswer is that of the export of a user's data, with room to spare.
	maxAnswer = 64 << 20
)

// Client asks one service, or several replicas at one address. It is safe for concurrent use.
type Client struct {
	http    *http.Transport
	base    string // without a slash at its end
	key     string
	timeout time.Duration
}

// New returns a client of the service at base, an address without a path. key is its API key, ""
// for none; timeout limits each request.
//
// The client is one of net/http: after a restart of the service a request leaves all stale
// connections behind, and an edit that may have arrived is not sent again.
func New(base, key string, timeout time.Duration) *Client {
	return &Client{
		http: &http.Transport{
			MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections, IdleConnTimeout: maxIdle, DisableCompression: true,
		},
		base: strings.TrimSuffix(base, "/"), key: key, timeout: timeout,
	}
}

// Call is a request to a service.
type Call struct {
	Method string     // "" is GET
	Path   string     // such as "/api/admin/user/profile"; parts of it that come from outside are escaped
	Query  url.Values // nil for none
	Body   any        // sent as JSON; nil for none
	Form   *Form      // sent as multipart/form-data instead of Body; nil for none

	Token    string // access token; "" for none
	Match    string // If-Match; "" for none
	Known    string // If-None-Match; "" for none
	Position uint64 // that the answer must be complete up to; 0 for any
	Language string // of labels and mails; "" for the service's choice

	Timeout time.Duration // 0: that of the client

	// Address and Agent of the person on whose behalf the console asks, for limits, sessions and the
	// audit.
	Address, Agent string
}

// Form is a form with a file.
type Form struct {
	Fields url.Values
	Field  string // of the file; "" for no file
	Name   string // of the file
	Type   string // of the file
	File   []byte
}

// Answer is the answer of a service.
type Answer struct {
	Status   int
	Tag      string // ETag; "" for none
	Position uint64 // of a write, or up to which a read is complete; 0 when that is not known
	Type     string // Content-Type
	Body     []byte // a copy
}

// Read decodes the body of an answer. A body that breaks the contract is an Unavailable fault: the
// service has another version.
func (a Answer) Read(into any) error {
	if err := json.Unmarshal(a.Body, into); err != nil {
		return unreachable(fmt.Errorf("decode an answer: %w", err))
	}
	return nil
}

// Do sends a request. It returns the fault that the service answers with, and an Unavailable one
// when the service does not answer in time.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(call.Timeout, c.timeout))
	defer cancel()
	request, err := c.request(ctx, call)
	if err != nil {
		return Answer{}, err
	}
	answer, err := c.send(request)
	if err != nil {
		return Answer{}, unreachable(fmt.Errorf("%s %s: %w", request.Method, call.route(), err))
	}
	if answer.Status >= http.StatusBadRequest {
		return answer, failure(call, answer)
	}
	return answer, nil
}

// send sends a request and reads the whole answer. Redirects are answers.
func (c *Client) send(request *http.Request) (answer Answer, err error) {
	response, err := c.http.RoundTrip(request)
	if err != nil {
		return answer, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	answer = Answer{Status: response.StatusCode, Tag: response.Header.Get("Etag"), Type: response.Header.Get("Content-Type")}
	// An unreadable position counts as an unknown one.
	answer.Position, _ = strconv.ParseUint(response.Header.Get(web.HeaderPosition), 10, 64)
	if answer.Body, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1)); len(answer.Body) > maxAnswer {
		err = errors.New("the answer is too large")
	}
	return answer, err
}

// request returns the request of a call.
func (c *Client) request(ctx context.Context, call Call) (*http.Request, error) {
	target := c.base + call.Path
	if query := call.query(); query != "" {
		target += "?" + query
	}
	var body []byte
	var kind string
	var err error
	switch {
	case call.Form != nil:
		body, kind, err = call.Form.encode()
	case call.Body != nil:
		kind = "application/json"
		body, err = json.Marshal(call.Body)
	}
	if err != nil {
		return nil, fmt.Errorf("encode the body of %s: %w", call.route(), err)
	}
	request, err := http.NewRequestWithContext(ctx, cmp.Or(call.Method, http.MethodGet), target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("a request to %s: %w", call.route(), err)
	}
	for name, value := range map[string]string{
		"If-Match": call.Match, "If-None-Match": call.Known, "X-Forwarded-For": call.Address,
		"Authorization": bearer(call.Token), web.HeaderPosition: position(call.Position),
		"X-API-Key": c.key, "Content-Type": kind,
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	request.Header.Set("User-Agent", printable(call.Agent)) // "" sends none
	return request, nil
}

// printable returns a text without control characters, which headers cannot have.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

func (call Call) query() string {
	query := url.Values{}
	for name, values := range call.Query {
		query[name] = values
	}
	if call.Language != "" {
		query.Set("lang", call.Language)
	}
	return query.Encode()
}

// route is the path for errors: without ids and tokens.
func (call Call) route() string {
	parts := strings.Split(call.Path, "/")
	for i, part := range parts {
		if strings.ContainsAny(part, "0123456789") {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

func position(p uint64) string {
	if p == 0 {
		return ""
	}
	return strconv.FormatUint(p, 10)
}

// encode returns the form as the body of a request, and its Content-Type.
func (f *Form) encode() (content []byte, kind string, err error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for name, values := range f.Fields {
		for _, value := range values {
			if err := writer.WriteField(name, value); err != nil {
				return nil, "", fmt.Errorf("write a form: %w", err)
			}
		}
	}
	if f.Field != "" {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", multipart.FileContentDisposition(f.Field, f.Name))
		header.Set("Content-Type", f.Type)
		part, err := writer.CreatePart(header)
		if err == nil {
			_, err = part.Write(f.File)
		}
		if err != nil {
			return nil, "", fmt.Errorf("write a form: %w", err)
		}
	}
	if err := writer.Close(); err != nil {
		return nil, "", fmt.Errorf("write a form: %w", err)
	}
	return body.Bytes(), writer.FormDataContentType(), nil
}

// Check reports whether the service answers, for readiness. It asks /livez and not /readyz:
// without the stream admin is not ready, but still takes edits.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.Do(ctx, Call{Path: "/livez"})
	return err
}
