// Package client sends requests to the services: to admin, and to query for the visitors' view.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fasthttp"

	"litfass/pkg/chassis/web"
)

const (
	// connections is how many connections to a service are open at once.
	connections = 256
	// maxAnswer is that of the export of a user's data, with room to spare.
	maxAnswer = 64 << 20
)

// Client asks one service, or several replicas at one address. It is safe for concurrent use.
type Client struct {
	http    *fasthttp.Client
	base    string // without a slash at its end
	key     string
	timeout time.Duration
}

// New returns a client of the service at base, an address without a path. key is its API key, ""
// for none; timeout limits each request.
func New(base, key string, timeout time.Duration) *Client {
	return &Client{
		http: &fasthttp.Client{
			Name: "litfass-console", MaxConnsPerHost: connections, MaxConnWaitTimeout: timeout,
			MaxResponseBodySize: maxAnswer, NoDefaultUserAgentHeader: true, ReadBufferSize: 16 << 10,
			DisablePathNormalizing: true,
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
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	if err := c.write(request, call); err != nil {
		return Answer{}, err
	}
	if err := c.http.DoDeadline(request, response, c.deadline(ctx, call.Timeout)); err != nil {
		return Answer{}, unreachable(fmt.Errorf("%s %s: %w", request.Header.Method(), call.route(), err))
	}
	answer := Answer{
		Status: response.StatusCode(), Tag: string(response.Header.Peek("Etag")),
		Type: string(response.Header.ContentType()), Body: append([]byte(nil), response.Body()...),
	}
	// A position that cannot be read is one that is not known.
	answer.Position, _ = strconv.ParseUint(string(response.Header.Peek(web.HeaderPosition)), 10, 64)
	if answer.Status >= http.StatusBadRequest {
		return answer, failure(call, answer)
	}
	return answer, nil
}

// write fills a request.
func (c *Client) write(request *fasthttp.Request, call Call) error {
	target := c.base + call.Path
	if query := call.query(); query != "" {
		target += "?" + query
	}
	request.SetRequestURI(target)
	if call.Method != "" {
		request.Header.SetMethod(call.Method)
	}
	for name, value := range map[string]string{
		"If-Match": call.Match, "If-None-Match": call.Known, "X-Forwarded-For": call.Address,
		"User-Agent": call.Agent, "Authorization": bearer(call.Token), web.HeaderPosition: position(call.Position),
		"X-API-Key": c.key,
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	switch {
	case call.Form != nil:
		return call.Form.write(request)
	case call.Body != nil:
		body, err := json.Marshal(call.Body)
		if err != nil {
			return fmt.Errorf("encode the body of %s: %w", call.route(), err)
		}
		request.Header.SetContentType("application/json")
		request.SetBody(body)
	}
	return nil
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

// write fills the body of a request with the form.
func (f *Form) write(request *fasthttp.Request) error {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for name, values := range f.Fields {
		for _, value := range values {
			if err := writer.WriteField(name, value); err != nil {
				return fmt.Errorf("write a form: %w", err)
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
			return fmt.Errorf("write a form: %w", err)
		}
	}
	if err := writer.Close(); err != nil {
		return fmt.Errorf("write a form: %w", err)
	}
	request.Header.SetContentType(writer.FormDataContentType())
	request.SetBody(body.Bytes())
	return nil
}

// deadline returns when an answer must be there. A timeout of 0 is that of the client.
func (c *Client) deadline(ctx context.Context, timeout time.Duration) time.Time {
	if timeout == 0 {
		timeout = c.timeout
	}
	deadline := time.Now().Add(timeout)
	if ends, set := ctx.Deadline(); set && ends.Before(deadline) {
		return ends
	}
	return deadline
}

// Check reports whether the service answers, for readiness. It asks /livez and not /readyz:
// without the stream admin is not ready, but still takes edits.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.Do(ctx, Call{Path: "/livez"})
	return err
}
